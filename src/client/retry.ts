import type { ServiceError } from '../util/errors.ts';
import type { ResponseHeaders } from './exchange.ts';

/** The rules for retries; all times are in milliseconds. */
export interface RetryRules {
  readonly maxRetries: number;
  /** The upper bound of the first wait if the service gives no advice; it doubles with each further wait. */
  readonly baseMs: number;
  /** The maximum to which that upper bound grows. */
  readonly maxMs: number;
  /** The maximum random addition to a wait that the service requests, so that clients do not all return at the same time. */
  readonly jitterMs: number;
  /** The longest wait that is made automatically; a longer one is left to the user. */
  readonly longestWaitMs: number;
}

export const defaultRetryRules: RetryRules = {
  maxRetries: 3,
  baseMs: 500,
  maxMs: 8_000,
  jitterMs: 250,
  longestWaitMs: 60_000,
};

/** The clock, in milliseconds since the epoch, and the source of random numbers; tests provide their own. */
export interface ClockAndRandom {
  now(): number;
  /** A random number in [0, 1). */
  random(): number;
}

export const realClockAndRandom: ClockAndRandom = { now: Date.now, random: Math.random };

/**
 * The wait that the response requests: Retry-After-Ms, otherwise Retry-After in seconds (decimals too), otherwise as a date,
 * measured against the response's own Date because our clock may be wrong. If a header occurs several times, as behind some
 * gateways, the longest wait is used. Invalid values, including negative numbers, are ignored.
 */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  // Azure uses both names.
  const milliseconds = largestNumber(headers['retry-after-ms']) ?? largestNumber(headers['x-ms-retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const seconds = largestNumber(headers['retry-after'], /s?$/i);
  if (seconds !== undefined) return seconds * 1000;
  const dates = valuesOf(headers['retry-after']).flatMap((value) => value.match(httpDate) ?? []);
  const until = Math.max(...dates.map((date) => Date.parse(date)).filter((time) => !Number.isNaN(time)));
  if (!Number.isFinite(until)) return undefined;
  const sentAt = Date.parse(valuesOf(headers.date)[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt));
}

/** Matches each date of a list; Date.parse alone reads `1,1` as a date in 2001. */
const httpDate = /[a-z]+,? [^,]*\d\d:\d\d:\d\d[^,]*|\d{4}-\d\d-\d\dT[^,]*/gi;

/** The values of a header: undici returns a repeated header as an array. */
function valuesOf(value: ResponseHeaders[string]): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

/** Returns the largest number in a header. @param unit a pattern for the text after a number: some gateways write `20s`. */
function largestNumber(value: ResponseHeaders[string], unit = /$/): number | undefined {
  const words = valuesOf(value).flatMap((one) => one.split(',').map((word) => word.trim().replace(unit, '')));
  const numbers = words.filter((word) => /^\s*\d+(\.\d*)?\s*$/.test(word)).map(Number);
  return numbers.length === 0 ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(...numbers));
}

/**
 * The waits that a service imposes on all its clients: the time until which requests to an origin are held, and the error that
 * caused the wait.
 */
export class Cooldowns {
  readonly #byOrigin = new Map<string, { readonly until: number; readonly error: ServiceError }>();

  note(origin: string, until: number, error: ServiceError): void {
    if (until > (this.#byOrigin.get(origin)?.until ?? 0)) this.#byOrigin.set(origin, { until, error });
  }

  end(origin: string): void {
    this.#byOrigin.delete(origin);
  }

  get isEmpty(): boolean {
    return this.#byOrigin.size === 0;
  }

  current(origin: string, now: number): { readonly leftMs: number; readonly error: ServiceError } | undefined {
    const cooldown = this.#byOrigin.get(origin);
    if (cooldown === undefined) return undefined;
    // A timer may fire slightly early; that must not show a second countdown of a millisecond.
    if (cooldown.until - now > 20) return { leftMs: cooldown.until - now, error: cooldown.error };
    this.#byOrigin.delete(origin);
    return undefined;
  }
}

interface RetryPlanOptions {
  readonly rules: RetryRules;
  readonly cooldowns: Cooldowns;
  readonly url: string;
  /** The time in milliseconds since the epoch after which no wait may end. */
  readonly deadline: number;
  readonly clockAndRandom: ClockAndRandom;
}

export interface PlannedWait {
  /** The number of the attempt that follows; 0 is the first, which waits only for a cooldown imposed on a parallel request. */
  readonly attempt: number;
  readonly delayMs: number;
  readonly error: ServiceError;
}

/** Decides, for one request, whether and when it is sent again. */
export class RetryPlan {
  readonly #options: RetryPlanOptions;
  #attempt = 0;
  #hadTimeout = false;

  constructor(options: RetryPlanOptions) {
    this.#options = options;
  }

  /** Returns the wait before the next attempt; throws the failure if there must be no further attempt. */
  afterFailure(failure: ServiceError): PlannedWait {
    const { rules, cooldowns, clockAndRandom } = this.#options;
    if (!failure.isRetryable || this.#attempt >= rules.maxRetries) throw failure;
    if (failure.kind === 'timeout') {
      if (this.#hadTimeout) throw failure;
      this.#hadTimeout = true;
    }
    const delayMs =
      failure.retryAfterMs === undefined
        ? backoffMs(this.#attempt, rules, clockAndRandom.random)
        : failure.retryAfterMs + clockAndRandom.random() * rules.jitterMs;
    if ((failure.retryAfterMs ?? 0) > rules.longestWaitMs || this.#isPastDeadline(delayMs)) throw failure;
    if (failure.kind === 'rateLimit' || failure.retryAfterMs !== undefined) {
      cooldowns.note(this.#origin, clockAndRandom.now() + delayMs, failure);
    }
    this.#attempt += 1;
    return { attempt: this.#attempt, delayMs, error: failure };
  }

  /**
   * Returns the wait that a parallel request's answer imposes on this one, if any; throws that answer's error if the
   * wait would take too long.
   */
  cooldown(): PlannedWait | undefined {
    const { cooldowns, clockAndRandom, rules } = this.#options;
    if (cooldowns.isEmpty) return undefined;
    const current = cooldowns.current(this.#origin, clockAndRandom.now());
    if (current === undefined) return undefined;
    const delayMs = current.leftMs + clockAndRandom.random() * rules.jitterMs;
    if (this.#isPastDeadline(delayMs)) throw current.error;
    return { attempt: this.#attempt, delayMs, error: current.error };
  }

  /** Ends the cooldown: no request has to wait for the service any more. */
  endCooldown(): void {
    this.#options.cooldowns.end(this.#origin);
  }

  get #origin(): string {
    return new URL(this.#options.url).origin;
  }

  #isPastDeadline(delayMs: number): boolean {
    return this.#options.clockAndRandom.now() + delayMs > this.#options.deadline;
  }
}

/** Returns d/2 + random(d/2), with d = min(maxMs, baseMs x 2^n). */
export function backoffMs(n: number, { baseMs, maxMs }: RetryRules, random: () => number): number {
  const d = Math.min(maxMs, baseMs * 2 ** n);
  return d / 2 + random() * (d / 2);
}

interface Wait {
  /** Resolves when the time has elapsed, at retryNow() or when the signal aborts. */
  readonly ended: Promise<'elapsed' | 'cut-short'>;
  readonly retryNow: () => void;
}

/** Starts a wait immediately. The wait never rejects: there may be no listener yet when the user cancels. */
export function startWait(ms: number, signal: AbortSignal): Wait {
  const { promise, resolve } = Promise.withResolvers<'elapsed' | 'cut-short'>();
  const settle = (how: 'elapsed' | 'cut-short'): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', retryNow);
    resolve(how);
  };
  const retryNow = (): void => settle('cut-short');
  const timer = setTimeout(() => settle('elapsed'), ms);
  signal.addEventListener('abort', retryNow, { once: true });
  if (signal.aborted) retryNow();
  return { ended: promise, retryNow };
}
