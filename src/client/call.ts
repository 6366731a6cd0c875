import { abortedError, ServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import type { ServiceClock } from '../util/serviceClock.ts';
import { maxJsonBytes, tooLong } from './answer/readJson.ts';
import { type KeyFilter, keyFilter } from './answer/withoutKey.ts';
import type { ClockAndRandom, Cooldowns, RetryRules } from './retry.ts';
import { fromRequestError, fromResponse, fromTransportError } from './serviceError.ts';
import { type TimeLimits, Watchdog } from './timeouts.ts';
import type { Transport, TransportRequest, TransportResponse } from './transport/transport.ts';
import { type WireRequest, wireHeaders } from './wireRequest.ts';

/** The parts that all requests of a client share, without anything that belongs to a single request. */
export interface ClientParts {
  readonly transport: Transport;
  readonly cooldowns: Cooldowns;
  readonly limits: TimeLimits;
  readonly rules: RetryRules;
  readonly clockAndRandom: ClockAndRandom;
  readonly logger: Logger;
  readonly userAgent: string;
  /** The maximum size of one answer in bytes. */
  readonly maxAnswerBytes: number;
  /** All stored keys, for any purpose. */
  readonly storedKeys: () => Promise<readonly string[]>;
  readonly clock: ServiceClock;
}

/** A filter that removes the key being sent and all other stored keys from responses. */
export async function filterFor({ storedKeys }: ClientParts, apiKey: string): Promise<KeyFilter> {
  return keyFilter([...new Set([apiKey, ...(await storedKeys())])]);
}

/** The maximum size in bytes of an error's body that is read. */
const maxErrorBytes = 64 * 1024;

/**
 * Sends a request once, with the key if there is one. Resolves with a 2xx response whose body is unread; the caller
 * must read or destroy it. Throws ServiceError for everything else.
 */
export async function sendOnce(
  { transport, limits, clockAndRandom, logger, clock }: ClientParts,
  request: WireRequest,
  apiKey: string,
  filter: KeyFilter,
  watchdog: Watchdog,
): Promise<TransportResponse> {
  const url = new URL(request.url);
  assertSendable(apiKey);
  const startedAt = clockAndRandom.now();
  const log = (outcome: string): void =>
    logger.info(`${request.method} ${request.path}: ${outcome}, ${clockAndRandom.now() - startedAt} ms`);
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
    response = withMaskedHeaders(await transport.request(init), filter);
  } catch (error) {
    const failure = fromRequestError(error);
    log(failure.message);
    throw failure;
  }
  clock.note(url.origin, response.headers.date, startedAt, clockAndRandom.now());
  if (response.status >= 200 && response.status < 300) {
    log(String(response.status));
    return response;
  }
  const body = await readErrorBody(response, limits.errorBodyMs);
  watchdog.signal.throwIfAborted();
  const failure = fromResponse(response, body, { url, filter, now: clockAndRandom.now() });
  log(`${response.status}, request id ${failure.requestId ?? 'none'}`);
  throw failure;
}

/**
 * Sends a request without a key once, and returns the whole body of its response. `makeFilter` returns what removes secrets from
 * an error. Throws a ServiceError.
 */
export async function sendWithoutKey(
  parts: ClientParts,
  request: WireRequest,
  makeFilter: () => Promise<KeyFilter>,
  signal: AbortSignal,
): Promise<string> {
  const watchdog = new Watchdog(signal);
  watchdog.start('check', parts.limits.checkMs);
  try {
    const response = await sendOnce(parts, request, '', await makeFilter(), watchdog);
    try {
      return await readWhole(response);
    } finally {
      response.destroy();
    }
  } catch (error) {
    const failure = fromTransportError(error);
    throw signal.aborted ? abortedError() : failure;
  } finally {
    watchdog.dispose();
  }
}

/** Throws for a key with invalid characters: a pasted line break would fail in the HTTP stack with an unhelpful message. */
function assertSendable(apiKey: string): void {
  if (apiKey === '' || /^[\x21-\x7e]+$/.test(apiKey)) return;
  throw new ServiceError('auth', 'The key has characters that a header cannot carry.', { code: 'malformed-key' });
}

/** The response with the key masked in its headers. */
function withMaskedHeaders(response: TransportResponse, filter: KeyFilter): TransportResponse {
  const { status, body } = response;
  const clean = (value: string | readonly string[] | undefined) =>
    typeof value === 'string' ? filter.text(value) : value?.map(filter.text);
  const headers = Object.fromEntries(Object.entries(response.headers).map(([name, value]) => [name, clean(value)]));
  return { status, headers, body, destroy: () => response.destroy() };
}

/**
 * Reads the body of an error as far as it arrives in time: the status is known, so a body that breaks off is not a separate
 * failure.
 */
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

/** Returns a JSON body, decoded. Throws a ServiceError (`protocol`, code `too-long`) if it is too large. */
export async function readWhole(response: TransportResponse): Promise<string> {
  const text = await readText(response, maxJsonBytes + 1);
  if (Buffer.byteLength(text) > maxJsonBytes) throw tooLong();
  return text;
}

/** Returns the beginning of a body, decoded. */
async function readText({ body }: TransportResponse, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let remaining = maxBytes;
  for await (const chunk of body) {
    text += decoder.decode(chunk.subarray(0, remaining), { stream: true });
    remaining -= chunk.length;
    if (remaining <= 0) break;
  }
  return text + decoder.decode();
}
