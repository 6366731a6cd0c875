import { matchLines } from '../../util/lineDiff.ts';
import { linesOf } from './hunks.ts';
import { commonIndent, type Indentation, indentationOf, indentedAs, movedTo } from './indentation.ts';

/** Whole lines that code takes the place of: from `start` to before `end`, counted from 0. None where it is put in. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** What the code is indented by. */
  readonly indent: string;
}

/** A selection, as VS Code has it. */
export interface Selected {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Where code is put in: instead of a blank line at the cursor, else on lines of its own after the selection. */
export function placeAfter(lines: readonly string[], { start, end }: Selected): Place {
  const isEmpty = start.line === end.line && start.character === end.character;
  const line = !isEmpty && end.character === 0 ? end.line - 1 : end.line;
  const text = lines[line] ?? '';
  const indent = /^\s*/.exec(text)?.[0] ?? '';
  return isEmpty && text.trim() === ''
    ? { start: line, end: line + 1, indent }
    : { start: line + 1, end: line + 1, indent };
}

/** The lines of the selections, those that touch taken together; of a lone cursor, its line. */
export function placesOf(lines: readonly string[], selections: readonly Selected[]): readonly Place[] {
  const spans = selections
    .map(({ start, end }) => ({
      start: start.line,
      end: end.line > start.line && end.character === 0 ? end.line : end.line + 1,
    }))
    .sort((a, b) => a.start - b.start);
  const apart: { readonly start: number; readonly end: number }[] = [];
  for (const span of spans) {
    const last = apart.at(-1);
    if (last === undefined || span.start > last.end) apart.push(span);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return apart.map(({ start, end }) => ({ start, end, indent: commonIndent(lines.slice(start, end)) }));
}

/** Everything. */
export function wholeOf(lines: readonly string[]): Place {
  return { start: 0, end: lines.length, indent: '' };
}

/**
 * Where code goes that names its file alone: the lines from the one it begins with to one it ends with, where the file has
 * the first once and not at its top. Otherwise everything; what is to stay can be kept hunk by hunk.
 */
export function fittingPlace(lines: readonly string[], code: readonly string[]): Place {
  const words = code.filter((line) => line.trim() !== '');
  const [first, last] = [words[0]?.trim() ?? '', words.at(-1)?.trim() ?? ''];
  const starts = lines.flatMap((line, index) => (line.trim() === first ? [index] : []));
  const [start = 0] = starts;
  const top = lines.findIndex((line) => line.trim() !== '');
  if (starts.length !== 1 || start === top || first === '') return wholeOf(lines);
  const indent = /^\s*/.exec(lines[start] ?? '')?.[0] ?? '';
  const ends = lines.flatMap((line, index) => (index >= start && line === indent + last ? [index + 1] : []));
  // Of the lines it may end with, the one that leaves most of them as they are.
  const scored = ends.slice(0, 50).map((end) => {
    const old = lines.slice(start, end).map((line) => line.trim());
    const kept = matchLines(
      old,
      code.map((line) => line.trim()),
    ).length;
    return { end, score: 2 * kept - old.length };
  });
  const best = scored.sort((a, b) => b.score - a.score)[0];
  return best === undefined ? wholeOf(lines) : { start, end: best.end, indent };
}

/**
 * The lines with the code of each place in it, indented as its surroundings are. While the code still comes
 * (`isComplete` is false) the lines it has not reached stay, so that the diff does not show them as taken out. A place
 * without code stays as it is.
 */
export function proposedLines(
  lines: readonly string[],
  places: readonly Place[],
  codes: readonly string[],
  isComplete: boolean,
): readonly string[] {
  const style = indentationOf(lines);
  // Pieces, joined at the end: spreading a hundred thousand lines into a call overflows the stack.
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const [index, place] of places.entries()) {
    const old = lines.slice(place.start, place.end);
    const code = codes[index] ?? '';
    pieces.push(lines.slice(at, place.start), code === '' ? old : instead(old, code, place, style, isComplete));
    // What is put in at the end of a text ends with a line end of its own.
    if (code !== '' && place.end >= lines.length && old.every((line) => line.trim() === '')) pieces.push(['']);
    at = place.end;
  }
  return [...pieces, lines.slice(at)].flat();
}

function instead(
  old: readonly string[],
  code: string,
  { start, end, indent }: Place,
  style: Indentation | undefined,
  isComplete: boolean,
): readonly string[] {
  const own = indentedAs(linesOf(code.replace(/\r?\n$/, '')), style);
  // A whole file says itself where its first column is.
  const isWhole = start === 0 && indent === '' && end > start;
  const moved = isWhole ? own : movedTo(own, indent);
  if (!isComplete) return [...moved, ...old.slice(moved.length)];
  return old.length > 1 && old.at(-1) === '' ? [...moved, ''] : moved;
}
