import type { Change } from '../../../gate/secrets/marks/lostSecrets.ts';
import { matchLines } from '../../../util/text/lineDiff.ts';

/** A change of a draft. */
export interface Hunk extends Change {
  /** Identifies the hunk within its draft, regardless of decisions about other hunks. */
  readonly id?: number;
}

/** The lines of a text, counted as in VS Code: a text that ends with a line break has an empty last line. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** The hunks that turn `original` into `proposed`, in order. */
export function hunksOf(original: readonly string[], proposed: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let start = 0;
  let proposedStart = 0;
  const upTo = (end: number, proposedEnd: number): void => {
    if (start < end || proposedStart < proposedEnd) hunks.push({ start, end, proposedStart, proposedEnd });
    start = end + 1;
    proposedStart = proposedEnd + 1;
  };
  for (const [line, proposedLine] of matchLines(original, proposed)) upTo(line, proposedLine);
  upTo(original.length, proposed.length);
  return hunks;
}

/** `original` with this hunk applied from `proposed`. */
export function withHunk(original: readonly string[], proposed: readonly string[], hunk: Hunk): readonly string[] {
  const { start, end, proposedStart, proposedEnd } = hunk;
  return [original.slice(0, start), proposed.slice(proposedStart, proposedEnd), original.slice(end)].flat();
}

/** `original` with these hunks applied from `proposed`, the last first, so that the positions of the others stay valid. */
export function withHunks(
  original: readonly string[],
  proposed: readonly string[],
  hunks: readonly Hunk[],
): readonly string[] {
  const lastFirst = hunks.toSorted((a, b) => b.start - a.start);
  return lastFirst.reduce((lines, hunk) => withHunk(lines, proposed, hunk), original);
}

/** `proposed` without this hunk. */
export function withoutHunk(original: readonly string[], proposed: readonly string[], hunk: Hunk): readonly string[] {
  const { start, end, proposedStart, proposedEnd } = hunk;
  return [proposed.slice(0, proposedStart), original.slice(start, end), proposed.slice(proposedEnd)].flat();
}

/**
 * The remaining hunks after one is decided, shifted where needed. They are not computed again: a new diff may split the
 * changes differently, and the hunks the user has seen must stay the same.
 */
export function remainingHunks(hunks: readonly Hunk[], decided: Hunk, isAccepted: boolean): readonly Hunk[] {
  const growth = decided.proposedEnd - decided.proposedStart - (decided.end - decided.start);
  return hunks
    .filter((hunk) => hunk !== decided)
    .map((hunk) => {
      const { start, end, proposedStart, proposedEnd } = hunk;
      if (proposedStart < decided.proposedStart || start < decided.start) return hunk;
      return isAccepted
        ? { ...hunk, start: start + growth, end: end + growth }
        : { ...hunk, proposedStart: proposedStart - growth, proposedEnd: proposedEnd - growth };
    });
}

/** The hunk that contains a line of the proposed text. Removed lines belong to the line after them. */
export function hunkAt(hunks: readonly Hunk[], proposedLine: number): Hunk | undefined {
  return (
    hunks.find(({ proposedStart, proposedEnd }) => proposedStart <= proposedLine && proposedLine < proposedEnd) ??
    hunks.find(
      ({ proposedStart, proposedEnd }) =>
        proposedStart === proposedEnd && (proposedStart === proposedLine || proposedStart === proposedLine + 1),
    )
  );
}
