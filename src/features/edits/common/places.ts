import type { Place } from '../../../edits/place.ts';
import { indentOf, isBlank } from '../../../edits/text/lines.ts';
import type { Span } from '../../../util/text/span.ts';

/** A selection, in the shape of VS Code's. */
export interface Selected {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
}

/** The place where code is inserted: a blank line at the cursor, or else new lines after the selection. */
export function placeAfter(lines: readonly string[], { start, end }: Selected): Place {
  const isEmpty = start.line === end.line && start.character === end.character;
  const line = !isEmpty && end.character === 0 ? end.line - 1 : end.line;
  const text = lines[line] ?? '';
  const indent = indentOf(text);
  return isEmpty && isBlank(text)
    ? { start: line, end: line + 1, indent: text }
    : { start: line + 1, end: line + 1, indent };
}

/** The lines of the selections, with adjacent ones merged. An empty selection stands for its line. */
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
  return apart.map(({ start, end }) => ({ start, end, indent: firstIndent(lines.slice(start, end)) }));
}

/** The whole text as a place. */
export function wholeOf(lines: readonly string[]): Place {
  return { start: 0, end: lines.length, indent: '' };
}

/**
 * The lines with the code that has arrived so far for each place. Lines that the code has not reached stay, so that the
 * diff does not show them as deleted. A place without code does not change.
 */
export function growingLines(
  lines: readonly string[],
  places: readonly Place[],
  codes: readonly string[],
): readonly string[] {
  // The arrays are joined at the end, because spreading a hundred thousand lines into a call overflows the stack.
  const pieces: (readonly string[])[] = [];
  let at = 0;
  for (const [index, place] of places.entries()) {
    const old = lines.slice(place.start, place.end);
    const code = codes[index] ?? '';
    pieces.push(lines.slice(at, place.start));
    if (code === '') pieces.push(old);
    else {
      const shown = shownAt(code.replace(/\r?\n$/, '').split(/\r\n|\r|\n/), place.indent);
      pieces.push(shown, old.slice(shown.length));
    }
    at = place.end;
  }
  return [...pieces, lines.slice(at)].flat();
}

function shownAt(code: readonly string[], indent: string): readonly string[] {
  const codeIndent = firstIndent(code);
  if (codeIndent === indent) return code;
  return code.map((line) =>
    line.startsWith(codeIndent) && !isBlank(line) ? indent + line.slice(codeIndent.length) : line,
  );
}

function firstIndent(lines: readonly string[]): string {
  return indentOf(lines.find((line) => !isBlank(line)) ?? '');
}
