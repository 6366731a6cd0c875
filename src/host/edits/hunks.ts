import { matchLines } from '../../util/lineDiff.ts';

/** Lines of one text that stand in the place of lines of another; each end is the line after the last. */
export interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly proposedStart: number;
  readonly proposedEnd: number;
  /** Names it among those of a draft, whatever is decided about the others. */
  readonly id?: number;
}

/** The lines of a text, counted as VS Code counts them: one that ends with a line end has an empty last line. */
export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** What has to change for the lines of `original` to be those of `proposed`, in order. */
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

/** `original` with this one hunk taken over from `proposed`. */
export function withHunk(original: readonly string[], proposed: readonly string[], hunk: Hunk): readonly string[] {
  const { start, end, proposedStart, proposedEnd } = hunk;
  return [original.slice(0, start), proposed.slice(proposedStart, proposedEnd), original.slice(end)].flat();
}

/** `proposed` as it is without this one hunk. */
export function withoutHunk(original: readonly string[], proposed: readonly string[], hunk: Hunk): readonly string[] {
  const { start, end, proposedStart, proposedEnd } = hunk;
  return [proposed.slice(0, proposedStart), original.slice(start, end), proposed.slice(proposedEnd)].flat();
}

/**
 * The other hunks once this one is decided: those after it move in the text that took it over. Not found afresh: with
 * other texts a diff may cut what is left differently, and what a person has seen must stay as they saw it.
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

/** The hunk that a line of the proposed text lies in; lines that were only taken out belong to the line after them. */
export function hunkAt(hunks: readonly Hunk[], proposedLine: number): Hunk | undefined {
  return (
    hunks.find(({ proposedStart, proposedEnd }) => proposedStart <= proposedLine && proposedLine < proposedEnd) ??
    hunks.find(
      ({ proposedStart, proposedEnd }) =>
        proposedStart === proposedEnd && (proposedStart === proposedLine || proposedStart === proposedLine + 1),
    )
  );
}
