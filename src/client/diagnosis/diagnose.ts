import { abortedError, codeOf, isServiceError, ServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import { orAborted } from '../../util/orAborted.ts';
import { redactor } from '../../util/text/redact.ts';
import { keyFilter } from '../answer/withoutKey.ts';
import type { Endpoint, ModelEntry } from '../chat.ts';
import { localIdentity } from '../localIdentity.ts';
import { fromTransportError } from '../serviceError.ts';
import type { NetworkOptions } from '../transport/network.ts';
import { findRoute, type Route, routeFor } from '../transport/route.ts';
import type { Transport } from '../transport/transport.ts';
import { chatHeaders } from '../wireRequest.ts';
import { probeConnection } from './connectionProbe.ts';
import { changeTexts, type Facts, type FactValue } from './facts.ts';
import { type Cause, likelyCause, type NotTried, type Step, type StepError, type StepName } from './likelyCause.ts';
import { nameFacts } from './nameFacts.ts';

/** A report on the connection to the service. Redacted: see Step. */
export interface Diagnosis {
  readonly cause: Cause;
  readonly steps: readonly Step[];
  /** The headers of each chat request, except for the headers of its policy; a placeholder replaces the key. */
  readonly headers: readonly (readonly [name: string, value: FactValue])[];
}

/** The three calls that carry no content. */
interface Checks {
  health(endpoint: Endpoint, signal: AbortSignal): Promise<{ readonly status: number }>;
  validateToken(endpoint: Endpoint, signal: AbortSignal): Promise<void>;
  listModels(endpoint: Endpoint, signal: AbortSignal): Promise<readonly ModelEntry[]>;
}

interface DiagnosisParts {
  readonly network: () => NetworkOptions;
  readonly transport: Transport;
  /** The service's calls over the given transport. */
  readonly checksOver: (transport: Transport) => Checks;
  readonly connectMs: number;
  readonly userAgent: string;
  readonly logger: Logger;
  /** All stored keys: the diagnosis shows none of them. */
  readonly storedKeys: () => Promise<readonly string[]>;
  /** The current time in milliseconds. */
  readonly now: () => number;
}

interface Found {
  readonly facts: Facts;
  readonly error?: ServiceError | StepError;
}

/** The maximum clock difference in milliseconds; with a larger one, certificates and signed tokens fail. */
const maxSkewMs = 5 * 60_000;

/**
 * Runs the stages of a request step by step. A failed step is a result, not an error; throws only ServiceError
 * (aborted). Without a key, /auth/token and /models are not called.
 */
export async function diagnose(parts: DiagnosisParts, endpoint: Endpoint, signal: AbortSignal): Promise<Diagnosis> {
  const { network, connectMs, logger, now } = parts;
  const steps: Step[] = [];
  const take = async <T extends Found>(step: StepName, work: () => T | Promise<T>): Promise<T | Found> => {
    const startedAt = performance.now();
    const found = await cancellable(work, signal);
    const durationMs = Math.round(performance.now() - startedAt);
    const { error, facts } = found;
    steps.push({
      step,
      state: error === undefined ? 'ok' : 'failed',
      durationMs,
      facts,
      ...(error === undefined ? {} : { error: stepError(error) }),
    });
    return found;
  };
  const leaveOut = (step: StepName, why: NotTried, error?: StepError): void => {
    steps.push({ step, state: 'not-tried', why, durationMs: 0, facts: {}, ...(error === undefined ? {} : { error }) });
  };

  const url = new URL(`${endpoint.baseUrl}/health`);
  const routeResult = await take('route', async () => {
    const options = network();
    const route = await findRoute(url, options, signal);
    return { ...routeFacts(url, route, options), way: { network: options, route } };
  });
  if (!('way' in routeResult)) {
    for (const step of ['names', 'connection', 'health', 'token', 'models', 'clock'] as const) {
      leaveOut(step, 'settings');
    }
  } else {
    const target = { url, ...routeResult.way, connectMs, logger, now: now() };
    await take('names', () => nameFacts(target, signal));
    await take('connection', () => probeConnection(target));
    await askService(parts, endpoint, { take, leaveOut }, signal);
  }

  const secrets = [endpoint.apiKey, ...(await parts.storedKeys())];
  const filter = keyFilter(secrets);
  const redact = redactor({ secrets, ...localIdentity() });
  const clean = (text: string): string => redact(filter.text(text));
  return {
    cause: likelyCause(steps),
    steps: steps.map((step) => cleanStep(step, clean)),
    headers: [
      ['Authorization', { is: endpoint.apiKey === '' ? 'no-key' : 'stored-key' }],
      ...chatHeaders(parts.userAgent, true),
    ],
  };
}

interface Recorder {
  readonly take: (step: StepName, work: () => Found | Promise<Found>) => Promise<Found>;
  readonly leaveOut: (step: StepName, why: NotTried, error?: StepError) => void;
}

async function askService(
  { transport, checksOver, now }: DiagnosisParts,
  endpoint: Endpoint,
  { take, leaveOut }: Recorder,
  signal: AbortSignal,
): Promise<void> {
  let skewMs: number | undefined;
  const checks = checksOver({
    // The Date header of any response, even a refusal, gives the server's time.
    async request(init) {
      const sentAt = now();
      const response = await transport.request(init);
      const date = Date.parse(String(response.headers.date ?? ''));
      // Date is truncated to seconds, so half a second later is the best estimate; the answer is assumed to be made halfway.
      if (!Number.isNaN(date)) skewMs ??= (sentAt + now()) / 2 - (date + 500);
      return response;
    },
    close: async () => {},
  });
  const health = await take('health', async () => {
    const { status } = await checks.health(endpoint, signal);
    return { facts: { status: String(status) } };
  });
  const isReached = health.error === undefined || health.error.status !== undefined;
  if (!isReached) leaveOut('token', 'no-answer');
  else if (endpoint.apiKey === '') leaveOut('token', 'no-key', noKey);
  else {
    await take('token', async () => {
      await checks.validateToken(endpoint, signal);
      return { facts: { key: { is: 'accepted' } } };
    });
  }
  if (!isReached) leaveOut('models', 'no-answer');
  else if (endpoint.apiKey === '') leaveOut('models', 'no-key');
  else {
    await take('models', async () => {
      const models = await checks.listModels(endpoint, signal);
      return { facts: { models: String(models.length) } };
    });
  }
  if (skewMs === undefined) {
    leaveOut('clock', isReached ? 'no-time' : 'no-answer');
    return;
  }
  const facts: Facts = { 'clock-ahead': { is: 'seconds', count: String(Math.round(skewMs / 1000)) } };
  const isWrong = Math.abs(skewMs) > maxSkewMs;
  await take('clock', () => (isWrong ? { facts, error: clockError } : { facts }));
}

const noKey: StepError = { kind: 'auth', code: 'no-key', status: undefined, requestId: undefined };
const clockError: StepError = { kind: 'clock', code: 'clock-skew', status: undefined, requestId: undefined };

/** Returns the work's result, with a failure as part of it. Throws only on a cancel, and immediately. */
async function cancellable<T extends Found>(work: () => T | Promise<T>, signal: AbortSignal): Promise<T | Found> {
  if (signal.aborted) throw abortedError();
  try {
    return await orAborted(Promise.resolve().then(work), signal);
  } catch (error) {
    if (signal.aborted) throw abortedError();
    const failure = fromTransportError(error);
    return { facts: errorFacts(failure), error: failure };
  }
}

/** The facts of an error, without the service's own text, which may quote the request. */
function errorFacts(error: ServiceError): Facts {
  const { host, file } = error;
  const reason = reasonOf(error);
  return {
    ...(host === undefined ? {} : { host }),
    ...(file === undefined ? {} : { file }),
    ...(reason === undefined || reason === '' ? {} : { reason }),
  };
}

function reasonOf(error: ServiceError): string | undefined {
  if (error.kind === 'certificate') return error.details.fileFault ?? error.reason;
  return error.kind === 'proxy' ? error.details.schemes?.join(', ') : error.reason;
}

function stepError(error: ServiceError | StepError): StepError {
  const { kind, status, requestId } = error;
  return { kind, code: isServiceError(error) ? codeOf(error) : error.code, status, requestId };
}

function routeFacts(url: URL, route: Route, options: NetworkOptions): Found {
  const { stack = 'auto', httpProxy = '' } = options;
  const facts = { to: url.host, stack };
  switch (route.via) {
    case 'direct':
    case 'system':
      return { facts: { ...facts, via: { is: 'direct' } } };
    case 'proxy': {
      const isSystems = routeFor(url, options).via === 'system';
      const isSetting = !isSystems && httpProxy.trim() !== '';
      const namedBy: FactValue = isSetting
        ? 'http.proxy'
        : { is: isSystems ? 'named-by-system' : 'named-by-environment' };
      const { host, protocol, username } = route.proxy;
      const signIn: FactValue = { is: username === '' ? 'no-user-name' : 'with-user-name' };
      return { facts: { ...facts, via: `${protocol}//${host}`, 'named-by': namedBy, 'sign-in': signIn } };
    }
    case 'unusable': {
      const { code, host } = route;
      return {
        facts: { ...facts, via: { is: 'unusable-proxy', ...(host === undefined ? {} : { host }) } },
        error: new ServiceError('proxy', `The proxy cannot be used: ${code}.`, { code }),
      };
    }
  }
}

function cleanStep({ facts, error, ...step }: Step, clean: (text: string) => string): Step {
  const entries = Object.entries(facts).map(([name, value]) => [
    name,
    changeTexts(value, (one) => clean(oneLine(one))),
  ]);
  const text = (value: string | undefined): string | undefined => (value === undefined ? undefined : clean(value));
  return {
    ...step,
    facts: Object.fromEntries(entries),
    ...(error === undefined ? {} : { error: { ...error, code: text(error.code), requestId: text(error.requestId) } }),
  };
}

/** Returns one line of visible text, because a certificate may contain any text. */
function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, 500);
}
