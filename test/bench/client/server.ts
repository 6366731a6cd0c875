// The service of the bench, in a separate process. Its answers are prepared as bytes, so that the bench measures the
// client. Prints its port and ends with its stdin.
import { createServer, type Socket } from 'node:net';
import { chunked, head, lastChunk } from '../../tools/rawServer.ts';
import { bulkChunks, smallChunks, word } from './contender.ts';

/** The maximum size of a read from a real network. */
const sliceBytes = 64 * 1024;

function chunk(delta: object, finishReason: string | null): Buffer {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finishReason }];
  const meta = { id: 'chatcmpl-AvE2mY8bDq31hH5rSw0T', object: 'chat.completion.chunk', created: 1789000000 };
  return chunked(`data: ${JSON.stringify({ ...meta, model: 'svc/auto', choices })}\n\n`);
}

const one = chunk({ content: word }, null);
const beginning = Buffer.concat([
  Buffer.from(head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked' })),
  one,
]);

function rest(chunks: number): Buffer {
  return Buffer.concat([
    ...Array.from({ length: chunks - 1 }, () => one),
    chunk({}, 'stop'),
    chunked('data: [DONE]\n\n'),
    Buffer.from(lastChunk),
  ]);
}

const rests = { bulk: rest(bulkChunks), small: rest(smallChunks) };

function send(socket: Socket, bytes: Buffer): void {
  for (let from = 0; from < bytes.length; from += sliceBytes) {
    if (socket.destroyed) return;
    if (!socket.write(bytes.subarray(from, from + sliceBytes))) {
      socket.once('drain', () => send(socket, bytes.subarray(from + sliceBytes)));
      return;
    }
  }
}

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
    // Every contender sends its body in one piece with its head or directly after it, and it ends in the brace of the
    // JSON.
    const model = /\r\n\r\n.*"model":"(bulk|small)".*\}$/s.exec(received)?.[1];
    if (model === undefined) return;
    received = '';
    // The first token is sent separately, as by a model that generates one after the other.
    socket.write(beginning);
    setImmediate(() => send(socket, model === 'bulk' ? rests.bulk : rests.small));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (address !== null && typeof address === 'object') console.log(String(address.port));
});
process.stdin.resume().on('end', () => process.exit());
