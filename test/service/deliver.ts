import type { ChunkGate } from './chunkGate.ts';
import { type Completion, callChunks, chunk, closingChunks, completionBody, countTokens } from './completion.ts';
import { type Exchange, pause, untilGone, write } from './exchange.ts';
import { errorBody, HttpError, sendJson } from './httpError.ts';
import { OddChunks } from './oddChunks.ts';
import type { Delivery, Ending } from './scenario.ts';

/** The speed of a model. */
interface Pace {
  readonly firstTokenMs: number;
  /** Replaces the delay before each delta. */
  readonly tokensPerSecond?: number;
}

export interface DeliveryOptions {
  readonly delivery: Delivery;
  readonly includeUsage: boolean;
  /** The delay in milliseconds before every delta and before the ending. */
  readonly delayMs: number;
  readonly pace: Pace;
  /** The number of deltas before a fault. The endings `complete` and `open` send all. */
  readonly afterDeltas: number;
  readonly gate: ChunkGate;
}

const streamError = new HttpError(500, 'server_error', 'stream_error', 'The scenario says that the model failed.');

/** All of the answer is sent. */
const wholeEndings: ReadonlySet<Ending> = new Set(['complete', 'open', 'no-reason', 'unsaid']);

/** Milliseconds from the request to the last of so many characters. */
function durationOf(characters: number, { firstTokenMs, tokensPerSecond }: Pace): number {
  return firstTokenMs + (tokensPerSecond === undefined ? 0 : (countTokens(characters) / tokensPerSecond) * 1_000);
}

/** Sends the completion as server-sent events, up to the ending of the scenario. */
export async function deliverStream(
  exchange: Exchange,
  completion: Completion,
  { delivery, includeUsage, delayMs, pace, afterDeltas, gate }: DeliveryOptions,
): Promise<void> {
  const { response, gone } = exchange;
  const begun = performance.now();
  let characters = 0;
  const ending = delivery.ending ?? 'complete';
  const chunks = new OddChunks(delivery.odd, completion);
  const send = (value: unknown): Promise<void> => write(exchange, chunks.event(value));
  const step = async (text = ''): Promise<void> => {
    await gate.pass(gone);
    if (pace.tokensPerSecond === undefined) return pause(delayMs, gone);
    characters += text.length;
    await pause(begun + durationOf(characters, pace) - performance.now(), gone);
  };

  response.writeHead(delivery.status ?? 200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    ...(delivery.coding === undefined ? {} : { 'content-encoding': delivery.coding }),
  });
  await send(chunk(completion, { role: 'assistant', content: '' }));
  await pause(pace.firstTokenMs, gone);
  const isWhole = wholeEndings.has(ending);
  const { pieces, thoughts = [] } = completion;
  for (const text of thoughts) {
    await step(text);
    await send(chunk(completion, { reasoning_content: text }));
  }
  for (const text of isWhole ? pieces : pieces.slice(0, Math.max(0, Math.min(afterDeltas, pieces.length - 1)))) {
    await step(text);
    await send(chunk(completion, { content: text }));
  }
  for (const each of isWhole ? callChunks(completion) : callChunks(completion).slice(0, 2)) {
    await step();
    await send(each);
  }
  await step();
  if (completion.refusal !== null) await send(chunk(completion, { refusal: completion.refusal }));
  switch (ending) {
    case 'complete':
      for (const each of closingChunks(completion, includeUsage)) await send(each);
      response.end('data: [DONE]\n\n');
      return;
    case 'open':
      for (const each of closingChunks(completion, includeUsage)) await send(each);
      return untilGone(gone);
    case 'no-reason':
      response.end('data: [DONE]\n\n');
      return;
    case 'cut':
      response.socket?.destroy();
      return;
    case 'no-finish':
    case 'unsaid':
      response.end();
      return;
    case 'stall':
      return untilGone(gone);
    case 'malformed':
      await write(exchange, `data: {"id":"${completion.id}","choices":[{"delta":{"content":"bro\n\n`);
      response.end('data: [DONE]\n\n');
      return;
    case 'error':
      await send(errorBody(streamError));
      response.end();
      return;
    case 'error-object':
      await send({ object: 'error', message: streamError.message, code: 50_505 });
      response.end('data: [DONE]\n\n');
      return;
    case 'page':
      response.end('<html>\n<head><title>504 Gateway Time-out</title></head>\n</html>\n');
      return;
  }
}

/** Sends the completion as one JSON body. Stream faults become half a body or an error object. */
export async function deliverWhole(
  exchange: Exchange,
  completion: Completion,
  { delivery, delayMs, pace, gate }: DeliveryOptions,
): Promise<void> {
  const { response, gone } = exchange;
  await gate.pass(gone);
  const { pieces, thoughts = [] } = completion;
  await pause(delayMs + durationOf([...thoughts, ...pieces].join('').length, pace), gone);
  const value = completionBody(completion);
  const text = JSON.stringify(value);
  const half = text.slice(0, Math.floor(text.length / 2));
  const head = { 'content-type': 'application/json; charset=utf-8' };
  switch (delivery.ending ?? 'complete') {
    case 'complete':
      sendJson(response, 200, value);
      return;
    case 'no-reason':
    case 'unsaid':
      sendJson(response, 200, withoutReason(completion));
      return;
    case 'error':
    case 'error-object':
      sendJson(response, 200, errorBody(streamError));
      return;
    case 'no-finish':
    case 'malformed':
    case 'page':
      response.writeHead(200, head);
      response.end(half);
      return;
    case 'cut':
      response.writeHead(200, head);
      await write(exchange, half);
      response.socket?.destroy();
      return;
    case 'stall':
      response.writeHead(200, head);
      await write(exchange, half);
      return untilGone(gone);
    case 'open':
      response.writeHead(200, head);
      await write(exchange, text);
      return untilGone(gone);
  }
}

function withoutReason(completion: Completion): Readonly<Record<string, unknown>> {
  const { choices, ...value } = completionBody(completion);
  const without = (Array.isArray(choices) ? choices : []).map((choice) => ({ ...choice, finish_reason: null }));
  return { ...value, choices: without };
}
