import type { Span } from '../../util/text/span.ts';

/** The position of a quote in a file, in UTF-16 units from its start; `file` if it was not found. */
export type Place = ({ readonly kind: 'exact' | 'folded' | 'masked' } & Span) | { readonly kind: 'file' };

interface Locator {
  /** `line` (counted from 1) selects the nearest of several matches. */
  locate(quote: string, line: number | null): Place;
}

/** The replacement for a secret that was masked before the file left. */
const mask = /\[masked: [\w.-]{1,60}(?: [a-z2-7]{5})?\]/;
/** The maximum length of a masked secret, with white space folded. */
const maxSecret = 8192;
/** Further matches are ignored. */
const maxPlaces = 2000;

/** Searches for quotes in one text. Derived data of the text is computed once, on first use. */
export function createLocator(text: string): Locator {
  let starts: readonly number[] | undefined;
  let folded: Folded | undefined;
  const lineAt = (offset: number): number => {
    starts ??= lineStarts(text);
    return lineOf(starts, offset);
  };
  const nearest = (found: readonly Span[], line: number | null): Span | undefined => {
    if (line === null || found.length < 2) return found[0];
    const distance = ({ start }: Span): number => Math.abs(lineAt(start) - line);
    return found.reduce((best, span) => (distance(span) < distance(best) ? span : best));
  };

  return {
    locate(quote, line) {
      const wanted = quote.trim();
      if (wanted === '') return { kind: 'file' };
      const exact = nearest(placesOf(text, [wanted], 0), line);
      if (exact !== undefined) return { kind: 'exact', ...exact };
      folded ??= fold(text);
      const { text: foldedText, offsets } = folded;
      const pieces = wanted.split(mask).map((piece) => fold(piece).text.trim());
      const isMasked = pieces.length > 1;
      // A single mark without other text would match everywhere.
      if (pieces.every((piece) => piece === '')) return { kind: 'file' };
      const spans = placesOf(foldedText, pieces, isMasked ? maxSecret : 0).map(({ start, end }) => ({
        start: offsets[start] ?? 0,
        end: (offsets[end - 1] ?? 0) + 1,
      }));
      const span = nearest(spans, line);
      return span === undefined ? { kind: 'file' } : { kind: isMasked ? 'masked' : 'folded', ...span };
    },
  };
}

/** All positions where the pieces follow each other, at most `gap` apart. An empty piece matches anything. */
function placesOf(text: string, pieces: readonly string[], gap: number): readonly Span[] {
  const [first = '', ...rest] = pieces.filter((piece) => piece !== '');
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

interface Folded {
  readonly text: string;
  /** The original offset of each character of `text`. */
  readonly offsets: Uint32Array;
}

/** Replaces each run of white space with one blank. */
function fold(text: string): Folded {
  const offsets = new Uint32Array(text.length);
  let folded = '';
  let isBlank = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    const isSpace = character <= ' ' || character === '\u00a0' || character === '\ufeff';
    if (isSpace && isBlank) continue;
    offsets[folded.length] = index;
    folded += isSpace ? ' ' : character;
    isBlank = isSpace;
  }
  return { text: folded, offsets };
}

export function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let index = text.indexOf('\n'); index !== -1; index = text.indexOf('\n', index + 1)) starts.push(index + 1);
  return starts;
}

/** The line, counted from 1, that contains an offset. */
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
