// Runs in a separate Node with the client's bundle and a base URL. Reads one short answer, then a long one whose text
// it counts and discards. Prints the number of characters and the growth of the memory in bytes, measured after a
// collection (node --expose-gc), because uncollected garbage depends on the machine rather than on the client.
const { wireChat } = require('./wireChat.cjs');
const { createServiceClient } = require(process.argv[2]);
const [, , , baseUrl, maxAnswerBytes] = process.argv;

const silent = () => {};
const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
const client = createServiceClient({ logger, userAgent: 'svc-coder/test', maxAnswerBytes: Number(maxAnswerBytes) });

function held() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The interval between two measurements, in characters. */
const stride = 4_000_000;

async function read(model) {
  const request = wireChat(baseUrl, model);
  const { signal } = new AbortController();
  let characters = 0;
  let most = 0;
  let next = stride;
  for await (const batch of client.streamChat(request, { apiKey: 'k' }, async () => {}, signal)) {
    for (const event of batch) if (event.type === 'text-delta') characters += event.text.length;
    if (characters < next) continue;
    next += stride;
    most = Math.max(most, held());
  }
  return { characters, most };
}

async function main() {
  await read('short');
  const before = held();
  const { characters, most } = await read('long');
  const grown = most - before;
  await client.dispose();
  console.log(JSON.stringify({ characters, grown }));
}
main();
