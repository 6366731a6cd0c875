// Runs in a separate Node with the client's bundle and the bytes of an answer. Prints which globals changed when the
// bundle was loaded and when it was used, and the text it read. A separate process detects a changed global independent
// of what the test runner has loaded.
const { createServer } = require('node:net');
const http = require('node:http');
const https = require('node:https');
const names = () => [...Object.getOwnPropertyNames(globalThis), ...Object.getOwnPropertySymbols(globalThis)];
// Some of Node's globals are created on first access, so all are read before the comparison.
const look = () =>
  new Map([
    ...names().map((name) => [name, globalThis[name]]),
    ['http.globalAgent', http.globalAgent],
    ['https.globalAgent', https.globalAgent],
    ['http.request', http.request],
    ['https.request', https.request],
    ...['process', 'Promise', 'Array', 'Object', 'String'].flatMap((owner) =>
      Object.getOwnPropertyNames(globalThis[owner].prototype ?? {}).map((name) => [
        `${owner}.${name}`,
        Object.getOwnPropertyDescriptor(globalThis[owner].prototype, name).value,
      ]),
    ),
  ]);
look();
const before = look();
const { wireChat } = require('./wireChat.cjs');
const { createServiceClient } = require(process.argv[2]);
const changed = () => {
  const after = look();
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => !Object.is(before.get(key), after.get(key)))
    .map(String);
};
const onLoad = changed();
const silent = () => {};
const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
const server = createServer((socket) => socket.once('data', () => socket.end(process.argv[3])));
server.listen(0, '127.0.0.1', async () => {
  const client = createServiceClient({ logger, userAgent: 'svc-coder/test' });
  const baseUrl = `http://127.0.0.1:${server.address().port}/api/v1`;
  const request = wireChat(baseUrl, 'm');
  let text = '';
  for await (const batch of client.streamChat(request, { apiKey: 'k' }, async () => {}, new AbortController().signal)) {
    for (const event of batch) if (event.type === 'text-delta') text += event.text;
  }
  await client.dispose();
  server.close();
  console.log(JSON.stringify({ onLoad, afterUse: changed(), text }));
});
