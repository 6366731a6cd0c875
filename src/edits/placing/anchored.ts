import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank, isDistinctive } from '../text/lines.ts';
import { indentedLike } from './indent.ts';
import { occurrences } from './occurrences.ts';
import type { Patch } from './patch.ts';
import { countText, type FileText } from './region.ts';

/** The maximum number of lines at either end of the code that serve as an anchor. */
const maxAnchorLines = 12;

/**
 * The patch for code whose first and last lines occur exactly once in the file. It replaces these lines and those
 * between them. Returns null if it would remove more lines than it adds.
 */
export function anchoredPatch(file: FileText, region: Span, lines: readonly string[]): Patch | null {
  const trimmed = file.code.lines.slice(region.start, region.end).map((line) => line.trim());
  const codeTexts = lines.map((line) => line.trim());
  const start = runAtStart(codeTexts, trimmed);
  const end = runAtStart(codeTexts.toReversed(), trimmed.toReversed());
  if (start === null || end === null) return null;
  const [from, to] = [start.at, trimmed.length - end.at];
  if (to < from + start.length || to - end.length < from) return null;
  const old = file.code.lines.slice(region.start + from, region.start + to);
  const [newLines, oldLines] = [new Set(codeTexts), new Set(old.map((line) => line.trim()))];
  const removed = old.filter((line) => !isBlank(line) && !newLines.has(line.trim())).length;
  const added = lines.filter((line) => !isBlank(line) && !oldLines.has(line.trim())).length;
  if (removed > added || countText(old) > countText(lines) + added) return null;
  const { languageId } = file.code;
  const moved = indentedLike(lines, old, { languageId, step: file.step, indent: indentOf(old[0] ?? '') });
  return moved === null ? null : { start: region.start + from, end: region.start + to, lines: moved };
}

/** Returns the shortest run of lines at the start of the code that occurs exactly once in the file, or null. */
function runAtStart(
  codeTexts: readonly string[],
  file: readonly string[],
): { readonly at: number; readonly length: number } | null {
  for (let length = 1; length <= Math.min(maxAnchorLines, codeTexts.length); length += 1) {
    const run = codeTexts.slice(0, length);
    if (!run.some(isDistinctive)) continue;
    const [first, ...others] = occurrences(file, run);
    if (first === undefined) return null;
    if (others.length === 0) return { at: first, length };
  }
  return null;
}
