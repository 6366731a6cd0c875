/** Milliseconds after which the user is told how long an answer takes. */
const long = 10_000;
/** Milliseconds of an answer that tell its speed. */
const sample = 1_000;
/** Seconds to which the rest is rounded, so that it does not change with every word. */
const step = 5;

/** The progress of an answer that takes long: the seconds that are left, or `arriving` if they are unknown. */
export type Progress = { readonly secondsLeft: number } | 'arriving';

/** Tells how long an answer will take, by its expected length and by its own speed so far. */
export class AnswerTime {
  readonly #from: number;
  readonly #expected: number | null;
  /** When the first text came, and how much of it. */
  #first: { readonly at: number; readonly characters: number } | null = null;
  #isLong = false;

  /** `from`: when it was asked for, in milliseconds. `expected`: the number of its characters; null if unknown. */
  constructor(from: number, expected: number | null) {
    this.#from = from;
    this.#expected = expected;
  }

  /** The progress of an answer with so many characters now; null if it does not take long, or that is not known yet. */
  at(characters: number, now: number): Progress | null {
    if (characters === 0) return null;
    this.#first ??= { at: now, characters };
    const seen = now - this.#first.at;
    const speed = (characters - this.#first.characters) / seen;
    const isKnown = this.#expected !== null && characters < this.#expected && seen >= sample && speed > 0;
    const left = isKnown ? (Number(this.#expected) - characters) / speed : 0;
    this.#isLong ||= now - this.#from + left > long;
    if (!this.#isLong) return null;
    return isKnown ? { secondsLeft: Math.max(step, Math.ceil(left / 1_000 / step) * step) } : 'arriving';
  }
}
