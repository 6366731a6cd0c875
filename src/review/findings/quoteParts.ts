import { foldMarks } from './fold.ts';

/** The maximum number of pieces between `...` that are searched for. Further pieces are ignored. */
const maxPieces = 10;
/** The minimum length of a piece, because shorter pieces would be found anywhere. */
const minPiece = 3;

const elision = /\.{3,}|…/;
const commentBeforeElision = /(?:\/\/|#|--|\/\*|<!--)$/;
const numbered = /^\s*\d{1,6}\s?[:|│]/;

/** Returns a quote and its variants: without line numbers, without the `+` of a diff, and without the backticks around it. */
export function variantsOf(quote: string): readonly string[] {
  const lines = quote.split('\n');
  const variants = [quote];
  if (lines.some((line) => numbered.test(line)))
    variants.push(lines.map((line) => line.replace(numbered, '')).join('\n'));
  if (lines.some((line) => line.startsWith('+')))
    variants.push(lines.map((line) => line.replace(/^\+/, '')).join('\n'));
  if (quote.startsWith('`') && quote.endsWith('`')) variants.push(quote.replace(/^`{1,3}/, '').replace(/`{1,3}$/, ''));
  return variants;
}

/**
 * Returns the pieces of a quote that must occur in the file, as foldMarks() returns them. The quote is split at `...` and at
 * masked secrets. Returns an empty array if the pieces are too short to be found reliably.
 */
export function piecesOf(quote: string, mask: RegExp): readonly string[] {
  const pieces = quote
    .split(mask)
    .flatMap((part) =>
      part.split(elision).map((piece) => foldMarks(piece.trimEnd().replace(commentBeforeElision, '')).text),
    )
    .filter((piece) => piece !== '')
    .slice(0, maxPieces);
  return pieces.some((piece) => isDistinctive(piece)) && (pieces[0]?.length ?? 0) >= minPiece ? pieces : [];
}

/** Returns the first line that has more than brackets, or '' if there is none. */
export function firstLineOf(quote: string): string {
  return quote.split('\n').find((line) => isDistinctive(foldMarks(line).text)) ?? '';
}

function isDistinctive(folded: string): boolean {
  return folded.length >= minPiece && /[\p{L}\p{N}]/u.test(folded);
}
