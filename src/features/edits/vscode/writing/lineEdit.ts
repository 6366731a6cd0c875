import type { Hunk } from '../../common/hunks.ts';

/** A position in a document, zero-based. */
interface Point {
  readonly line: number;
  readonly character: number;
}

/** A range of a document and its replacement text. */
export interface LineEdit {
  readonly start: Point;
  readonly end: Point;
  readonly text: string;
}

/**
 * The edit that applies a hunk to a document of these lines. It replaces whole lines with their line breaks, so that
 * selections next to it are kept; at the end of the text, it uses the line break before them instead.
 */
export function lineEdit(
  { start, end, proposedStart, proposedEnd }: Hunk,
  lines: readonly string[],
  proposed: readonly string[],
  lineEnding: string,
): LineEdit {
  const text = proposed.slice(proposedStart, proposedEnd);
  if (end < lines.length) {
    const at = { line: start, character: 0 };
    return { start: at, end: { line: end, character: 0 }, text: text.map((line) => line + lineEnding).join('') };
  }
  const last = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
  if (start === 0) return { start: { line: 0, character: 0 }, end: last, text: text.join(lineEnding) };
  const from = { line: start - 1, character: lines[start - 1]?.length ?? 0 };
  return { start: from, end: last, text: text.map((line) => lineEnding + line).join('') };
}
