import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientBundle } from '../../../esbuild.mjs';
import { delta, done, finish, openSseHead } from '../../tools/rawServer.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the client in the shared extension host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-client-'));
  const bundle = join(folder, 'client.cjs');
  let inputs: readonly string[] = [];
  after(() => rmSync(folder, { recursive: true, force: true }));

  before(async () => {
    const result = await build({ ...clientBundle, absWorkingDir: root, write: false, metafile: true });
    inputs = Object.keys(result.metafile.inputs);
    const [output] = result.outputFiles;
    assert.ok(output !== undefined);
    writeFileSync(bundle, output.contents);
    assert.ok(output.contents.length <= 300_000, `${output.contents.length} bytes`);
  });

  it('contains neither undici’s index nor its globals', () => {
    assert.ok(inputs.some((input) => input.includes('undici/lib/dispatcher/pool.js')));
    assert.deepEqual(
      inputs.filter((input) => /undici\/(index|lib\/global)/.test(input)),
      [],
    );
  });

  it('changes no global on load or in use', () => {
    const answer = openSseHead + delta('Hello') + finish() + done;
    const output = execFileSync(process.execPath, [join(root, 'test/tools/visitClient.cjs'), bundle, answer], {
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(output), { onLoad: [], afterUse: [], text: 'Hello' });
  });
});
