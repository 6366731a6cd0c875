import type { Hunk } from '../hunks.ts';

/** A place in a document, both counted from 0. */
interface Point {
  readonly line: number;
  readonly character: number;
}

/** A change of a document in its own words: a range of it and the text that takes its place. */
export interface LineEdit {
  readonly start: Point;
  readonly end: Point;
  readonly text: string;
}

/**
 * The change that takes a hunk over into a document of these lines. Whole lines with their line ends, so that what a
 * person has marked beside it stays marked; at the end of the text, the line end before them instead.
 */
export function lineEdit(
  { start, end, proposedStart, proposedEnd }: Hunk,
  lines: readonly string[],
  proposed: readonly string[],
  lineEnd: string,
): LineEdit {
  const text = proposed.slice(proposedStart, proposedEnd);
  if (end < lines.length) {
    const at = { line: start, character: 0 };
    return { start: at, end: { line: end, character: 0 }, text: text.map((line) => line + lineEnd).join('') };
  }
  const last = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  if (start === 0) return { start: { line: 0, character: 0 }, end: last, text: text.join(lineEnd) };
  const from = { line: start - 1, character: lines[start - 1]?.length ?? 0 };
  return { start: from, end: last, text: text.map((line) => lineEnd + line).join('') };
}
