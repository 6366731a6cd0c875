import type { ChosenLimits } from '../policy/timeLimits.ts';
import { abortedError, type ErrorCode, ServiceError } from '../util/errors.ts';

/** The time limits of a request in milliseconds. */
export interface TimeLimits extends ChosenLimits {
  /** The limit for a health check, token check or model list, its retry included. */
  readonly checkMs: number;
  /** The time after a finish_reason in which usage, security or [DONE] may arrive. */
  readonly trailingMs: number;
  /**
   * The maximum gap between chunks when it is unclear where the answer ends: text followed a finish_reason, or no text
   * preceded it.
   */
  readonly unclearEndMs: number;
  /** The limit for the body of an error: its status already gives the main information. */
  readonly errorBodyMs: number;
}

export const defaultTimeLimits: TimeLimits = {
  connectMs: 10_000,
  firstTokenMs: 60_000,
  betweenBytesMs: 60_000,
  attemptsMs: 120_000,
  answerMs: 600_000,
  checkMs: 15_000,
  trailingMs: 1_500,
  unclearEndMs: 10_000,
  errorBodyMs: 2_000,
};

/** The name of a limit, which is the `code` of the timeout's ServiceError. */
type LimitName = Exclude<ErrorCode<'timeout'>, 'names' | 'host-stack'>;

/**
 * The limits of one attempt. Its signal aborts with the ServiceError to throw: a timeout that names the limit, or
 * `aborted` if the user's signal aborted. It holds one listener on that signal until dispose().
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

  /** Restarts a running limit; does nothing for a limit that is not running. */
  restart(limit: LimitName): void {
    this.#timers.get(limit)?.refresh();
  }

  stop(limit: LimitName): void {
    clearTimeout(this.#timers.get(limit));
    this.#timers.delete(limit);
  }

  /** Call this when the service has begun to answer: another request would only double its work. */
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
  // A service that sent nothing within the limit may not have received the request; a second attempt may reach it.
  return new ServiceError('timeout', `Time limit exceeded: ${limit}.`, {
    code: limit,
    isRetryable: limit === 'first-token' && !isAnswered,
  });
}
