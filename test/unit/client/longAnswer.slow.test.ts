import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { clientBundle } from '../../../esbuild.mjs';
import {
  chunked,
  delta,
  done,
  finish,
  lastChunk,
  type RawServer,
  sseHead,
  startRawServer,
} from '../../tools/rawServer.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const megabyte = 1_000_000;
const text = 'a line of a very long answer\n'.repeat(70);
const piece = chunked(delta(text));
const pieces = Math.ceil((100 * megabyte) / piece.length);

describe('an answer of 100 MB, with the maximum raised', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-long-'));
  let server: RawServer;
  before(async () => {
    await build({ ...clientBundle, absWorkingDir: root, outfile: join(folder, 'client.cjs') });
    server = await startRawServer(async ({ request, send }) => {
      await send(sseHead);
      const count = request.body.includes('"long"') ? pieces : 10;
      const many = Buffer.concat(Array.from({ length: Math.min(count, 100) }, () => piece));
      // Each slice waits until the kernel accepts it, so that the client sets the pace.
      for (let left = count; left > 0; left -= 100) await send(many.subarray(0, Math.min(left, 100) * piece.length));
      await send(Buffer.concat([chunked(finish()), chunked(done), Buffer.from(lastChunk)]));
    });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is read to its end while memory grows by less than 50 MB', async () => {
    const script = join(root, 'test/tools/readLongAnswer.cjs');
    const args = ['--expose-gc', script, join(folder, 'client.cjs'), `${server.origin}/api/v1`, String(400 * megabyte)];
    const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
    const { characters, grown } = JSON.parse(stdout);
    assert.equal(characters, pieces * text.length);
    assert.ok(grown < 50 * megabyte, `${grown} bytes`);
  });
});
