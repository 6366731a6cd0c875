import { abortedError } from '../../util/errors.ts';
import { orAborted } from '../../util/orAborted.ts';

/** A question to the user that one run waits for, as often as there is something to ask. */
export class PendingDecision<T> {
  #answer: ((answer: T) => void) | null = null;

  /** The user's answer; without effect where nothing is asked. */
  answer(answer: T): void {
    this.#answer?.(answer);
  }

  /** Waits for answer(); throws a ServiceError (`aborted`) where the signal comes first. */
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
