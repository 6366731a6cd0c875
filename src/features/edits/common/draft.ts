import type { Place } from '../../../edits/place.ts';
import type { SecretKeeper } from '../../../gate/secrets/marks/keeper.ts';
import { carryOver } from './carryOver.ts';
import { type Hunk, hunksOf, linesOf, remainingHunks, withHunk, withoutHunk } from './hunks.ts';
import { growingLines } from './places.ts';

/**
 * An original text and the proposed text. The hunks to decide are the difference between the two: accepting a hunk
 * changes the original, rejecting it changes the proposed text.
 */
export class Draft {
  /** The keeper that restores the secrets in the text, or null if the text can have none. */
  readonly keeper: SecretKeeper | null;
  readonly #places: readonly Place[];
  #original: readonly string[];
  #proposed: readonly string[];
  #codes: readonly string[] = [];
  /** Computed on first access, after the answer is complete. */
  #hunks: readonly Hunk[] | null = null;
  /** The number of hunks created so far. It gives each hunk a unique ID. */
  #count = 0;
  #isComplete = false;
  /** The texts before each accepted hunk, so that undo can restore them. */
  #before: readonly Before[] = [];
  #carried = 0;

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

  /** The hunks to decide; empty before the answer is complete. */
  get hunks(): readonly Hunk[] {
    if (!this.#isComplete) return [];
    this.#hunks ??= this.#named(hunksOf(this.#original, this.#proposed), [], []);
    return this.#hunks;
  }

  /**
   * Numbers the hunks. A hunk that existed before with the same lines keeps its ID, so that references to it stay
   * valid.
   */
  #named(hunks: readonly Hunk[], before: readonly Hunk[], original: readonly string[]): readonly Hunk[] {
    const key = ({ start, end, proposedStart, proposedEnd }: Hunk, lines: readonly string[]): string =>
      JSON.stringify([proposedStart, proposedEnd, lines.slice(start, end)]);
    const known = new Map(before.map((hunk) => [key(hunk, original), hunk.id]));
    return hunks.map((hunk) => {
      const id = known.get(key(hunk, this.#original));
      if (id !== undefined) return { ...hunk, id };
      this.#count += 1;
      return { ...hunk, id: this.#count };
    });
  }

  /** Whether the two texts are equal. Cheaper than computing the hunks. */
  get isUnchanged(): boolean {
    return sameLines(this.#original, this.#proposed);
  }

  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** The text at the time when the proposal was requested. */
  get first(): readonly string[] {
    return this.#before[0]?.original ?? this.#original;
  }

  /** Sets the code received so far for each place. Returns false if nothing changes. */
  update(codes: readonly string[]): boolean {
    if (this.#isComplete || sameLines(codes, this.#codes)) return false;
    this.#codes = codes;
    const shown = codes.map((code) => this.keeper?.putBack(code, this.#original).text ?? code);
    this.#proposed = growingLines(this.#original, this.#places, shown);
    return true;
  }

  /** Sets the proposed text, which may be set again. Hunks that stay the same keep their ids. */
  complete(lines: readonly string[]): void {
    const before = this.#hunks;
    this.#isComplete = true;
    this.#proposed = lines;
    this.#hunks = before && this.#named(hunksOf(this.#original, lines), before, this.#original);
  }

  /** The number of times that the hunks were carried over to another text: the user has not seen them there. */
  get carried(): number {
    return this.#carried;
  }

  accept(hunk: Hunk): void {
    const remaining = remainingHunks(this.hunks, hunk, true);
    this.#keep();
    this.#original = withHunk(this.#original, this.#proposed, hunk);
    this.#hunks = remaining;
  }

  /** Like accept() for each hunk, in one step: a copy of the text for each of many hunks would fill the memory. */
  acceptAll(): void {
    this.#keep();
    this.#original = this.#proposed;
    this.#hunks = [];
  }

  #keep(): void {
    this.#before = [...this.#before, { original: this.#original }];
  }

  rejectAll(): void {
    this.#proposed = this.#original;
    this.#hunks = [];
  }

  /**
   * Adopts a text that the file has now, such as one that was formatted when it was saved, and carries the hunks over to it. Returns
   * false, and changes nothing, if not each hunk has exactly one place in it.
   */
  settle(lines: readonly string[]): boolean {
    if (sameLines(lines, this.#original)) return true;
    const { hunks } = this;
    const carried = carryOver({ original: this.#original, proposed: this.#proposed, hunks }, lines);
    if (carried === null) return false;
    // An undo restores what was proposed for the text before, too.
    this.#before = this.#before.map((before) => ({ proposed: this.#proposed, ...before }));
    this.#original = carried.original;
    this.#proposed = carried.proposed;
    this.#hunks = this.#named(carried.hunks, [], []);
    if (hunks.length > 0) this.#carried += 1;
    return true;
  }

  reject(hunk: Hunk): void {
    const remaining = remainingHunks(this.hunks, hunk, false);
    this.#proposed = withoutHunk(this.#original, this.#proposed, hunk);
    this.#hunks = remaining;
  }

  /**
   * Whether the proposal applies to this text: the original, or an earlier original after the user has undone an
   * accepted hunk. In that case the undone hunk is to be decided again.
   */
  fits(text: string): boolean {
    const lines = linesOf(text);
    if (sameLines(lines, this.#original)) return true;
    const index = this.#before.findLastIndex(({ original }) => sameLines(original, lines));
    if (index === -1) return false;
    const { hunks } = this;
    const previous = this.#original;
    this.#original = lines;
    this.#proposed = this.#before[index]?.proposed ?? this.#proposed;
    this.#before = this.#before.slice(0, index);
    if (this.#isComplete) this.#hunks = this.#named(hunksOf(lines, this.#proposed), hunks, previous);
    return true;
  }

  /** Adopts a text after an undo. Returns whether there is a hunk to decide again. */
  takeUndo(text: string): boolean {
    if (!this.#isComplete) return false;
    const { hunks } = this;
    return this.fits(text) && this.hunks !== hunks;
  }
}

interface Before {
  readonly original: readonly string[];
  /** The proposed text of that time, if the hunks were carried over to another text since. */
  readonly proposed?: readonly string[];
}

function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((line, index) => line === other[index]);
}
