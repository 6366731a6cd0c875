import { isCommentLine } from '../text/asideLines.ts';
import { isBlank } from '../text/lines.ts';
import type { Patch } from './patch.ts';

/** The maximum length of a line that is read. */
const maxLength = 2_000;

/**
 * Returns a JSON file with these changes, in order, with a comma between elements where lines have changed, and none before a closing
 * bracket: the answer shows only some of the elements.
 */
export function withSeparators(
  lines: readonly string[],
  patches: readonly Patch[],
  languageId: string,
): readonly string[] {
  const result = [...lines];
  let shift = 0;
  const isText = (line: string): boolean => !isBlank(line) && !isCommentLine(line, languageId);
  for (const { start, end, lines: added } of patches) {
    const last = start + shift + added.length;
    for (let edge = start + shift; edge <= last; edge += 1) {
      if (edge < last && !isText(result[edge] ?? '')) continue;
      let [above, below] = [edge - 1, edge];
      while (above >= 0 && !isText(result[above] ?? '')) above -= 1;
      while (below < result.length && !isText(result[below] ?? '')) below += 1;
      if (above >= 0 && below < result.length)
        result[above] = separated(result[above] ?? '', result[below] ?? '', languageId);
    }
    shift += added.length - (end - start);
  }
  return result;
}

function separated(line: string, next: string, languageId: string): string {
  const text = line.trimEnd();
  // A comment may follow the element.
  if (text.length > maxLength || text.replace(/"(?:[^"\\]|\\.)*"/g, '""').includes('/')) return line;
  if (/^\s*[\]}]/.test(next)) return languageId === 'json' ? text.replace(/,$/, '') : line;
  return /[\w"\]}]$/.test(text) ? `${text},` : line;
}

/** Keeps the comma after an element that replaces another: a part of an answer often ends without it. */
export function withComma(lines: readonly string[], old: readonly string[]): readonly string[] {
  const last = lines.at(-1) ?? '';
  const isElement = old.at(-1)?.trimEnd().endsWith(',') === true && /[\p{L}\p{N}_\])}"'`]$/u.test(last);
  return isElement ? [...lines.slice(0, -1), `${last},`] : lines;
}
