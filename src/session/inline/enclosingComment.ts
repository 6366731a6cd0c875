import type { Place } from './place.ts';

/** The opening and closing delimiters of multi-line comments and strings. */
const delimiters = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['"""', '"""'],
  ["'''", "'''"],
] as const;

const blankLine = /\n[ \t]*\n/;

/**
 * The range of the comment around a place, estimated without knowing the language: the lines up to a blank one in both
 * directions, and the whole of an open block comment. It may be more than the comment, never less. `from` is an offset
 * in `before`, `to` an offset in `after`.
 */
export function enclosingComment({ before, after }: Place): { readonly from: number; readonly to: number } {
  let from = before.length - (before.split(blankLine).at(-1)?.length ?? 0);
  let to = blankLine.exec(after)?.index ?? after.length;
  for (const [opening, closing] of delimiters) {
    const opened = before.lastIndexOf(opening);
    if (opened === -1 || !isOpen(before, opened, opening, closing)) continue;
    from = Math.min(from, opened);
    const closed = after.indexOf(closing);
    to = Math.max(to, closed === -1 ? after.length : closed + closing.length);
  }
  return { from, to };
}

/** Whether the last opening is still open at the end of `before`. Equal delimiters open and close in turn. */
function isOpen(before: string, opened: number, opening: string, closing: string): boolean {
  if (opening === closing) return before.split(opening).length % 2 === 0;
  return before.indexOf(closing, opened + opening.length) === -1;
}
