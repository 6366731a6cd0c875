import { foldMarks } from './fold.ts';

/** More pieces between `...` are ignored. */
const maxPieces = 10;
/** Shorter pieces would be found anywhere. */
const minPiece = 3;

const elision = /\.{3,}|…/;
const commentBeforeElision = /(?:\/\/|#|--|\/\*|<!--)$/;
const numbered = /^\s*\d{1,6}\s?[:|│]/;

/** A quote, and the same without line numbers, without the marks of a diff, and without backticks around it. */
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
 * What of a quote stands in the file, piece by piece, as foldMarks() returns it: between `...`, and between masked
 * secrets. Empty if there is not enough of it.
 */
export function piecesOf(quote: string, mask: RegExp): readonly string[] {
  const pieces = quote
    .split(mask)
    .flatMap((part) =>
      part.split(elision).map((piece) => foldMarks(piece.trimEnd().replace(commentBeforeElision, '')).text),
    )
    .filter((piece) => piece !== '')
    .slice(0, maxPieces);
  return pieces.some((piece) => isTelling(piece)) && (pieces[0]?.length ?? 0) >= minPiece ? pieces : [];
}

/** The first line that is more than brackets; empty if no line is. */
export function firstLineOf(quote: string): string {
  return quote.split('\n').find((line) => isTelling(foldMarks(line).text)) ?? '';
}

function isTelling(folded: string): boolean {
  return folded.length >= minPiece && /[\p{L}\p{N}]/u.test(folded);
}
