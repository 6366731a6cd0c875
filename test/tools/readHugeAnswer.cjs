// Runs in a separate Node with the client's bundle, a base URL and the name of the answer. Reads one answer, keeps its
// text like a session, and prints how it ended, the peak memory (bytes, resident) and the longest pause of the event
// loop (ms).
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { peakMemory } = require('./peakMemory.mjs');
const { wireChat } = require('./wireChat.cjs');
const { createServiceClient } = require(process.argv[2]);
const [, , , baseUrl, model] = process.argv;

const silent = () => {};
const logger = { info: silent, debug: silent, trace: silent, warn: silent, error: silent };
const client = createServiceClient({ logger, userAgent: 'svc-coder/test', rules: { maxRetries: 0 } });
const endpoint = { baseUrl, apiKey: 'svc_ent_0123456789' };
const { signal } = new AbortController();

async function read() {
  if (model === 'models') return String((await client.listModels(endpoint, signal)).length);
  const request = wireChat(baseUrl, model);
  let text = '';
  let events = 0;
  for await (const batch of client.streamChat(request, endpoint, async () => {}, signal)) {
    events += batch.length;
    for (const event of batch) if (event.type === 'text-delta') text += event.text;
  }
  return `${events} events, ${text.length} characters`;
}

async function main() {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  let said;
  let code = null;
  try {
    said = await read();
  } catch (error) {
    code = `${error.kind} ${error.code}`;
  }
  delay.disable();
  await client.dispose();
  console.log(JSON.stringify({ said, code, peak: peakMemory(), pauseMs: Math.round(delay.max / 1e6) }));
}
main();
