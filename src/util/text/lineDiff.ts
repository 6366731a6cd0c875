import { finished } from '../finished.ts';
import type { Span } from './span.ts';

/** A line of one text that equals a line of the other. */
export type Match = readonly [line: number, otherLine: number];

/** A range of lines in each text, with exclusive ends. */
interface MatchedSpan extends Span {
  readonly otherStart: number;
  readonly otherEnd: number;
}

/**
 * The maximum number of differing lines between two unique lines: with more, common lines are mostly coincidence, and the
 * search time is quadratic.
 */
const maxEdits = 1_000;
/**
 * The maximum number of steps over both texts (some 0.1 s, for a file made to be slow): after it, the rest stays unmatched, so
 * the diff is longer, but correct.
 */
const maxSteps = 3_000_000;
/** The number of steps between two pauses: less than a millisecond. */
const stepsToPause = 50_000;

/** The state of a search, shared by all spans of two texts. */
interface Search {
  readonly one: Int32Array;
  readonly other: Int32Array;
  readonly matches: Match[];
  stepsLeft: number;
}

/**
 * Returns the lines that two texts have in common, in order: first those that are unique in each (a patience diff, whose hunks
 * follow functions rather than braces), then, between these lines, the longest common sequence by Myers. npm's `diff` takes
 * 1.6 s for a file of 10,000 lines of which every tenth differs; this takes some 20 ms.
 */
export function matchLines(one: readonly string[], other: readonly string[]): readonly Match[] {
  return finished(matchLinesInSlices(one, other));
}

/** Like matchLines(), with pauses: it may be slow for texts of tens of thousands of lines. */
export function* matchLinesInSlices(
  one: readonly string[],
  other: readonly string[],
): Generator<null, readonly Match[]> {
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const number = numbers.get(line) ?? numbers.size;
      numbers.set(line, number);
      return number;
    });
  const first = numbered(one);
  yield null;
  const search: Search = { one: first, other: numbered(other), matches: [], stepsLeft: maxSteps };
  yield null;
  yield* matchSpan(search, { start: 0, end: one.length, otherStart: 0, otherEnd: other.length });
  return search.matches;
}

function* matchSpan(search: Search, span: MatchedSpan): Generator<null> {
  const { one, other, matches } = search;
  let { start, end, otherStart, otherEnd } = span;
  while (start < end && otherStart < otherEnd && one[start] === other[otherStart]) {
    matches.push([start, otherStart]);
    start += 1;
    otherStart += 1;
  }
  const ending: Match[] = [];
  while (end > start && otherEnd > otherStart && one[end - 1] === other[otherEnd - 1]) {
    end -= 1;
    otherEnd -= 1;
    ending.push([end, otherEnd]);
  }
  if (start < end && otherStart < otherEnd && search.stepsLeft > 0) {
    search.stepsLeft -= end - start + otherEnd - otherStart;
    const between = { start, end, otherStart, otherEnd };
    const isLarge = end - start + otherEnd - otherStart > stepsToPause / 10;
    if (isLarge) yield null;
    const unique = uniqueMatches(one, other, between);
    if (isLarge) yield null;
    const anchors = rising(unique);
    if (anchors.length === 0) yield* matchShortest(search, between);
    for (const [line, otherLine] of anchors) {
      yield* matchSpan(search, { start, end: line, otherStart, otherEnd: otherLine });
      matches.push([line, otherLine]);
      start = line + 1;
      otherStart = otherLine + 1;
    }
    if (anchors.length > 0) yield* matchSpan(search, { start, end, otherStart, otherEnd });
  }
  for (const match of ending.reverse()) matches.push(match);
}

/** The lines that occur exactly once in each text, in the order of the first text. */
function uniqueMatches(one: Int32Array, other: Int32Array, span: MatchedSpan): readonly Match[] {
  const places = once(one, span.start, span.end);
  const otherPlaces = once(other, span.otherStart, span.otherEnd);
  const found: Match[] = [];
  for (const [number, line] of places) {
    const otherLine = otherPlaces.get(number);
    if (line !== -1 && otherLine !== undefined && otherLine !== -1) found.push([line, otherLine]);
  }
  return found;
}

/** The position of each number, or -1 for a number that occurs more than once. */
function once(numbers: Int32Array, start: number, end: number): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  for (let at = start; at < end; at += 1) {
    const number = numbers[at] ?? 0;
    places.set(number, places.has(number) ? -1 : at);
  }
  return places;
}

/** The longest sequence of matches that ascends on both sides. */
function rising(matches: readonly Match[]): readonly Match[] {
  /**
   * For each length, the match that ends the sequence with the lowest other line; and the predecessor of each match.
   */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, otherLine]] of matches.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((matches[ends[middle] ?? 0]?.[1] ?? 0) < otherLine) low = middle + 1;
      else high = middle;
    }
    before.push(ends[low - 1] ?? -1);
    ends[low] = index;
  }
  const run: Match[] = [];
  for (let index = ends.at(-1) ?? -1; index !== -1; index = before[index] ?? -1) {
    const match = matches[index];
    if (match !== undefined) run.push(match);
  }
  return run.reverse();
}

/** Myers' greedy search for the shortest edit script; finds nothing if the script is too long. */
function* matchShortest(search: Search, { start, end, otherStart, otherEnd }: MatchedSpan): Generator<null> {
  const { one, other, matches } = search;
  const [length, otherLength] = [end - start, otherEnd - otherStart];
  const max = Math.min(maxEdits, length + otherLength);
  // The furthest point of each diagonal, k counted from -max; and its value before each step, to trace the path back.
  const reached = new Int32Array(2 * max + 3);
  const trace: Int32Array[] = [];
  let steps = 0;
  for (let edits = 0; edits <= max && search.stepsLeft > 0; edits += 1) {
    search.stepsLeft -= edits + 1;
    trace.push(reached.slice(max + 1 - edits - 1, max + 1 + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      let at = stepsDown(reached, max + 1, k, edits) ? (reached[max + 2 + k] ?? 0) : (reached[max + k] ?? 0) + 1;
      const from = at;
      while (at < length && at - k < otherLength && one[start + at] === other[otherStart + at - k]) at += 1;
      reached[max + 1 + k] = at;
      steps += at - from + 1;
      if (steps > stepsToPause) {
        yield null;
        steps = 0;
      }
      if (at < length || at - k < otherLength) continue;
      const found = wayBack(trace, length, otherLength, edits);
      for (const [line, otherLine] of found) matches.push([start + line, otherStart + otherLine]);
      return;
    }
  }
}

/** Whether diagonal k is reached by inserting a line of the other text. */
function stepsDown(reached: Int32Array, middle: number, k: number, edits: number): boolean {
  return k === -edits || (k !== edits && (reached[middle + k - 1] ?? 0) < (reached[middle + k + 1] ?? 0));
}

function wayBack(trace: readonly Int32Array[], length: number, otherLength: number, edits: number): readonly Match[] {
  const found: Match[] = [];
  let [at, otherAt] = [length, otherLength];
  const backTo = (stop: number): void => {
    while (at > stop) {
      at -= 1;
      otherAt -= 1;
      found.push([at, otherAt]);
    }
  };
  for (let step = edits; step > 0; step -= 1) {
    const reached = trace[step] ?? new Int32Array(0);
    const k = at - otherAt;
    const isDown = stepsDown(reached, step + 1, k, step);
    const from = isDown ? k + 1 : k - 1;
    const before = reached[step + 1 + from] ?? 0;
    backTo(isDown ? before : before + 1);
    at = before;
    otherAt = before - from;
  }
  backTo(0);
  return found.reverse();
}
