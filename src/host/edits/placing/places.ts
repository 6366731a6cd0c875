import type { Span } from '../../../util/text/span.ts';
import { linesOf } from '../hunks.ts';
import { type Fit, fitOf } from './fit.ts';
import { commonIndent, type Indentation, indentationOf, indentedAs, movedTo } from './indentation.ts';

/** Whole lines that code replaces: from `start` to before `end`, zero-based. Empty where code is inserted. */
export interface Place extends Span {
  /** The indentation of the code. */
  readonly indent: string;
}

/** A selection, in the shape of VS Code's. */
export interface Selected {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** Where code is inserted: in place of a blank line at the cursor, else on new lines after the selection. */
export function placeAfter(lines: readonly string[], { start, end }: Selected): Place {
  const isEmpty = start.line === end.line && start.character === end.character;
  const line = !isEmpty && end.character === 0 ? end.line - 1 : end.line;
  const text = lines[line] ?? '';
  const indent = /^\s*/.exec(text)?.[0] ?? '';
  return isEmpty && text.trim() === ''
    ? { start: line, end: line + 1, indent }
    : { start: line + 1, end: line + 1, indent };
}

/** The lines of the selections, with adjacent ones merged; for an empty selection, its line. */
export function placesOf(lines: readonly string[], selections: readonly Selected[]): readonly Place[] {
  const spans = selections
    .map(({ start, end }) => ({
      start: start.line,
      end: end.line > start.line && end.character === 0 ? end.line : end.line + 1,
    }))
    .sort((a, b) => a.start - b.start);
  const apart: Span[] = [];
  for (const span of spans) {
    const last = apart.at(-1);
    if (last === undefined || span.start > last.end) apart.push(span);
    else apart[apart.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return apart.map(({ start, end }) => ({ start, end, indent: commonIndent(lines.slice(start, end)) }));
}

/** The whole text. */
export function wholeOf(lines: readonly string[]): Place {
  return { start: 0, end: lines.length, indent: '' };
}

/** What replaces a place: code, or the exact lines. */
export type PlaceCode = string | { readonly lines: readonly string[] };

/**
 * What the code of each place replaces; see fitOf(). Where the place or the code is empty, the code replaces all of it.
 */
export function fitsOf(
  lines: readonly string[],
  places: readonly Place[],
  codes: readonly string[],
  isAsked: boolean,
): readonly Fit[] {
  const style = indentationOf(lines);
  return places.map((place, index) => {
    const code = codes[index] ?? '';
    const old = withoutEnd(lines.slice(place.start, place.end));
    return code === '' ? { is: 'whole', isSure: true } : fitOf(old, movedCode(code, place, style), isAsked);
  });
}

/**
 * The lines with the code of each place inserted, indented like its surroundings. While the code is still streaming
 * (`isComplete` is false) the lines it has not reached stay, so that the diff does not show them as deleted. A place
 * without code does not change.
 */
export function proposedLines(
  lines: readonly string[],
  places: readonly Place[],
  codes: readonly PlaceCode[],
  isComplete: boolean,
): readonly string[] {
  const style = indentationOf(lines);
  // Arrays joined at the end: spreading a hundred thousand lines into a call overflows the stack.
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const [index, place] of places.entries()) {
    const old = lines.slice(place.start, place.end);
    const code = codes[index] ?? '';
    pieces.push(lines.slice(at, place.start));
    if (code === '') pieces.push(old);
    else if (typeof code !== 'string') pieces.push(withEndOf(old, code.lines));
    else pieces.push(replacementLines(old, movedCode(code, place, style), isComplete));
    // Code inserted at the end of a text gets a final line end.
    if (code !== '' && place.end >= lines.length && old.every((line) => line.trim() === '')) pieces.push(['']);
    at = place.end;
  }
  return [...pieces, lines.slice(at)].flat();
}

function replacementLines(old: readonly string[], moved: readonly string[], isComplete: boolean): readonly string[] {
  return isComplete ? withEndOf(old, moved) : [...moved, ...old.slice(moved.length)];
}

/** The code, indented for its place. */
function movedCode(code: string, { start, end, indent }: Place, style: Indentation | undefined): readonly string[] {
  const own = indentedAs(linesOf(code.replace(/\r?\n$/, '')), style);
  // A whole file defines its own first column.
  const isWhole = start === 0 && indent === '' && end > start;
  return isWhole ? own : movedTo(own, indent);
}

/** A text that ends with a line end has an empty last line. */
function hasEnd(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.at(-1) === '';
}

function withoutEnd(lines: readonly string[]): readonly string[] {
  return hasEnd(lines) ? lines.slice(0, -1) : lines;
}

function withEndOf(old: readonly string[], lines: readonly string[]): readonly string[] {
  return hasEnd(old) ? [...lines, ''] : lines;
}
