import { matchLines } from '../../util/text/lineDiff.ts';
import type { Span } from '../../util/text/span.ts';
import { isDistinctive } from '../text/lines.ts';
import { plain } from './exactFit.ts';

/** The lines of a file that have most of some wanted lines, at most `maxQuoted`. They are counted from 0. */
export interface Near extends Span {
  /** The first wanted line that differs, and the line of the file in its place; undefined if only white space differs. */
  readonly differs?: Difference;
}

interface Difference {
  readonly wanted: number;
  readonly line: number;
}

const maxQuoted = 12;
/** The maximum number of first lines that are aligned. */
const maxAligned = 200;
/** The number of lines that are quoted before the difference. */
const linesBefore = 4;

/**
 * Finds the lines of a file that have most of the wanted lines, regardless of white space at their ends. It is for a message,
 * never the place of an edit. Returns null if the file has none of the wanted lines.
 */
export function nearest(file: readonly string[], wanted: readonly string[]): Near | null {
  const [lines, asked] = [file.map(letters), wanted.map(letters)];
  const found = densest(lines, asked);
  if (found === null) return null;
  const [[own, line] = [0, 0]] = matchLines(asked.slice(0, maxAligned), lines.slice(found, found + maxAligned));
  const start = Math.max(0, found + line - own);
  const end = Math.min(lines.length, start + asked.length);
  const differs = difference(asked, lines, start);
  if (differs === undefined) return { start, end: Math.min(end, start + maxQuoted) };
  const from = end - start <= maxQuoted ? start : Math.max(start, differs.line - linesBefore);
  const to = Math.min(Math.max(end, differs.line + 1), from + maxQuoted, lines.length);
  return { start: from, end: to, differs };
}

function letters(line: string): string {
  return plain(line).trim();
}

/** Returns the first line of the range with most of the wanted lines. The more often a line occurs, the lower its weight. */
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

/** Returns the first difference between the wanted lines and the lines of the file from `start` on. */
function difference(asked: readonly string[], lines: readonly string[], start: number): Difference | undefined {
  const wanted = asked.findIndex((line, at) => line !== lines[start + at]);
  const isRest = wanted === -1 || asked.slice(wanted).every((line) => line === '');
  return isRest ? undefined : { wanted, line: start + wanted };
}
