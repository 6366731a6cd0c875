import { matchLines } from '../../util/text/lineDiff.ts';
import type { Span } from '../../util/text/span.ts';
import { isDistinctive } from '../text/lines.ts';
import { plain } from './exactFit.ts';

/** Lines of a file where most of some wanted lines stand, at most `mostQuoted`. Counted from 0. */
export interface Near extends Span {
  /** The first difference: a wanted line, and the line of the file in its place; absent if it is only in white space. */
  readonly differs?: Difference;
}

interface Difference {
  readonly wanted: number;
  readonly line: number;
}

const mostQuoted = 12;
/** So many of the first lines are aligned. */
const mostAligned = 200;
/** Lines quoted before the difference. */
const before = 4;

/**
 * Finds where most of the wanted lines stand, white space at their ends aside: for a message, never as the place of an
 * edit. null where the file has no line of them.
 */
export function nearest(file: readonly string[], wanted: readonly string[]): Near | null {
  const [lines, asked] = [file.map(letters), wanted.map(letters)];
  const found = densest(lines, asked);
  if (found === null) return null;
  const [[own, line] = [0, 0]] = matchLines(asked.slice(0, mostAligned), lines.slice(found, found + mostAligned));
  const start = Math.max(0, found + line - own);
  const end = Math.min(lines.length, start + asked.length);
  const differs = difference(asked, lines, start);
  if (differs === undefined) return { start, end: Math.min(end, start + mostQuoted) };
  const from = end - start <= mostQuoted ? start : Math.max(start, differs.line - before);
  const to = Math.min(Math.max(end, differs.line + 1), from + mostQuoted, lines.length);
  return { start: from, end: to, differs };
}

function letters(line: string): string {
  return plain(line).trim();
}

/** The first of as many lines as are wanted, most of which are. A line counts the less the more often it occurs. */
function densest(lines: readonly string[], asked: readonly string[]): number | null {
  const counts = new Map(asked.filter(isDistinctive).map((line) => [line, 0]));
  for (const line of lines) {
    const count = counts.get(line);
    if (count !== undefined) counts.set(line, count + 1);
  }
  const weights = lines.map((line) => 1 / (counts.get(line) ?? Number.POSITIVE_INFINITY));
  let found: number | null = null;
  let [sum, most] = [0, 0];
  for (const [at, weight] of weights.entries()) {
    sum += weight - (weights[at - asked.length] ?? 0);
    // Sums of fractions are not exact.
    if (sum < most + 1e-9) continue;
    most = sum;
    found = Math.max(0, at - asked.length + 1);
  }
  return found;
}

/** Where the wanted lines first differ from those of the file from `start` on. */
function difference(asked: readonly string[], lines: readonly string[], start: number): Difference | undefined {
  const wanted = asked.findIndex((line, at) => line !== lines[start + at]);
  const isRest = wanted === -1 || asked.slice(wanted).every((line) => line === '');
  return isRest ? undefined : { wanted, line: start + wanted };
}
