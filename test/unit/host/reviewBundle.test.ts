import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { reviewBundle } from '../../../esbuild.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the bundle of reviews', () => {
  it('carries no second copy of the wire, the gate or the session, and touches no global', async () => {
    const result = await build({ ...reviewBundle, absWorkingDir: root, write: false, metafile: true });
    const [output] = result.outputFiles;
    assert.ok(output !== undefined);
    assert.ok(output.contents.length < 80_000, `${output.contents.length} bytes`);
    assert.ok(!output.text.includes('globalThis'));
    const inputs = Object.keys(result.metafile.inputs);
    assert.ok(inputs.includes('src/review/catalogue.ts'));
    assert.deepEqual(
      inputs.filter((input) => /src\/(client|gate|store|session)\//.test(input)),
      [],
    );
  });
});
