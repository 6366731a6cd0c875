/** The time in milliseconds after which the user is told how long an answer takes. */
const longWait = 10_000;
/** The time in milliseconds after which the speed of an answer is known. */
const sampleTime = 1_000;
/** The unit in seconds to which the remaining time is rounded, so that it does not change with every word. */
const step = 5;

/** The progress of an answer that takes long: the remaining seconds, or `arriving` if they are unknown. */
export type Progress = { readonly secondsLeft: number } | 'arriving';

/** Estimates how long an answer will take, from its expected length and its own speed so far. */
export class AnswerTime {
  readonly #from: number;
  readonly #expected: number | null;
  /** The time at which the first text arrived, and its length. */
  #first: { readonly at: number; readonly characters: number } | null = null;
  #isLong = false;

  /** `from`: the time of the request in milliseconds. `expected`: the number of characters of the answer, or null if unknown. */
  constructor(from: number, expected: number | null) {
    this.#from = from;
    this.#expected = expected;
  }

  /**
   * Returns the progress of an answer with this number of characters now, or null if it does not take long or if that
   * is not known yet.
   */
  at(characters: number, now: number): Progress | null {
    if (characters === 0) return null;
    this.#first ??= { at: now, characters };
    const seen = now - this.#first.at;
    const speed = (characters - this.#first.characters) / seen;
    const isKnown = this.#expected !== null && characters < this.#expected && seen >= sampleTime && speed > 0;
    const remaining = isKnown ? (Number(this.#expected) - characters) / speed : 0;
    this.#isLong ||= now - this.#from + remaining > longWait;
    if (!this.#isLong) return null;
    return isKnown ? { secondsLeft: Math.max(step, Math.ceil(remaining / 1_000 / step) * step) } : 'arriving';
  }
}
