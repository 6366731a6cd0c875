import { isBlank } from '../text/lines.ts';
import { isCommentLine } from '../text/units.ts';
import type { Patch } from './patch.ts';

/**
 * Returns a JSON file with these changes, in order, with a comma between elements where a change begins or ends, and none before a
 * closing bracket: the answer shows only some of the elements.
 */
export function withSeparators(
  lines: readonly string[],
  patches: readonly Patch[],
  languageId: string,
): readonly string[] {
  const result = [...lines];
  let shift = 0;
  for (const {
    start,
    end,
    lines: { length },
  } of patches) {
    for (const edge of [start + shift, start + shift + length]) separate(result, edge, languageId);
    shift += length - (end - start);
  }
  return result;
}

function separate(lines: string[], edge: number, languageId: string): void {
  const isText = (line: string): boolean => !isBlank(line) && !isCommentLine(line, languageId);
  const above = lines.findLastIndex((line, at) => at < edge && isText(line));
  const next = lines.find((line, at) => at >= edge && isText(line))?.trim();
  const upper = lines[above]?.trimEnd();
  if (upper === undefined || next === undefined || upper.replace(/"(?:[^"\\]|\\.)*"/g, '""').includes('/')) return;
  if (/^[\]}]/.test(next)) {
    if (languageId === 'json') lines[above] = upper.replace(/,$/, '');
  } else if (/[\w"\]}]$/.test(upper)) lines[above] = `${upper},`;
}
