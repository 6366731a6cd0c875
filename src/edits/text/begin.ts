import { afterDecorators, isCommentLine, isDecorator } from './asideLines.ts';
import { headerEnd } from './header.ts';
import { indentOf, isBlank } from './lines.ts';
import type { Code } from './units.ts';

/** The maximum number of lines of a decorator. */
const maxDecoratorLines = 200;

/**
 * Returns the line at which a declaration begins: the first of its comments, decorators and attributes, which are
 * directly above it at its indentation. Comments about the whole file do not belong to it. `head` and `character` are
 * the position where it begins without them. Returns null if other code precedes it in its line.
 */
export function beginOf(code: Code, head: number, character: number): number | null {
  const { lines, scan, languageId } = code;
  const before = (lines[head] ?? '').slice(0, character).replace(/\/\*.{0,300}?\*\//g, '');
  // Words such as `export` or `type` belong to the declaration, and so does the mark of a list item.
  if (scan.inComment[head] !== true && !/^[\w\s-]*$/.test(afterDecorators(before, languageId) ?? '(')) return null;
  const minLine = headerEnd(lines);
  let begin = head;
  while (begin > 0 && scan.inComment[begin] === true) begin -= 1;
  const indent = indentOf(lines[begin] ?? '');
  while (begin > minLine) {
    const above = asideThatEndsAt(code, begin - 1);
    if (above === null || above < minLine || indentOf(lines[above] ?? '') !== indent) break;
    begin = above;
  }
  return begin;
}

/** Returns the first line of the comment, decorator or attribute that ends at a line, or null if none ends there. */
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

/**
 * Whether a line belongs to no declaration below it: attributes of an assembly or crate, and comments about the
 * enclosing item.
 */
function isAboutOuter(line: string, languageId: string): boolean {
  if (languageId === 'csharp') return /^\s*\[(?:assembly|module)\s*:/.test(line);
  return languageId === 'rust' && /^\s*(?:\/\/!|\/\*!|#!)/.test(line);
}

/** Returns the first line of a multi-line decorator whose last bracket ends a line, or null. */
function longDecorator({ lines, scan, languageId }: Code, last: number): number | null {
  const depth = scan.after[last] ?? 0;
  if (!/[)\]]\s*$/.test(lines[last] ?? '')) return null;
  const minLine = Math.max(0, last - maxDecoratorLines);
  let first = last;
  while (first > minLine && ((scan.before[first] ?? 0) > depth || scan.inText[first] === true)) first -= 1;
  // No line has the opening bracket.
  if ((scan.before[first] ?? 0) > depth) return null;
  const line = lines[first] ?? '';
  return first < last && !isAboutOuter(line, languageId) && afterDecorators(line, languageId) === null ? first : null;
}
