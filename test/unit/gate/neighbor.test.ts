import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { scannerBundle } from '../../../esbuild.mjs';

const root = fileURLToPath(new URL('../../../', import.meta.url));

describe('the scanner in the shared extension host', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-scanner-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('changes no global and no state that all extensions share', async () => {
    const bundle = join(folder, 'scanner.cjs');
    await build({ ...scannerBundle, absWorkingDir: root, outfile: bundle });
    const text = ['svc_', 'ent_', 'abcdef0123456789'].join('');
    const output = execFileSync(process.execPath, [join(root, 'test/tools/visitScanner.cjs'), bundle, text], {
      encoding: 'utf8',
    });
    assert.deepEqual(JSON.parse(output), { onLoad: [], afterUse: [], marks: 0, found: ['svc-key'] });
  });
});
