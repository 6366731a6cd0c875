import type { DisposableLike } from '../util/disposable.ts';
import { abortedError, ServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import { defaultMaxAnswerBytes } from './answer/answerReader.ts';
import { readJson } from './answer/readJson.ts';
import { modelListSchema } from './answer/schemas.ts';
import type { KeyFilter } from './answer/withoutKey.ts';
import { type ClientParts, filterFor, readWhole, sendOnce } from './call.ts';
import type { Endpoint, ModelEntry } from './chat.ts';
import { type ChatClient, streamChat } from './chatStream.ts';
import { type Diagnosis, diagnose } from './diagnosis/diagnose.ts';
import {
  type ClockAndRandom,
  Cooldowns,
  defaultRetryRules,
  RetryPlan,
  type RetryRules,
  realClockAndRandom,
  startWait,
} from './retry.ts';
import { fromTransportError } from './serviceError.ts';
import { defaultTimeLimits, type TimeLimits, Watchdog } from './timeouts.ts';
import type { NetworkOptions } from './transport/network.ts';
import { StackTransport } from './transport/stackTransport.ts';
import type { Transport } from './transport/transport.ts';
import { checkRequest, type WireRequest } from './wireRequest.ts';

export interface ServiceClientOptions {
  readonly logger: Logger;
  /** Such as `svc-coder/1.2.3`. */
  readonly userAgent: string;
  /** Asked with each request; a chat request may bring its own. */
  readonly limits?: () => Partial<TimeLimits>;
  /** Asked with each request. Direct connections unless told. */
  readonly network?: () => NetworkOptions;
  readonly rules?: Partial<RetryRules>;
  /** Bytes of one answer; 64 MiB unless told. */
  readonly maxAnswerBytes?: number;
  /** Another HTTP stack. */
  readonly transport?: Transport;
  readonly chance?: ClockAndRandom;
  /** All keys that are stored: none is shown, whatever address it is for. Asked with each request. */
  readonly storedKeys?: () => Promise<readonly string[]>;
}

export interface HealthResult {
  readonly status: number;
  readonly durationMs: number;
}

/**
 * What any part of the extension may ask of the service: none of it carries content. The request that does is ChatClient's, which only dispatch
 * (session/dispatch/dispatch.ts) gets. All throw ServiceError; all end at once when their signal aborts.
 */
export interface ServiceClient extends DisposableLike {
  /** Sends no key where there is none: whether one is required is not known. */
  health(endpoint: CheckedEndpoint, signal: AbortSignal): Promise<HealthResult>;
  /** Resolves where the service takes the key. */
  validateToken(endpoint: Endpoint, signal: AbortSignal): Promise<void>;
  /** At most 1,000 models, each once, in the service's order. */
  listModels(endpoint: Endpoint, signal: AbortSignal): Promise<readonly ModelEntry[]>;
  /** Goes the way of a request step by step and says where it fails; throws only where its signal aborts. */
  diagnose(endpoint: CheckedEndpoint, signal: AbortSignal): Promise<Diagnosis>;
  /** Ends what is running and closes all sockets. */
  dispose(): Promise<void>;
}

export type CheckedEndpoint = Pick<Endpoint, 'baseUrl'> & Partial<Endpoint>;

const maxModels = 1_000;
const maxModelIdChars = 200;
/** Some services list hundreds of models and dozens of facts of each. */
const maxListValues = 100_000;
/** A person waits for these; more than one retry would outlast their patience. */
const checkRetries = 1;
/** Nobody is shown a countdown of a check: what the service asks to wait longer than this is said instead, in ms. */
const longestCheckWaitMs = 1000;

/** Opens no socket until it is asked for something. */
export function createServiceClient(options: ServiceClientOptions): ServiceClient & ChatClient {
  const parts: ClientParts = {
    get limits() {
      return { ...defaultTimeLimits, ...options.limits?.() };
    },
    transport: options.transport ?? new StackTransport(options.network ?? (() => ({})), options.logger),
    cooldowns: new Cooldowns(),
    rules: { ...defaultRetryRules, ...options.rules },
    chance: options.chance ?? realClockAndRandom,
    logger: options.logger,
    userAgent: options.userAgent,
    maxAnswerBytes: options.maxAnswerBytes ?? defaultMaxAnswerBytes,
    storedKeys: options.storedKeys ?? (async () => []),
  };
  return {
    ...checksOf(parts),
    streamChat: (...about) => streamChat(parts, ...about),
    diagnose({ baseUrl, apiKey = '' }, signal) {
      const { transport, userAgent, logger, chance, storedKeys } = parts;
      const checksOver = (over: Transport): Checks => checksOf({ ...parts, transport: over });
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
        now: () => chance.now(),
      };
      return diagnose(about, { baseUrl, apiKey }, signal);
    },
    dispose: () => parts.transport.close(),
  };
}

type Checks = Pick<ServiceClient, 'health' | 'validateToken' | 'listModels'>;

function checksOf(parts: ClientParts): Checks {
  return {
    async health({ baseUrl, apiKey = '' }, signal) {
      const startedAt = performance.now();
      const { status } = await check(parts, { baseUrl, apiKey }, '/health', signal);
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

/** A GET, sent again once where the rules allow. */
async function check(
  parts: ClientParts,
  endpoint: Endpoint,
  path: WireRequest['path'],
  signal: AbortSignal,
): Promise<CheckResult> {
  const { cooldowns, chance, limits, userAgent } = parts;
  const request = checkRequest(endpoint.baseUrl, path, userAgent);
  const rules = {
    ...parts.rules,
    maxRetries: Math.min(checkRetries, parts.rules.maxRetries),
    longestWaitMs: Math.min(longestCheckWaitMs, parts.rules.longestWaitMs),
  };
  const deadline = chance.now() + limits.checkMs;
  const plan = new RetryPlan({ rules, cooldowns, chance, deadline, origin: new URL(request.url).origin });
  for (;;) {
    const watchdog = new Watchdog(signal);
    watchdog.start('check', deadline - chance.now());
    let delayMs: number;
    try {
      watchdog.signal.throwIfAborted();
      const filter = await filterFor(parts, endpoint.apiKey);
      const response = await sendOnce(parts, request, endpoint.apiKey, filter, watchdog);
      try {
        return { status: response.status, text: await readWhole(response), filter };
      } finally {
        response.destroy();
      }
    } catch (error) {
      const failure = fromTransportError(error);
      if (signal.aborted || failure.kind === 'aborted') throw abortedError();
      ({ delayMs } = plan.afterFailure(failure));
    } finally {
      watchdog.dispose();
    }
    await startWait(delayMs, signal).over;
  }
}

function parseModels(text: string, filter: KeyFilter): readonly ModelEntry[] {
  const parsed = modelListSchema.safeParse(readJson(text, maxListValues));
  if (!parsed.success) throw new ServiceError('protocol', 'The model list is not JSON.', { code: 'malformed' });
  const models = new Map<string, ModelEntry>();
  for (const entry of parsed.data.data) {
    const id = entry?.id?.trim() ?? '';
    if (id === '' || id.length > maxModelIdChars || models.size >= maxModels || models.has(id)) continue;
    // Without the key in it, it would be another id.
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
