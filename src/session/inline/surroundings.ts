import type { Place } from './place.ts';

/** What opens a comment or text of several lines, and what ends it. */
const delimiters = [
  ['/*', '*/'],
  ['<!--', '-->'],
  ['"""', '"""'],
  ["'''", "'''"],
] as const;

const blankLine = /\n[ \t]*\n/;

/**
 * The comment around a place, as far as it is known without knowing the language: the lines up to a blank one in both
 * directions, and the whole of a block comment that is open there. It may be more than the comment, never less. From an
 * offset in `before` to one in `after`.
 */
export function surroundings({ before, after }: Place): { readonly from: number; readonly to: number } {
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

/** Is what opens last still open at the end of `before`? Where both look the same, every second one closes. */
function isOpen(before: string, opened: number, opening: string, closing: string): boolean {
  if (opening === closing) return before.split(opening).length % 2 === 0;
  return before.indexOf(closing, opened + opening.length) === -1;
}
