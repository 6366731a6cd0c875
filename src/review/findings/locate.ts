import type { Span } from '../../util/text/span.ts';
import { type Folded, foldBlanks, foldMarks } from './fold.ts';
import { firstLineOf, piecesOf, variantsOf } from './quoteParts.ts';

/**
 * The position of a quote in a file, in UTF-16 units from its start. `folded`: found with other white space. `masked`: found
 * with marks in place of secrets. `loose`: found with other quotation marks or `...`, or without white space. `first-line`:
 * only the first line of the quote was found. `line`: the line that the answer names, which is approximate. `file`: nothing
 * was found.
 */
export type Place =
  | ({ readonly kind: 'exact' | 'folded' | 'masked' | 'loose' | 'first-line' | 'line' } & Span)
  | { readonly kind: 'file' };

interface Locator {
  /** `line` (counted from 1) selects the nearest of several matches, and is the place if there is no match. */
  locate(quote: string, line: number | null): Place;
}

/** The replacement for a secret that was masked before the file was sent. */
const mask = /\[masked: [\w.-]{1,60}(?: [a-z2-7]{5})?\]/;
/** The maximum length of a masked secret, or of the text that `...` replaces, with white space folded. */
const maxGap = 8192;
/** The maximum number of matches of a quote. Further matches are ignored. */
const maxPlaces = 2000;
/** The number of lines below a named blank line that are searched for text. */
const linesBelow = 3;

/** Searches for quotes in one text. Derived data of the text is computed once, on first use. */
export function createLocator(text: string): Locator {
  let starts: readonly number[] | undefined;
  const folds = new Map<(text: string) => Folded, Folded>();
  const startsOf = (): readonly number[] => {
    starts ??= lineStarts(text);
    return starts;
  };
  const nearest = (found: readonly Span[], line: number | null): Span | undefined => {
    if (line === null || found.length < 2) return found[0];
    const distance = ({ start }: Span): number => Math.abs(lineOf(startsOf(), start) - line);
    return found.reduce((best, span) => (distance(span) < distance(best) ? span : best));
  };
  /** Returns the nearest place in the folded text that contains the pieces, in order and close to each other. */
  const inFolded = (pieces: readonly string[], fold: (text: string) => Folded, line: number | null) => {
    const folded = folds.get(fold) ?? fold(text);
    folds.set(fold, folded);
    const spans = placesOf(folded.text, pieces, pieces.length > 1 ? maxGap : 0).map(({ start, end }) => ({
      start: folded.offsets[start] ?? 0,
      end: (folded.offsets[end - 1] ?? 0) + 1,
    }));
    return nearest(spans, line);
  };

  return {
    locate(quote, line) {
      const wanted = quote.trim();
      if (wanted === '') return lineAt(text, startsOf(), line);
      const exact = nearest(placesOf(text, [wanted], 0), line);
      if (exact !== undefined) return { kind: 'exact', ...exact };
      const pieces = wanted.split(mask).map((piece) => foldBlanks(piece).text.trim());
      const isMasked = pieces.length > 1;
      // A single mark without other text would match everywhere.
      if (pieces.every((piece) => piece === '')) return lineAt(text, startsOf(), line);
      const span = inFolded(pieces, foldBlanks, line);
      if (span !== undefined) return { kind: isMasked ? 'masked' : 'folded', ...span };
      for (const variant of variantsOf(wanted)) {
        const loose = inFolded(piecesOf(variant, mask), foldMarks, line);
        if (loose !== undefined) return { kind: isMasked ? 'masked' : 'loose', ...loose };
      }
      for (const variant of variantsOf(wanted)) {
        const first = inFolded(piecesOf(firstLineOf(variant), mask), foldMarks, line);
        if (first !== undefined) return { kind: 'first-line', ...first };
      }
      return lineAt(text, startsOf(), line);
    },
  };
}

/** Returns a line without the white space around it, or the next line that is not blank. */
function lineAt(text: string, starts: readonly number[], line: number | null): Place {
  if (line === null || line > starts.length) return { kind: 'file' };
  for (let index = line - 1; index < Math.min(line + linesBelow, starts.length); index += 1) {
    const start = starts[index] ?? 0;
    const whole = text.slice(start, starts[index + 1] ?? text.length);
    if (whole.trim() === '') continue;
    const indent = whole.length - whole.trimStart().length;
    return { kind: 'line', start: start + indent, end: start + whole.trimEnd().length };
  }
  return { kind: 'file' };
}

/** Returns all positions at which the pieces follow each other, at most `gap` apart. An empty piece matches anything. */
function placesOf(text: string, pieces: readonly string[], gap: number): readonly Span[] {
  const [first, ...rest] = pieces.filter((piece) => piece !== '');
  if (first === undefined) return [];
  const found: Span[] = [];
  for (
    let start = text.indexOf(first);
    start !== -1 && found.length < maxPlaces;
    start = text.indexOf(first, start + 1)
  ) {
    let end = start + first.length;
    for (const piece of rest) {
      const window = text.slice(end, end + gap + piece.length);
      const next = window.indexOf(piece);
      end = next === -1 ? -1 : end + next + piece.length;
      if (end === -1) break;
    }
    if (end !== -1) found.push({ start, end });
  }
  return found;
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}

/** Returns the line, counted from 1, that contains an offset. */
export function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low + 1;
}
