import type { DisposableLike } from '../util/disposable.ts';
import { abortedError, ServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import { ServiceClock } from '../util/serviceClock.ts';
import { defaultMaxAnswerBytes } from './answer/answerReader.ts';
import { isObject, textOf } from './answer/answerShape.ts';
import { isError } from './answer/decode.ts';
import { readJson } from './answer/readJson.ts';
import { modelListSchema } from './answer/schemas.ts';
import type { KeyFilter } from './answer/withoutKey.ts';
import { AttemptKeys } from './attemptKeys.ts';
import { type ClientParts, filterFor, readWhole, sendOnce } from './call.ts';
import type { Endpoint, ModelEntry } from './chat.ts';
import { type ChatClient, streamChat } from './chatStream.ts';
import { type Diagnosis, diagnose } from './diagnosis/diagnose.ts';
import { type Collector, type LogsAccepted, sendLogs } from './otlp/sendLogs.ts';
import { fetchPolicy } from './policy/fetchPolicy.ts';
import {
  type ClockAndRandom,
  Cooldowns,
  defaultRetryRules,
  RetryPlan,
  type RetryRules,
  realClockAndRandom,
  startWait,
} from './retry.ts';
import { errorInAnswer, fromTransportError } from './serviceError.ts';
import { defaultTimeLimits, type TimeLimits, Watchdog } from './timeouts.ts';
import type { NetworkOptions } from './transport/network.ts';
import { StackTransport } from './transport/stackTransport.ts';
import type { Transport } from './transport/transport.ts';
import { checkRequest, type WireRequest } from './wireRequest.ts';

export interface ServiceClientOptions {
  readonly logger: Logger;
  /** The User-Agent header, such as `svc-coder/1.2.3`. */
  readonly userAgent: string;
  /** Returns the time limits. Called for each request; a chat request may override them. */
  readonly limits?: () => Partial<TimeLimits>;
  /** Returns the network options. Called for each request. Default: direct connections. */
  readonly network?: () => NetworkOptions;
  readonly rules?: Partial<RetryRules>;
  /** The maximum size of one answer in bytes. Default: 64 MiB. */
  readonly maxAnswerBytes?: number;
  /** An alternative HTTP stack. */
  readonly transport?: Transport;
  readonly clockAndRandom?: ClockAndRandom;
  /** All stored keys, for any address; none of them is shown. Called for each request. */
  readonly storedKeys?: () => Promise<readonly string[]>;
  /** Takes the time that each response states. */
  readonly clock?: ServiceClock;
}

interface HealthResult {
  readonly status: number;
  readonly durationMs: number;
}

/**
 * The requests that any part of the extension may make: none of them carries content. The request with content belongs to
 * ChatClient, which only dispatch (send/dispatch.ts) receives. All methods throw ServiceError and end immediately when their
 * signal aborts.
 */
export interface ServiceClient extends DisposableLike {
  /** Sends the key if there is one: whether a key is required is unknown. */
  health(endpoint: CheckedEndpoint, signal: AbortSignal): Promise<HealthResult>;
  /** Resolves if the service accepts the key. */
  validateToken(endpoint: Endpoint, signal: AbortSignal): Promise<void>;
  /** Returns at most 1,000 models, without duplicates, in the service's order. */
  listModels(endpoint: Endpoint, signal: AbortSignal): Promise<readonly ModelEntry[]>;
  /** Runs the stages of a request step by step and reports where it fails; throws only if its signal aborts. */
  diagnose(endpoint: CheckedEndpoint, signal: AbortSignal): Promise<Diagnosis>;
  /** Sends lines of the audit log to a collector, once. */
  sendLogs(collector: Collector, body: string, signal: AbortSignal): Promise<LogsAccepted>;
  /** Fetches the policy that an administrator delivers, once. */
  fetchPolicy(url: string, signal: AbortSignal): Promise<string>;
  /** Ends running requests and closes all sockets. */
  dispose(): Promise<void>;
}

type CheckedEndpoint = Pick<Endpoint, 'baseUrl'> & Partial<Endpoint>;

const maxModels = 1_000;
const maxModelIdChars = 200;
/** The maximum number of values in a model list: some services list hundreds of models with dozens of properties each. */
const maxListValues = 100_000;
/** The maximum number of retries of a check: the user waits for it, so more would take too long. */
const checkRetries = 1;
/** The maximum wait in milliseconds that a check makes: it shows no countdown, so it reports a longer one instead. */
const maxCheckWaitMs = 1000;

/** Creates the client, which opens no socket before the first request. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient & ChatClient {
  const parts: ClientParts = {
    get limits() {
      return { ...defaultTimeLimits, ...options.limits?.() };
    },
    transport: options.transport ?? new StackTransport(options.network ?? (() => ({})), options.logger),
    cooldowns: new Cooldowns(),
    rules: { ...defaultRetryRules, ...options.rules },
    clockAndRandom: options.clockAndRandom ?? realClockAndRandom,
    logger: options.logger,
    userAgent: options.userAgent,
    maxAnswerBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
    storedKeys: options.storedKeys ?? (async () => []),
    clock: options.clock ?? new ServiceClock(),
  };
  return {
    ...checksOf(parts),
    streamChat: (...about) => streamChat(parts, ...about),
    sendLogs: (...about) => sendLogs(parts, ...about),
    fetchPolicy: (...about) => fetchPolicy(parts, ...about),
    diagnose({ baseUrl, apiKey = '' }, signal) {
      const { transport, userAgent, logger, clockAndRandom, storedKeys } = parts;
      const checksOver = (ended: Transport): Checks => checksOf({ ...parts, transport: ended });
      const network = options.network ?? (() => ({}));
      const { connectMs } = parts.limits;
      const about = {
        network,
        transport,
        checksOver,
        connectMs,
        userAgent,
        logger,
        storedKeys,
        now: () => clockAndRandom.now(),
      };
      return diagnose(about, { baseUrl, apiKey }, signal);
    },
    dispose: () => parts.transport.close(),
  };
}

type Checks = Pick<ServiceClient, 'health' | 'validateToken' | 'listModels'>;

function checksOf(parts: ClientParts): Checks {
  return {
    async health({ apiKey = '', ...endpoint }, signal) {
      const startedAt = performance.now();
      const { status } = await check(parts, { ...endpoint, apiKey }, '/health', signal);
      return { status, durationMs: Math.round(performance.now() - startedAt) };
    },
    async validateToken(endpoint, signal) {
      await check(parts, endpoint, '/auth/token', signal);
    },
    async listModels(endpoint, signal) {
      const { text, filter } = await check(parts, endpoint, '/models', signal);
      return parseModels(text, filter);
    },
  };
}

interface CheckResult {
  readonly status: number;
  readonly text: string;
  readonly filter: KeyFilter;
}

/** Sends a GET request, which is retried once if the rules allow. */
async function check(
  parts: ClientParts,
  endpoint: Endpoint,
  path: WireRequest['path'],
  signal: AbortSignal,
): Promise<CheckResult> {
  const { cooldowns, clockAndRandom, limits, userAgent } = parts;
  const request = checkRequest(endpoint.baseUrl, path, userAgent);
  const rules = {
    ...parts.rules,
    maxRetries: Math.min(checkRetries, parts.rules.maxRetries),
    longestWaitMs: Math.min(maxCheckWaitMs, parts.rules.longestWaitMs),
  };
  const deadline = clockAndRandom.now() + limits.checkMs;
  const plan = new RetryPlan({ rules, cooldowns, clockAndRandom, deadline, url: request.url });
  const keys = new AttemptKeys(endpoint.apiKey, endpoint.renewKey);
  for (;;) {
    const watchdog = new Watchdog(signal);
    watchdog.start('check', deadline + keys.renewalMs - clockAndRandom.now());
    let delayMs = 0;
    try {
      watchdog.signal.throwIfAborted();
      const filter = await filterFor(parts, keys.now);
      const response = await sendOnce(parts, request, keys.now, filter, watchdog);
      try {
        const text = await readWhole(response);
        assertOfService(text, filter);
        return { status: response.status, text, filter };
      } finally {
        response.destroy();
      }
    } catch (error) {
      const failure = fromTransportError(error);
      if (signal.aborted || failure.kind === 'aborted') throw abortedError();
      if (!(await keys.renew(failure))) ({ delayMs } = plan.afterFailure(failure));
    } finally {
      watchdog.dispose();
    }
    await startWait(delayMs, signal).ended;
  }
}

/** Throws for a web page, as a sign-in or another server sends it, and for an error, although the status says success. */
function assertOfService(text: string, filter: KeyFilter): void {
  if (/^\s*<(?:!doctype|html)\b/i.test(text)) {
    throw new ServiceError('protocol', 'The answer is a web page.', { code: 'html' });
  }
  const value = readJson(text, maxListValues);
  const error = isObject(value) ? value.error : undefined;
  if (textOf(error) !== '' || (isObject(error) && Object.keys(error).length > 0)) throw errorInAnswer(text, filter);
}

function parseModels(text: string, filter: KeyFilter): readonly ModelEntry[] {
  const value = readJson(text, maxListValues);
  // Some services leave out the object around the list; some answer 200 with an error.
  const parsed = modelListSchema.safeParse(Array.isArray(value) ? { data: value } : value);
  if (isObject(value) && !('data' in value) && isError(value)) throw errorInAnswer(text, filter);
  if (!parsed.success) throw new ServiceError('protocol', 'The model list is not JSON.', { code: 'malformed' });
  const models = new Map<string, ModelEntry>();
  for (const entry of parsed.data.data) {
    const id = entry?.id?.trim() ?? '';
    if (id === '' || id.length > maxModelIdChars || models.size >= maxModels || models.has(id)) continue;
    // With the key removed, it would be a different id.
    if (filter.text(id) !== id) continue;
    const name = filter
      .text(entry?.name ?? '')
      .replace(/[\p{Cc}\p{Cf}]/gu, ' ')
      .trim()
      .slice(0, maxModelIdChars);
    models.set(id, name === '' ? { id } : { id, name });
  }
  return [...models.values()];
}
