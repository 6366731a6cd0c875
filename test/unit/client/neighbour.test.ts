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

/** Runs in a Node of its own: a global changed there is seen, whatever mocha has loaded here. */
const visit = `
  const { createServer } = require('node:net');
  const http = require('node:http');
  const https = require('node:https');
  const names = () => [...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertySymbols(globalThis)];
  // Reading some of Node's globals is what makes them, so all are read before anything is compared.
  const look = () => new Map([
    ...names().map((name) => [name, globalThis[name]]),
    ['http.globalAgent', http.globalAgent], ['https.globalAgent', https.globalAgent],
    ['http.request', http.request], ['https.request', https.request],
    ...['process', 'Promise', 'Array', 'Object', 'String'].flatMap((owner) =>
      Object.getOwnPropertyNames(globalThis[owner].prototype ?? {}).map((name) =>
        [owner + '.' + name, Object.getOwnPropertyDescriptor(globalThis[owner].prototype, name).value])),
  ]);
  look();
  const before = look();
  const { createServiceClient } = require(process.argv[2]);
  const changed = () => {
    const after = look();
    return [...new Set([...before.keys(), ...after.keys()])].filter((key) => !Object.is(before.get(key), after.get(key))).map(String);
  };
  const onLoad = changed();
  const silent = () => {};
  const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
  const unset = { value: null };
  const policy = { securityLevel: unset, dataResidency: unset, audit: unset, zeroRetention: unset, frameworks: { value: [] } };
  const server = createServer((socket) => socket.once('data', () => socket.end(process.argv[3])));
  server.listen(0, '127.0.0.1', async () => {
    const client = createServiceClient({ logger, userAgent: 'svc-coder/test' });
    const baseUrl = 'http://127.0.0.1:' + server.address().port + '/api/v1';
    const request = { model: 'm', messages: [], maxTokens: null, temperature: null, stream: true };
    let text = '';
    for await (const batch of client.streamChat({ baseUrl, apiKey: 'k' }, request, policy, new AbortController().signal)) {
      for (const event of batch) if (event.type === 'text-delta') text += event.text;
    }
    await client.dispose();
    server.close();
    console.log(JSON.stringify({ onLoad, afterUse: changed(), text }));
  });
`;

describe('the client as a neighbour in the extension host', () => {
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

  it('holds neither undici’s index nor its globals', () => {
    assert.ok(inputs.some((input) => input.includes('undici/lib/dispatcher/pool.js')));
    assert.deepEqual(
      inputs.filter((input) => /undici\/(index|lib\/global)/.test(input)),
      [],
    );
  });

  it('changes no global when it is loaded, nor when it is used', () => {
    const visitor = join(folder, 'visit.cjs');
    writeFileSync(visitor, visit);
    const answer = openSseHead + delta('Hello') + finish() + done;
    const output = execFileSync(process.execPath, [visitor, bundle, answer], { encoding: 'utf8' });
    assert.deepEqual(JSON.parse(output), { onLoad: [], afterUse: [], text: 'Hello' });
  });
});
