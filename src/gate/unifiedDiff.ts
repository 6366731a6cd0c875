import { finished } from '../util/finished.ts';
import { matchLinesInSlices } from '../util/text/lineDiff.ts';
import type { LineRange, Span } from '../util/text/span.ts';
import { type Content, joinOf, sliceOf } from './content.ts';
import { SharedSecrets } from './sharedSecrets.ts';

/** The number of lines of context around a change, as in git. */
const around = 3;
/** The number of lines between two pauses: some milliseconds. */
const linesToPause = 2_000;

interface DiffOptions {
  /**
   * With `as-before`, line endings are not compared if the old text has no Windows line endings and the new text has only those,
   * because git writes such files if it is configured to (`core.autocrlf`).
   */
  readonly lineEnds: 'exact' | 'as-before';
}

interface UnifiedDiff {
  /** Hunks with complete lines; empty if no line differs. */
  readonly hunks: Content;
  /**
   * The added or changed lines of the new text, in order. If lines are only removed, the line before them is included, because
   * the removal is visible there.
   */
  readonly changed: readonly LineRange[];
}

/**
 * Compares two complete versions of a text and returns the hunks of a unified diff. Lines that are secret in one version are
 * marked in the other as well. For values in other lines, see withSharedSecrets().
 */
export function unifiedDiff(before: Content, after: Content, options: DiffOptions): UnifiedDiff {
  return finished(unifiedDiffInSlices(before, after, options));
}

/** Like unifiedDiff(), with pauses: it is slow for texts of tens of thousands of lines. */
export function* unifiedDiffInSlices(
  before: Content,
  after: Content,
  { lineEnds }: DiffOptions,
): Generator<null, UnifiedDiff> {
  const isAsBefore = lineEnds === 'as-before' && !before.text.includes('\r\n') && !/(?<!\r)\n/.test(after.text);
  const oldLines = yield* linesOf(before, false);
  const newLines = yield* linesOf(after, isAsBefore);
  const changes = yield* changesOf(oldLines, newLines);
  const secrets = new SharedSecrets();
  for (const { content, places } of [oldLines, newLines]) {
    secrets.add(content, places);
    yield null;
  }
  const drawing = new Drawing();
  for (const hunk of hunksOf(changes)) yield* drawHunk(hunk, { oldLines, newLines, secrets }, drawing);
  return { hunks: drawing.end(), changed: changedLines(changes) };
}

interface Lines {
  readonly content: Content;
  /** The start and end of each line, without its line ending. */
  readonly places: readonly (readonly [start: number, end: number])[];
  /** Each line in the form used for comparison. */
  readonly texts: readonly string[];
  /** Whether the last line has no line ending. */
  readonly isOpen: boolean;
}

function* linesOf(content: Content, isWithoutReturn: boolean): Generator<null, Lines> {
  const { text } = content;
  const places: (readonly [number, number])[] = [];
  const texts: string[] = [];
  const isOpen = text !== '' && !text.endsWith('\n');
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('\n', start);
    const whole = next === -1 ? text.length : next;
    const end = isWithoutReturn && next !== -1 && text[next - 1] === '\r' ? next - 1 : whole;
    places.push([start, end]);
    // A line without a line ending differs from the same line with one.
    texts.push(next === -1 ? text.slice(start) : `${text.slice(start, end)}\n`);
    start = whole + 1;
    if (texts.length % linesToPause === 0) yield null;
  }
  return { content, places, texts, isOpen };
}

/**
 * Lines from `start` up to `end` (exclusive) of the old text, which became `newStart` up to `newEnd` of the new one.
 */
interface Change extends Span {
  readonly newStart: number;
  readonly newEnd: number;
}

function* changesOf(oldLines: Lines, newLines: Lines): Generator<null, readonly Change[]> {
  const changes: Change[] = [];
  let [start, newStart] = [0, 0];
  for (const [end, newEnd] of [
    ...(yield* matchLinesInSlices(oldLines.texts, newLines.texts)),
    [oldLines.texts.length, newLines.texts.length] as const,
  ]) {
    if (end > start || newEnd > newStart) changes.push({ start, end, newStart, newEnd });
    [start, newStart] = [end + 1, newEnd + 1];
  }
  return changes;
}

/** Merges changes whose context touches into one hunk. */
function hunksOf(changes: readonly Change[]): readonly (readonly Change[])[] {
  const hunks: Change[][] = [];
  for (const change of changes) {
    const last = hunks.at(-1)?.at(-1);
    if (last !== undefined && change.start - last.end <= 2 * around) hunks.at(-1)?.push(change);
    else hunks.push([change]);
  }
  return hunks;
}

/** The text of the hunks. Parts are joined early, because a join of very many takes long. */
class Drawing {
  #parts: (string | Content)[] = [];
  readonly #joined: Content[] = [];

  add(part: string | Content): void {
    this.#parts.push(part);
  }

  /** Joins the parts so far if they are many. Returns whether they were. */
  join(): boolean {
    if (this.#parts.length < linesToPause) return false;
    this.#joined.push(joinOf(this.#parts));
    this.#parts = [];
    return true;
  }

  end(): Content {
    return joinOf([...this.#joined, ...this.#parts]);
  }
}

interface DiffedLines {
  readonly oldLines: Lines;
  readonly newLines: Lines;
  readonly secrets: SharedSecrets;
}

function* drawHunk(
  changes: readonly Change[],
  { oldLines, newLines, secrets }: DiffedLines,
  drawing: Drawing,
): Generator<null> {
  const [first, last] = [changes[0], changes.at(-1)];
  if (first === undefined || last === undefined) return;
  const before = Math.min(around, first.start);
  const after = Math.min(around, oldLines.places.length - last.end);
  const size = last.end + after - (first.start - before);
  const newSize = last.newEnd + after - (first.newStart - before);
  drawing.add(`@@ -${range(first.start - before, size)} +${range(first.newStart - before, newSize)} @@\n`);
  function* draw(sign: ' ' | '-' | '+', lines: Lines, from: number, to: number): Generator<null> {
    for (let at = from; at < to; at += 1) {
      if (drawing.join()) yield null;
      const isOpen = lines.isOpen && at === lines.places.length - 1;
      const [start, end] = lines.places[at] ?? [0, 0];
      drawing.add(sign);
      drawing.add(secrets.marked(sliceOf(lines.content, start, end)));
      drawing.add(isOpen ? '\n\\ No newline at end of file\n' : '\n');
    }
  }
  let at = first.start - before;
  for (const { start, end, newStart, newEnd } of changes) {
    yield* draw(' ', oldLines, at, start);
    yield* draw('-', oldLines, start, end);
    yield* draw('+', newLines, newStart, newEnd);
    at = end;
  }
  yield* draw(' ', oldLines, at, at + after);
}

/** A range in git's format: it counts from 1, an empty range has the line before it, and a single line has no count. */
function range(start: number, size: number): string {
  if (size === 1) return String(start + 1);
  return `${size === 0 ? start : start + 1},${size}`;
}

function changedLines(changes: readonly Change[]): readonly LineRange[] {
  const ranges: LineRange[] = [];
  for (const { newStart, newEnd } of changes) {
    const first = newStart === newEnd ? Math.max(1, newStart) : newStart + 1;
    const last = newStart === newEnd ? first : newEnd;
    const before = ranges.at(-1);
    if (before === undefined || first > before.last + 1) ranges.push({ first, last });
    else ranges[ranges.length - 1] = { first: before.first, last: Math.max(before.last, last) };
  }
  return ranges;
}
