import { abortedError } from '../../util/errors.ts';
import { orAborted } from '../../util/orAborted.ts';

/** The number of questions in this window. No two have the same number: a turn that is asked again keeps its id. */
let questions = 0;

/** A decision of the user that one run waits for, any number of times. */
export class PendingDecision<T> {
  #answer: ((answer: T) => void) | null = null;

  #asked = 0;

  /** Returns the number of a new question, which is shown with it. */
  number(): number {
    questions += 1;
    this.#asked = questions;
    return questions;
  }

  /** The user's answer to the question with this number; no effect if another one is pending, or none. */
  answer(asked: number, answer: T): void {
    if (asked === this.#asked) this.#answer?.(answer);
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
