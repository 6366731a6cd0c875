import { backoffMs } from '../../../client/retry.ts';
import { isFrom, type KindFrom } from '../../../util/errorKinds.ts';
import { asServiceError, ServiceError } from '../../../util/errors.ts';

export interface DeliveryFailure {
  readonly error: ServiceError;
  /** The reason for the log: an HTTP status, a code of the system, or a word; never a part of an answer. */
  readonly why: string;
  /** The number of failures since the last success. */
  readonly count: number;
  /** The time of the next attempt in milliseconds since the epoch. */
  readonly until: number;
  /** The time before which there is no attempt, even if a request waits; in milliseconds since the epoch. */
  readonly notBefore: number;
}

interface FailureTimes {
  /** The first wait; it doubles with each further failure. */
  readonly baseMs: number;
  /** The maximum wait after a failure; also the wait after a failure that a retry cannot resolve. */
  readonly maxMs: number;
}

/** The time in milliseconds in which a request that waits gets the same failure, without a new attempt. */
const minWaitMs = 1_000;

export function failureAfter(
  thrown: unknown,
  count: number,
  now: number,
  { baseMs, maxMs }: FailureTimes,
): DeliveryFailure {
  const error = failureOf(thrown);
  const rules = { maxRetries: 0, baseMs, maxMs, jitterMs: 0, longestWaitMs: maxMs };
  const backoff = backoffMs(isTransient(error) ? count - 1 : Number.MAX_SAFE_INTEGER, rules, Math.random);
  // A collector can ask for a longer wait, but it is not honored beyond the maximum.
  const askedMs = Math.min(error.retryAfterMs ?? 0, maxMs);
  return {
    error,
    why: reasonOf(error),
    count,
    until: now + Math.max(backoff, askedMs),
    notBefore: now + Math.max(Math.min(minWaitMs, backoff), askedMs),
  };
}

/** Whether the error is transient: a retry may succeed. */
function isTransient(error: ServiceError): boolean {
  if (error.status !== undefined) return [429, 502, 503, 504].includes(error.status);
  return isFrom(error, 'machine') || (isFrom(error, 'transport') && isTransientByKind[error.kind]);
}

const isTransientByKind: Readonly<Record<KindFrom<'transport'>, boolean>> = {
  network: true,
  timeout: true,
  interrupted: true,
  server: false,
  proxy: false,
  certificate: false,
  protocol: false,
};

/** The thrown error as a ServiceError; an error of the system keeps its code. */
function failureOf(thrown: unknown): ServiceError {
  const error = asServiceError(thrown);
  const { code: externalCode } = (thrown ?? {}) as { readonly code?: unknown };
  const isOfSystem =
    error.kind === 'internal' && typeof externalCode === 'string' && /^[A-Z_]{2,40}$/.test(externalCode);
  return isOfSystem ? new ServiceError('storage', `Error of the system: ${externalCode}.`, { externalCode }) : error;
}

function reasonOf(error: ServiceError): string {
  if (error.kind === 'timeout') return 'ETIMEDOUT';
  if (error.status !== undefined) return error.code === 'redirect' ? `${error.status} redirect` : String(error.status);
  return error.code ?? error.externalCode ?? error.kind;
}
