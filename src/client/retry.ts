import type { ServiceError } from '../util/errors.ts';
import type { ResponseHeaders } from './exchange.ts';

/** Times in milliseconds. */
export interface RetryRules {
  readonly maxRetries: number;
  /** The first wait without advice from the service is at most this long, the next one twice that, ... */
  readonly baseMs: number;
  /** ... up to this. */
  readonly maxMs: number;
  /** Added at random to a wait that the service asks for, so that clients do not come back all at once. */
  readonly jitterMs: number;
  /** A longer wait than this is left to the user. */
  readonly longestWaitMs: number;
}

export const defaultRetryRules: RetryRules = {
  maxRetries: 3,
  baseMs: 500,
  maxMs: 8_000,
  jitterMs: 250,
  longestWaitMs: 60_000,
};

/** The clock (epoch, ms) and the dice; tests bring their own. */
export interface ClockAndRandom {
  now(): number;
  /** In [0, 1). */
  random(): number;
}

export const realClockAndRandom: ClockAndRandom = { now: Date.now, random: Math.random };

/**
 * How long the response asks us to wait: Retry-After-Ms, else Retry-After in seconds (decimals too), else as a date,
 * which is measured against the response's own Date because our clock may be wrong. Where a header says it several
 * times, as it does behind some gateways, the longest wait counts. What is none, a negative number too, is no advice.
 */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const milliseconds = longest(headers['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const seconds = longest(headers['retry-after']);
  if (seconds !== undefined) return seconds * 1000;
  const dates = valuesOf(headers['retry-after']).flatMap((value) => value.match(httpDate) ?? []);
  const until = Math.max(...dates.map((date) => Date.parse(date)).filter((time) => !Number.isNaN(time)));
  if (!Number.isFinite(until)) return undefined;
  const sentAt = Date.parse(valuesOf(headers.date)[0] ?? '');
  return Math.max(0, until - (Number.isNaN(sentAt) ? now : sentAt));
}

/** Each date of a list; Date.parse alone takes `1,1` for one, of the year 2001. */
const httpDate = /[a-z]+,? [^,]*\d\d:\d\d:\d\d[^,]*|\d{4}-\d\d-\d\dT[^,]*/gi;

/** undici gives a header that came twice as an array. */
function valuesOf(value: ResponseHeaders[string]): readonly string[] {
  return value === undefined ? [] : [value].flat();
}

function longest(value: ResponseHeaders[string]): number | undefined {
  const words = valuesOf(value).flatMap((one) => one.split(','));
  const numbers = words.filter((word) => /^\s*\d+(\.\d*)?\s*$/.test(word)).map(Number);
  return numbers.length === 0 ? undefined : Math.min(Number.MAX_SAFE_INTEGER, Math.max(...numbers));
}

/** What a service asks of all who talk to it: until when to hold requests to an origin, and because of what. */
export class Cooldowns {
  readonly #byOrigin = new Map<string, { readonly until: number; readonly error: ServiceError }>();

  note(origin: string, until: number, error: ServiceError): void {
    if (until > (this.#byOrigin.get(origin)?.until ?? 0)) this.#byOrigin.set(origin, { until, error });
  }

  end(origin: string): void {
    this.#byOrigin.delete(origin);
  }

  current(origin: string, now: number): { readonly leftMs: number; readonly error: ServiceError } | undefined {
    const cooldown = this.#byOrigin.get(origin);
    if (cooldown === undefined) return undefined;
    // A timer may fire a little early; that must not show a second countdown of a millisecond.
    if (cooldown.until - now > 20) return { leftMs: cooldown.until - now, error: cooldown.error };
    this.#byOrigin.delete(origin);
    return undefined;
  }
}

export interface RetryPlanOptions {
  readonly rules: RetryRules;
  readonly cooldowns: Cooldowns;
  readonly origin: string;
  /** Epoch, ms: no wait may end after it. */
  readonly deadline: number;
  readonly chance: ClockAndRandom;
}

export interface PlannedWait {
  /** The attempt that follows: 0 the first of all, which waits only where a parallel request was told to. */
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

  /** The wait before sending again; throws the failure itself where nothing is sent again. */
  afterFailure(failure: ServiceError): PlannedWait {
    const { rules, cooldowns, origin, chance } = this.#options;
    if (!failure.isRetryable || this.#attempt >= rules.maxRetries) throw failure;
    if (failure.kind === 'timeout') {
      if (this.#hadTimeout) throw failure;
      this.#hadTimeout = true;
    }
    const delayMs =
      failure.retryAfterMs === undefined
        ? backoffMs(this.#attempt, rules, chance.random)
        : failure.retryAfterMs + chance.random() * rules.jitterMs;
    if ((failure.retryAfterMs ?? 0) > rules.longestWaitMs || this.#isPastDeadline(delayMs)) throw failure;
    if (failure.kind === 'rateLimit' || failure.retryAfterMs !== undefined) {
      cooldowns.note(origin, chance.now() + delayMs, failure);
    }
    this.#attempt += 1;
    return { attempt: this.#attempt, delayMs, error: failure };
  }

  /**
   * The wait that a parallel request's answer imposes on this one, if there is any; throws what that request was told
   * where the wait would take too long.
   */
  cooldown(): PlannedWait | undefined {
    const { cooldowns, origin, chance, rules } = this.#options;
    const current = cooldowns.current(origin, chance.now());
    if (current === undefined) return undefined;
    const delayMs = current.leftMs + chance.random() * rules.jitterMs;
    if (this.#isPastDeadline(delayMs)) throw current.error;
    return { attempt: this.#attempt, delayMs, error: current.error };
  }

  /** Nothing has to wait for the service any more. */
  endCooldown(): void {
    this.#options.cooldowns.end(this.#options.origin);
  }

  #isPastDeadline(delayMs: number): boolean {
    return this.#options.chance.now() + delayMs > this.#options.deadline;
  }
}

/** d/2 + random(d/2), with d = min(maxMs, baseMs x 2^n). */
export function backoffMs(n: number, { baseMs, maxMs }: RetryRules, random: () => number): number {
  const d = Math.min(maxMs, baseMs * 2 ** n);
  return d / 2 + random() * (d / 2);
}

export interface Wait {
  /** Resolves when the time is over, at retryNow() or when the signal aborts. */
  readonly over: Promise<'elapsed' | 'cut-short'>;
  readonly retryNow: () => void;
}

/** Starts at once. It never rejects: nobody may be listening yet when a person cancels. */
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
  return { over: promise, retryNow };
}
