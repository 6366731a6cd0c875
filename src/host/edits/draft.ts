import type { SecretKeeper } from '../../gate/secrets/marks/keeper.ts';
import { type Hunk, hunksOf, linesOf, remainingHunks, withHunk, withoutHunk } from './hunks.ts';
import { type Place, type PlaceCode, proposedLines } from './placing/places.ts';

/**
 * A text and what is proposed instead of it. What is left to decide is the difference of the two: accepting a hunk
 * changes the first, rejecting it the second.
 */
export class Draft {
  /** Of the secrets in the text; null where there can be none. */
  readonly keeper: SecretKeeper | null;
  readonly #places: readonly Place[];
  #original: readonly string[];
  #proposed: readonly string[];
  #codes: readonly string[] = [];
  /** Found when they are first asked for, once the answer is complete. */
  #hunks: readonly Hunk[] | null = null;
  /** Of all hunks so far: no two have the same number. */
  #count = 0;
  #isComplete = false;
  /** What the original was before each hunk was accepted: undoing that brings it back. */
  readonly #before: (readonly string[])[] = [];

  constructor(text: string, places: readonly Place[], keeper: SecretKeeper | null = null) {
    this.keeper = keeper;
    this.#original = linesOf(text);
    this.#proposed = this.#original;
    this.#places = places;
  }

  get original(): readonly string[] {
    return this.#original;
  }

  get proposed(): readonly string[] {
    return this.#proposed;
  }

  /** What there is to decide; none before the answer is complete. */
  get hunks(): readonly Hunk[] {
    if (!this.#isComplete) return [];
    this.#hunks ??= hunksOf(this.#original, this.#proposed).map((hunk) => {
      this.#count += 1;
      return { ...hunk, id: this.#count };
    });
    return this.#hunks;
  }

  /** Cheaper than asking for the hunks. */
  get isUnchanged(): boolean {
    return sameLines(this.#original, this.#proposed);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The text as it was when the proposal was asked for. */
  get first(): readonly string[] {
    return this.#before[0] ?? this.#original;
  }

  /** The code of each place, as far as it has come. False where that changes nothing. */
  update(codes: readonly string[]): boolean {
    if (this.#isComplete || sameLines(codes, this.#codes)) return false;
    this.#codes = codes;
    const shown = codes.map((code) => this.keeper?.putBack(code, this.#original).text ?? code);
    this.#proposed = proposedLines(this.#original, this.#places, shown, false);
    return true;
  }

  /** No more code will come. */
  complete(codes: readonly PlaceCode[]): void {
    this.#isComplete = true;
    this.#proposed = proposedLines(this.#original, this.#places, codes, true);
  }

  accept(hunk: Hunk): void {
    const left = remainingHunks(this.hunks, hunk, true);
    this.#before.push(this.#original);
    this.#original = withHunk(this.#original, this.#proposed, hunk);
    this.#hunks = left;
  }

  reject(hunk: Hunk): void {
    const left = remainingHunks(this.hunks, hunk, false);
    this.#proposed = withoutHunk(this.#original, this.#proposed, hunk);
    this.#hunks = left;
  }

  /**
   * Whether the text is one that the proposal was made for: the original, or what it was before an accepted hunk, which
   * is then to be decided again.
   */
  fits(text: string): boolean {
    const lines = linesOf(text);
    if (sameLines(lines, this.#original)) return true;
    const index = this.#before.findLastIndex((before) => sameLines(before, lines));
    if (index === -1) return false;
    this.#before.splice(index);
    this.#original = lines;
    this.#hunks = null;
    return true;
  }
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
