import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { clientBundle } from '../../../esbuild.mjs';
import { maxJsonBytes, readJson } from '../../../src/client/answer/readJson.ts';
import { delta, head, type RawServer, startRawServer } from '../../tools/rawServer.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const megabyte = 1024 * 1024;

interface Body {
  readonly type: 'text/event-stream' | 'application/json';
  readonly first: string;
  /** Sent repeatedly until this many bytes are sent. */
  readonly piece: string;
  readonly bytes: number;
  readonly last?: string;
  /** The expected outcome of the client. */
  readonly code: string;
}

const stream = 'text/event-stream';
const json = 'application/json';
const bodies: Readonly<Record<string, Body>> = {
  'an event of millions of lines': {
    type: stream,
    first: '',
    piece: 'data: 1,\n',
    bytes: 64 * megabyte,
    code: 'protocol too-long',
  },
  'an event without end': {
    type: stream,
    first: 'data: ',
    piece: 'x',
    bytes: 64 * megabyte,
    code: 'protocol too-long',
  },
  'events of thousands of values': {
    type: stream,
    first: '',
    piece: `data: {"security":[${'[],'.repeat(49_000)}1]}\n\n`,
    bytes: 64 * megabyte,
    code: 'protocol too-long',
  },
  'a text without end': {
    type: stream,
    first: '',
    piece: delta('y'.repeat(2048)),
    bytes: 64 * megabyte,
    code: 'interrupted too-long',
  },
  'events that say nothing': {
    type: stream,
    first: '',
    piece: 'data: {"usage":{}}\n\n',
    bytes: 60 * megabyte,
    code: 'interrupted end',
  },
  'a completion without end': {
    type: json,
    first: '{"choices":[{"message":{"content":"',
    piece: 'x',
    bytes: 64 * megabyte,
    code: 'protocol too-long',
  },
  'a completion of millions of values': {
    type: json,
    first: '{"choices":[',
    piece: '[],',
    bytes: 9 * megabyte,
    last: '1]}',
    code: 'protocol too-long',
  },
  models: {
    type: json,
    first: '{"data":[',
    piece: '{"id":"a"},',
    bytes: 64 * megabyte,
    last: '{}]}',
    code: 'protocol too-long',
  },
};

describe('an answer that is far too large', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-huge-'));
  let server: RawServer;
  before(async () => {
    await build({ ...clientBundle, absWorkingDir: root, outfile: join(folder, 'client.cjs') });
    server = await startRawServer(async ({ request, send, socket }) => {
      const name = request.path.endsWith('/models') ? 'models' : String(JSON.parse(request.body).model);
      const { type, first, piece, bytes, last = '' } = bodies[name] ?? assert.fail(name);
      await send(head(200, { 'content-type': type, connection: 'close' }) + first);
      const many = Buffer.from(piece.repeat(Math.ceil(megabyte / 4 / piece.length)));
      for (let sent = 0; sent < bytes && !socket.destroyed; sent += many.length) await send(many);
      if (!socket.destroyed) await send(last);
      socket.end();
    });
  });
  after(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [name, { code }] of Object.entries(bodies)) {
    it(`${name}: reported as such, within 200 MB of memory`, async () => {
      const script = join(root, 'test/tools/readHugeAnswer.cjs');
      // A small heap, because uncollected garbage would otherwise depend on the machine rather than on the client.
      const heap = ['--max-old-space-size=96', '--max-semi-space-size=4'];
      const args = [...heap, script, join(folder, 'client.cjs'), `${server.origin}/api/v1`, name];
      const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 60_000 });
      const result = JSON.parse(stdout);
      assert.equal(result.code, code);
      assert.ok(result.peak < 200e6, `${result.peak} bytes`);
    });
  }
});

describe('JSON of a service', () => {
  it('is read regardless of the content of its strings', () => {
    const text = JSON.stringify({ text: '[{,"\\'.repeat(100_000), more: ['\\', '"', '\\"'] });
    assert.deepEqual(readJson(text), JSON.parse(text));
    assert.equal(readJson('{"a":'), undefined);
    assert.equal(readJson(`"${'x'.repeat(100_000)}`), undefined);
  });

  it('is rejected if it is too long or has too many values', () => {
    const tooLong = { kind: 'protocol', code: 'too-long' };
    assert.throws(() => readJson(' '.repeat(maxJsonBytes + 1)), tooLong);
    assert.throws(() => readJson(`[${'{},'.repeat(50_000)}1]`), tooLong);
    assert.throws(() => readJson(`[${'"",'.repeat(50_000)}1]`), tooLong);
    assert.equal((readJson(`[${'{},'.repeat(50_000)}1]`, 200_000) as unknown[]).length, 50_001);
  });
});
