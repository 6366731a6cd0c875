/** Milliseconds without typing after which typing begins anew. */
const idle = 1_000;
/** The number of intervals that are remembered, and the assumed one before there are any. */
const most = 8;
const usualInterval = 200;
/** A completion of which the user has typed so many characters was of use. */
export const ofUse = 4;

/** Milliseconds from a keystroke, as VS Code reports it, to a request that is likely to be of use. */
const shortest = 40;
/** The range of the wait after one request that was of no use. */
const short = { least: shortest, most: 350 };
/** The range after several. A slow typist pauses for longer than the upper one. */
const long = { least: 250, most: 600 };
/** A request after this time is one of a new attempt. */
const forgotten = 6_000;

/**
 * How long to wait for further typing before a request. The first request is sent almost at once, because it goes on
 * while the user types what it may answer. Where the answers were of no use, the next request waits until the user
 * pauses, measured by the usual interval between two of their keystrokes.
 */
export class TypingRhythm {
  #intervals: readonly number[] = [];
  #typed = Number.NEGATIVE_INFINITY;
  #asked = Number.NEGATIVE_INFINITY;
  /** Requests since the last one of use. */
  #useless = 0;

  typed(now: number): void {
    const interval = now - this.#typed;
    this.#typed = now;
    if (interval >= idle) this.#useless = 0;
    else this.#intervals = [...this.#intervals, interval].slice(-most);
  }

  asked(now: number): void {
    this.#asked = now;
    this.#useless += 1;
  }

  /** The user has typed at least `ofUse` characters of a completion, or accepted them. */
  followed(): void {
    this.#useless = 0;
  }

  /** Milliseconds from the last keystroke to a request. At the beginning of a line, a request is always likely to be of use. */
  wait(now: number, isLineStart: boolean): number {
    if (isLineStart || this.#useless === 0 || now - this.#asked >= forgotten) return shortest;
    const interval = this.#usual();
    if (this.#useless === 1) return clamp(1.5 * interval, short);
    return clamp(3 * interval, { least: long.least, most: Math.max(long.most, 1.3 * interval) });
  }

  /** The median of the last intervals. */
  #usual(): number {
    const sorted = this.#intervals.toSorted((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? usualInterval;
  }
}

function clamp(value: number, range: { readonly least: number; readonly most: number }): number {
  return Math.min(Math.max(value, range.least), range.most);
}
