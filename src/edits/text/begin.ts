import { headerEnd } from './header.ts';
import { indentOf, isBlank } from './lines.ts';
import { afterDecorators, type Code, isCommentLine, isDecorator } from './units.ts';

/** The most lines of a decorator. */
const longest = 200;

/**
 * The line at which a declaration begins: the first of its comments, decorators and attributes, which stand directly
 * above it at its indentation. Comments about the whole file are not its own. `head` and `character`: where it begins
 * without them; null where other code stands before it in its line.
 */
export function beginOf(code: Code, head: number, character: number): number | null {
  const { lines, scan, languageId } = code;
  const before = (lines[head] ?? '').slice(0, character).replace(/\/\*.{0,300}?\*\//g, '');
  // Words such as `export` or `type` are its own, and so is the mark of an item.
  if (scan.inComment[head] !== true && !/^[\w\s-]*$/.test(afterDecorators(before, languageId) ?? '(')) return null;
  const least = headerEnd(lines);
  let begin = head;
  while (begin > 0 && scan.inComment[begin] === true) begin -= 1;
  const indent = indentOf(lines[begin] ?? '');
  while (begin > least) {
    const above = asideThatEndsAt(code, begin - 1);
    if (above === null || above < least || indentOf(lines[above] ?? '') !== indent) break;
    begin = above;
  }
  return begin;
}

/** The first line of the comment, decorator or attribute that ends with a line; null where none does. */
function asideThatEndsAt(code: Code, last: number): number | null {
  const { lines, scan, languageId } = code;
  const line = lines[last] ?? '';
  if (isBlank(line) || scan.inText[last] === true) return null;
  if (isAboutOuter(line, languageId)) return null;
  if (scan.inComment[last] === true) {
    let first = last;
    while (first > 0 && scan.inComment[first] === true) first -= 1;
    return /^\s*(?:\/\*|<!--)/.test(lines[first] ?? '') && /(?:\*\/|-->)\s*$/.test(line) ? first : null;
  }
  if (/^\s*(?:\/\*|<!--)/.test(line)) return /(?:\*\/|-->)\s*$/.test(line) ? last : null;
  if (isCommentLine(line, languageId) || isDecorator(line, languageId)) return last;
  return longDecorator(code, last);
}

/** Attributes of an assembly or crate, and comments about what is around, belong to no declaration below. */
function isAboutOuter(line: string, languageId: string): boolean {
  if (languageId === 'csharp') return /^\s*\[(?:assembly|module)\s*:/.test(line);
  return languageId === 'rust' && /^\s*(?:\/\/!|\/\*!|#!)/.test(line);
}

/** The first line of a decorator over several lines whose last bracket ends a line. */
function longDecorator({ lines, scan, languageId }: Code, last: number): number | null {
  const depth = scan.after[last] ?? 0;
  if (!/[)\]]\s*$/.test(lines[last] ?? '')) return null;
  const least = Math.max(0, last - longest);
  let first = last;
  while (first > least && ((scan.before[first] ?? 0) > depth || scan.inText[first] === true)) first -= 1;
  const line = lines[first] ?? '';
  return first < last && !isAboutOuter(line, languageId) && afterDecorators(line, languageId) === null ? first : null;
}
