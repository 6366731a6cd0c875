import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { clientBundle } from '../../esbuild.mjs';
import { delta, done, finish, openSseHead } from '../tools/rawServer.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The oldest supported VS Code has Node 22 in its extension host. This ring installs one. */
const node22 = join(root, 'test/contract/node_modules', `node-linux-${process.arch}`, 'bin/node');

describe('the shipped client in the Node versions of the oldest and the newest VS Code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-nodes-'));
  const bundle = join(folder, 'client.cjs');
  before(() => build({ ...clientBundle, absWorkingDir: root, outfile: bundle }));
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [version, node] of [
    ['v22.', node22],
    ['v24.', process.execPath],
  ] as const) {
    it(`Node ${version.slice(1)}x: reads an answer and changes no global`, () => {
      assert.ok(existsSync(node), node);
      assert.ok(run(node, ['--version']).startsWith(version));
      const answer = openSseHead + delta('Hello') + finish() + done;
      const output = run(node, [join(root, 'test/tools/visitClient.cjs'), bundle, answer]);
      assert.deepEqual(JSON.parse(output), { onLoad: [], afterUse: [], text: 'Hello' });
    });
  }
});

function run(node: string, args: readonly string[]): string {
  return execFileSync(node, args, { encoding: 'utf8', timeout: 30_000 });
}
