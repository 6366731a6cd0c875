import { matchLines } from '../../util/text/lineDiff.ts';
import { withoutSpace } from './lineKeys.ts';

interface Added {
  /** The added lines of the new text, counted from 1. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** The number of lines of the old text that were removed. */
  readonly removed: number;
}

/** The lines that were added to a text. Lines that differ only in white space are equal. An empty last line is ignored. */
export function addedLines(before: string, after: string): Added {
  const [old, newer] = [linesIn(before), linesIn(after)];
  const matches = matchLines(old.map(withoutSpace), newer.map(withoutSpace));
  const kept = new Set(matches.map(([, line]) => line));
  const lines = newer.flatMap((text, index) => (kept.has(index) ? [] : [{ number: index + 1, text }]));
  return { lines, removed: old.length - matches.length };
}

/** The lines of a text, counted as git does. */
export function linesIn(text: string): readonly string[] {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
