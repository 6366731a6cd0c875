import type { SecretSpan } from './span.ts';

/** A text made of pieces of another one, in their order, that knows where each piece comes from. */
export class Excerpt {
  readonly #pieces: string[] = [];
  /** The offset of each piece in this text; `#origin` has its offset in the other text. */
  readonly #from: number[] = [];
  readonly #origin: number[] = [];
  /** The number of characters that a piece of one character replaces, by its place in this text, if it is more than one. */
  readonly #longer = new Map<number, number>();
  #length = 0;
  /** The index of the piece that was found last. */
  #last = 0;

  /** Adds a piece that replaces `taken` characters at `origin`. Its length is `taken`, or it is one character. */
  add(piece: string, origin: number, taken = piece.length): void {
    if (piece === '') return;
    if (taken !== piece.length) this.#longer.set(this.#length, taken);
    this.#pieces.push(piece);
    this.#from.push(this.#length);
    this.#origin.push(origin);
    this.#length += piece.length;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  /** Converts a span of this text to the span of the other text, including the text between its pieces. */
  place({ rule, start, end }: SecretSpan): SecretSpan {
    return { rule, start: this.#placeOf(start), end: this.#placeOf(end - 1) + (this.#longer.get(end - 1) ?? 1) };
  }

  #placeOf(at: number): number {
    const from = this.#from;
    const has = (piece: number): boolean => (from[piece] ?? at + 1) <= at && at < (from[piece + 1] ?? this.#length);
    // Most places are requested in order.
    if (!has(this.#last)) this.#last = has(this.#last + 1) ? this.#last + 1 : lastAtMost(from, at);
    return at + (this.#origin[this.#last] ?? 0) - (from[this.#last] ?? 0);
  }
}

/** The index of the last number that is at most `value`, in a sorted list that begins with 0. */
function lastAtMost(sorted: readonly number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
