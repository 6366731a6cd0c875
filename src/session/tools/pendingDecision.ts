import { abortedError } from '../../util/errors.ts';
import { orAborted } from '../../util/orAborted.ts';

/** A decision of the user that one run waits for, any number of times. */
export class PendingDecision<T> {
  #answer: ((answer: T) => void) | null = null;

  /** The user's answer; no effect if nothing is pending. */
  answer(answer: T): void {
    this.#answer?.(answer);
  }

  /** Waits for answer(); throws a ServiceError (`aborted`) if the signal aborts first. */
  async wait(signal: AbortSignal): Promise<T> {
    if (signal.aborted) throw abortedError();
    const { promise, resolve } = Promise.withResolvers<T>();
    this.#answer = resolve;
    try {
      return await orAborted(promise, signal);
    } finally {
      this.#answer = null;
    }
  }
}
