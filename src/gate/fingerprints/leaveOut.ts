import { type FoundPassage, passagesAtATime } from './passages.ts';

/** A part of a text that is replaced. */
export interface LeftOutPassage {
  /** The offset of the start in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** The names of the files. */
  readonly files: readonly string[];
  /** The number of lines; null for a value and for encoded text. */
  readonly lines: number | null;
}

/** The number of lines before and after a hit that are left out as well: they may be too short to be recognized. */
const moreLines = 2;
/** The maximum number of characters by which a value is extended to the ends of its word, in each direction. */
const moreOfWord = 200;

/**
 * The passages to leave out for the parts that were found, in order, without overlaps: whole lines, or only a value. `found`
 * is in order. Yields null where it may pause.
 */
export function* passagesIn(
  text: string,
  found: readonly FoundPassage[],
  nameOf: (file: number) => string,
): Generator<null, readonly LeftOutPassage[]> {
  const apart: Wide[] = [];
  for (const [index, { start, end, file, kind }] of found.entries()) {
    if (index % passagesAtATime === passagesAtATime - 1) yield null;
    const last = apart.at(-1);
    const files = [nameOf(file)];
    const isInside = last !== undefined && end <= last.end;
    const from = last?.end ?? 0;
    const span = isInside
      ? last
      : kind === 'lines'
        ? linesAround(text, start, end, from)
        : kind === 'value'
          ? wordAround(text, start, end)
          : { start, end };
    const wide = { start: span.start, end: span.end, files, isLines: kind === 'lines' };
    if (last === undefined || !(isInside || touches(text, last, wide))) apart.push(wide);
    else apart[apart.length - 1] = merged(last, wide);
  }
  const passages: LeftOutPassage[] = [];
  for (const { start, end, files, isLines } of apart) {
    if (passages.length % passagesAtATime === passagesAtATime - 1) yield null;
    passages.push({ start, end, files, lines: isLines ? linesIn(text, start, end) : null });
  }
  return passages;
}

interface Wide {
  readonly start: number;
  readonly end: number;
  readonly files: readonly string[];
  readonly isLines: boolean;
}

/** Whether two passages overlap, or are whole lines with only a line break between them. */
function touches(text: string, last: Wide, next: Wide): boolean {
  if (next.start < last.end) return true;
  return next.isLines && last.isLines && next.start - last.end <= 4 && text.slice(last.end, next.start).trim() === '';
}

function merged(last: Wide, next: Wide): Wide {
  return {
    start: Math.min(last.start, next.start),
    end: Math.max(last.end, next.end),
    files: [...new Set([...last.files, ...next.files])],
    isLines: last.isLines || next.isLines,
  };
}

/** The text with a mark in place of each passage. A mark of whole lines is a separate line. Yields null where it may pause. */
export function* withPassagesLeftOut(text: string, passages: readonly LeftOutPassage[]): Generator<null, string> {
  let result = '';
  let at = 0;
  for (let index = 0; index < passages.length; index += passagesAtATime) {
    // The parts become one flat string, because the garbage collector is slow with a string of millions of small parts.
    const parts: string[] = [];
    for (const passage of passages.slice(index, index + passagesAtATime)) {
      parts.push(text.slice(at, passage.start), markOf(passage));
      at = passage.end;
    }
    result += parts.join('');
    yield null;
  }
  return result + text.slice(at);
}

/** The text in place of a passage. It is for the model, so it is not translated. */
export function markOf({ files, lines }: Pick<LeftOutPassage, 'files' | 'lines'>): string {
  const what = lines === null ? 'a value' : lines === 1 ? '1 line' : `${lines} lines`;
  return `[left out: ${what} of ${files.join(', ')}]`;
}

/** A line break, also an escaped one in JSON. */
const lineEnd = /\r\n|\r|\n|\\r\\n|\\n/g;

/** The lines of a passage and the lines around it. Everything before `from` is already left out. */
function linesAround(
  text: string,
  start: number,
  end: number,
  from: number,
): { readonly start: number; readonly end: number } {
  let first = start;
  for (let count = 0; count <= moreLines; count += 1) {
    const before = lineEndBefore(text, first, from);
    if (before === null) {
      first = Math.min(start, from);
      break;
    }
    first = count === moreLines ? before.end : before.start;
  }
  let last = end;
  for (let count = 0; count <= moreLines; count += 1) {
    lineEnd.lastIndex = last;
    const after = lineEnd.exec(text);
    if (after === null) {
      last = text.length;
      break;
    }
    last = count === moreLines ? after.index : after.index + after[0].length;
  }
  return { start: first, end: last };
}

function lineEndBefore(
  text: string,
  from: number,
  min: number,
): { readonly start: number; readonly end: number } | null {
  for (let at = from - 1; at >= min; at -= 1) {
    const character = text[at];
    if (character === '\n') return { start: text[at - 1] === '\r' ? at - 1 : at, end: at + 1 };
    if (character === '\r') return { start: at, end: at + 1 };
    if (character === 'n' && text[at - 1] === '\\') return { start: at - 1, end: at + 1 };
  }
  return null;
}

function linesIn(text: string, start: number, end: number): number {
  return text.slice(start, end).split(lineEnd).length;
}

/** A value, extended to the ends of its word. */
function wordAround(text: string, start: number, end: number): { readonly start: number; readonly end: number } {
  const isOfWord = (at: number): boolean => !/[\s"'`=:,;()[\]{}<>|\\]|^$/.test(text[at] ?? '');
  let first = start;
  while (first > Math.max(0, start - moreOfWord) && isOfWord(first - 1)) first -= 1;
  let last = end;
  while (last < Math.min(text.length, end + moreOfWord) && isOfWord(last)) last += 1;
  return { start: first, end: last };
}
