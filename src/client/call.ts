import { ServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import { maxJsonBytes, tooLong } from './answer/readJson.ts';
import { type KeyFilter, keyFilter } from './answer/withoutKey.ts';
import type { ClockAndRandom, Cooldowns, RetryRules } from './retry.ts';
import { fromRequestError, fromResponse } from './serviceError.ts';
import type { TimeLimits, Watchdog } from './timeouts.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
import { type WireRequest, wireHeaders } from './wireRequest.ts';

/** What every request of a client shares. Nothing in it belongs to one request. */
export interface ClientParts {
  readonly transport: Transport;
  readonly cooldowns: Cooldowns;
  readonly limits: TimeLimits;
  readonly rules: RetryRules;
  readonly chance: ClockAndRandom;
  readonly logger: Logger;
  readonly userAgent: string;
  /** Bytes of one answer. */
  readonly maxAnswerBytes: number;
  /** All keys that are stored, whatever they are for. */
  readonly storedKeys: () => Promise<readonly string[]>;
}

/** Takes the key that is sent, and all others that are stored, out of what the service says. */
export async function filterFor({ storedKeys }: ClientParts, apiKey: string): Promise<KeyFilter> {
  return keyFilter([...new Set([apiKey, ...(await storedKeys())])]);
}

/** The bytes of an error's body that are read. */
const maxErrorBytes = 64 * 1024;

/**
 * Sends a request once, with the key where there is one. Resolves with a 2xx response whose body is still to be read, in which case it has to be read or
 * destroyed. Throws ServiceError for all else.
 */
export async function sendOnce(
  { transport, limits, chance, logger }: ClientParts,
  request: WireRequest,
  apiKey: string,
  filter: KeyFilter,
  watchdog: Watchdog,
): Promise<TransportResponse> {
  const url = new URL(request.url);
  assertSendable(apiKey);
  const startedAt = chance.now();
  const log = (outcome: string): void =>
    logger.debug(`${request.method} ${request.path}: ${outcome}, ${chance.now() - startedAt} ms`);
  const init: TransportRequest = {
    method: request.method,
    url,
    headers: Object.fromEntries(wireHeaders(request, apiKey)),
    ...(request.body === undefined ? {} : { body: request.body }),
    signal: watchdog.signal,
    connectMs: limits.connectMs,
  };
  let response: TransportResponse;
  try {
    response = withHeaders(await transport.request(init), filter);
  } catch (error) {
    const failure = fromRequestError(error);
    log(failure.message);
    throw failure;
  }
  if (response.status >= 200 && response.status < 300) {
    log(String(response.status));
    return response;
  }
  const body = await readErrorBody(response, limits.errorBodyMs);
  watchdog.signal.throwIfAborted();
  const failure = fromResponse(response, body, { url, filter, now: chance.now() });
  log(`${response.status}, request id ${failure.requestId ?? 'none'}`);
  throw failure;
}

/** A pasted line break would fail deep in the HTTP stack, with a message that helps nobody. */
function assertSendable(apiKey: string): void {
  if (apiKey === '' || /^[\x21-\x7e]+$/.test(apiKey)) return;
  throw new ServiceError('auth', 'The key has characters that a header cannot carry.', { code: 'malformed-key' });
}

/** The response, its headers without the key: one that names it is of no use to anybody. */
function withHeaders(response: TransportResponse, filter: KeyFilter): TransportResponse {
  const { status, body } = response;
  const clean = (value: string | readonly string[] | undefined) =>
    typeof value === 'string' ? filter.text(value) : value?.map(filter.text);
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, clean(value)]));
  return { status, headers, body, destroy: () => response.destroy() };
}

/** As much of the body as comes in time: with the status known, a body that breaks off is no failure of its own. */
async function readErrorBody(response: TransportResponse, withinMs: number): Promise<string> {
  const timer = setTimeout(() => response.destroy(), withinMs);
  try {
    return await readText(response, maxErrorBytes);
  } catch {
    return '';
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
}

/** A body that is JSON, decoded. Throws a ServiceError (`protocol`, code `too-long`) where it is too large. */
export async function readWhole(response: TransportResponse): Promise<string> {
  const text = await readText(response, maxJsonBytes + 1);
  if (Buffer.byteLength(text) > maxJsonBytes) throw tooLong();
  return text;
}

/** The beginning of a body, decoded. */
async function readText({ body }: TransportResponse, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let left = maxBytes;
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    left -= chunk.length;
    if (left <= 0) break;
  }
  return text + decoder.decode();
}
