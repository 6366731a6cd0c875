/** The pause in milliseconds after which typing is treated as a new start. */
const idle = 1_000;
/**
 * The number of intervals that are remembered, and the interval that is assumed before there are any, in milliseconds.
 */
const maxIntervals = 8;
const usualInterval = 200;
/** The number of characters that the user must type of a completion before it is treated as useful. */
export const usefulLength = 4;

/** The wait in milliseconds from a keystroke, as VS Code reports it, to a request that is likely to be useful. */
const minWait = 40;
/** The range in milliseconds of the wait after one useless request. */
const shortWait = { min: minWait, max: 350 };
/** The range of the wait after several useless requests. A slow typist pauses for longer than its upper limit. */
const longWait = { min: 250, max: 600 };
/** The time in milliseconds after which a request is treated as a new attempt. */
const forgetAfter = 6_000;

/**
 * Decides how long to wait for further typing before a request. The first request is sent almost immediately, because it
 * continues while the user types text that it may answer. If the answers were useless, the next request waits until the user
 * pauses, measured by the usual interval between two of their keystrokes.
 */
export class TypingRhythm {
  #intervals: readonly number[] = [];
  #typed = Number.NEGATIVE_INFINITY;
  #asked = Number.NEGATIVE_INFINITY;
  /** The number of requests since the last useful one. */
  #useless = 0;

  typed(now: number): void {
    const interval = now - this.#typed;
    this.#typed = now;
    if (interval >= idle) this.#useless = 0;
    else this.#intervals = [...this.#intervals, interval].slice(-maxIntervals);
  }

  asked(now: number): void {
    this.#asked = now;
    this.#useless += 1;
  }

  /** Called when the user has typed at least `usefulLength` characters of a completion, or accepted them. */
  followed(): void {
    this.#useless = 0;
  }

  /**
   * Milliseconds from the last keystroke to a request. At the beginning of a line, a request is always likely to be
   * useful.
   */
  wait(now: number, isLineStart: boolean): number {
    if (isLineStart || this.#useless === 0 || now - this.#asked >= forgetAfter) return minWait;
    const interval = this.#usual();
    if (this.#useless === 1) return clamp(1.5 * interval, shortWait);
    return clamp(3 * interval, { min: longWait.min, max: Math.max(longWait.max, 1.3 * interval) });
  }

  /** The usual interval: the median of the last ones. */
  #usual(): number {
    const sorted = this.#intervals.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? usualInterval;
  }
}

function clamp(value: number, range: { readonly min: number; readonly max: number }): number {
  return Math.min(Math.max(value, range.min), range.max);
}
