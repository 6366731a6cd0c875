import type { IgnoredPrefixes } from './characters.ts';
import type { Normal } from './normal.ts';
import type { FoundRun } from './runs.ts';

/** A part of a text that comes from an excluded file. */
export interface FoundPassage {
  /** The offset of the start in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The number of the file, as given to add(). */
  readonly file: number;
  /** `lines`: consecutive text. `value`: one value or token. `encoded`: text of the file in base64 or hexadecimal. */
  readonly kind: 'lines' | 'value' | 'encoded';
  /** The parts of line prefixes (such as `12: `) that are not from the file. The first line of a passage has no prefix. */
  readonly ignoredPrefixes?: IgnoredPrefixes;
}

/** Maps a match in a piece to offsets in the whole text, in which the piece begins at the offset `before`. */
export function passageOf(
  { at }: Normal,
  { from, to, file, kind, ignoredPrefixes }: FoundRun,
  before: number,
): FoundPassage {
  const passage = { start: before + (at[from] ?? 0), end: before + (at[to - 1] ?? 0) + 1, file, kind };
  return ignoredPrefixes === undefined ? passage : { ...passage, ignoredPrefixes };
}

/** Whether a passage comes before another one. Of two passages with the same start, the longer one comes first. */
function isBefore(one: FoundPassage, other: FoundPassage): boolean {
  return one.start < other.start || (one.start === other.start && one.end > other.end);
}

/** Inserts passages into a sorted list. Fast if few passages of the list come after them. */
export function insertInOrder(passages: FoundPassage[], more: readonly FoundPassage[]): void {
  for (const passage of more.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    let at = passages.length;
    while (at > 0 && isBefore(passage, passages[at - 1] ?? passage)) at -= 1;
    if (at === passages.length) passages.push(passage);
    else passages.splice(at, 0, passage);
  }
}

/** The number of passages that are processed between two pauses. */
export const passagesAtATime = 4096;

/** Merges two sorted lists. Yields null where it may pause. */
export function* mergedInOrder(
  first: readonly FoundPassage[],
  second: readonly FoundPassage[],
): Generator<null, readonly FoundPassage[]> {
  if (second.length === 0) return first;
  if (first.length === 0) return second;
  const merged: FoundPassage[] = [];
  let [a, b] = [0, 0];
  for (let one = first[a], other = second[b]; one !== undefined || other !== undefined; ) {
    if (other === undefined || (one !== undefined && !isBefore(other, one))) {
      if (one !== undefined) merged.push(one);
      a += 1;
      one = first[a];
    } else {
      merged.push(other);
      b += 1;
      other = second[b];
    }
    if (merged.length % passagesAtATime === 0) yield null;
  }
  return merged;
}
