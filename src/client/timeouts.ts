import { abortedError, ServiceError } from '../util/errors.ts';

/** All in milliseconds. */
export interface TimeLimits {
  /** Until the connection is up, TLS included. */
  readonly connectMs: number;
  /** From sending the request until the first delta. Of an answer that is not streamed nothing comes until all of it does. */
  readonly firstTokenMs: number;
  /** Between two reads once the answer flows; comments count as life. */
  readonly betweenBytesMs: number;
  /** All attempts and waits together, until the first delta. An answer that is not streamed may take longer; no wait may. */
  readonly attemptsMs: number;
  /** One answer, from its first byte to its last; from sending the request where it is not streamed. */
  readonly answerMs: number;
  /** A health check, token check or model list, its retry included. */
  readonly checkMs: number;
  /** How long usage, security or [DONE] may still come after a finish_reason. */
  readonly trailingMs: number;
  /** How long an error's body may take: its status has said the main thing already. */
  readonly errorBodyMs: number;
}

export const defaultTimeLimits: TimeLimits = {
  connectMs: 10_000,
  firstTokenMs: 60_000,
  betweenBytesMs: 60_000,
  attemptsMs: 120_000,
  answerMs: 600_000,
  checkMs: 15_000,
  trailingMs: 500,
  errorBodyMs: 2_000,
};

/** Which limit passed; the `code` of the time-out's ServiceError. */
export type LimitName = 'first-token' | 'stall' | 'attempts' | 'answer' | 'trailing' | 'check';

/**
 * The limits of one attempt. Its signal aborts with the ServiceError to throw: a time-out that names the limit, or
 * aborted when the user's signal did. It holds one listener on that signal until dispose().
 */
export class Watchdog {
  readonly #controller = new AbortController();
  readonly #timers = new Map<LimitName, NodeJS.Timeout>();
  readonly #parent: AbortSignal;
  #isAnswered = false;

  constructor(parent: AbortSignal) {
    this.#parent = parent;
    if (parent.aborted) this.#onParentAbort();
    else parent.addEventListener('abort', this.#onParentAbort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  start(limit: LimitName, ms: number): void {
    this.stop(limit);
    const expire = (): void => this.#controller.abort(timeoutError(limit, this.#isAnswered));
    this.#timers.set(limit, setTimeout(expire, Math.max(0, ms)));
  }

  /** Begins a running limit anew; does nothing for one that is not running. */
  restart(limit: LimitName): void {
    this.#timers.get(limit)?.refresh();
  }

  stop(limit: LimitName): void {
    clearTimeout(this.#timers.get(limit));
    this.#timers.delete(limit);
  }

  /** The service has begun to answer: another request would only double its work. */
  noteAnswered(): void {
    this.#isAnswered = true;
  }

  dispose(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
    this.#parent.removeEventListener('abort', this.#onParentAbort);
  }

  readonly #onParentAbort = (): void => this.#controller.abort(abortedError());
}

function timeoutError(limit: LimitName, isAnswered: boolean): ServiceError {
  // A service that said nothing at all within the limit may not have got the request, and may do so at the second try.
  return new ServiceError('timeout', `Time limit passed: ${limit}.`, {
    code: limit,
    isRetryable: limit === 'first-token' && !isAnswered,
  });
}
