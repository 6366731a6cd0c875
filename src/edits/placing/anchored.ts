import type { Span } from '../../util/text/span.ts';
import { indentOf, isBlank, isTelling } from '../text/lines.ts';
import { indentedLike } from './indent.ts';
import { occurrences } from './occurrences.ts';
import type { Patch } from './patch.ts';
import { countText, type FileText } from './region.ts';

/** The most lines at an end of a code that are needed to find it. */
const mostLines = 12;

/**
 * Code that begins and ends with lines that stand exactly once in the file: it goes in the place of these and of those
 * between them, if it takes out no more lines than it brings.
 */
export function anchoredPatch(file: FileText, region: Span, lines: readonly string[]): Patch | null {
  const trimmed = file.code.lines.slice(region.start, region.end).map((line) => line.trim());
  const own = lines.map((line) => line.trim());
  const start = runAtStart(own, trimmed);
  const end = runAtStart(own.toReversed(), trimmed.toReversed());
  if (start === null || end === null) return null;
  const [from, to] = [start.at, trimmed.length - end.at];
  if (to < from + start.length || to - end.length < from) return null;
  const old = file.code.lines.slice(region.start + from, region.start + to);
  const [said, had] = [new Set(own), new Set(old.map((line) => line.trim()))];
  const gone = old.filter((line) => !isBlank(line) && !said.has(line.trim())).length;
  const brought = lines.filter((line) => !isBlank(line) && !had.has(line.trim())).length;
  if (gone > brought || countText(old) > countText(lines) + brought) return null;
  const { languageId } = file.code;
  const moved = indentedLike(lines, old, { languageId, step: file.step, indent: indentOf(old[0] ?? '') });
  return moved === null ? null : { start: region.start + from, end: region.start + to, lines: moved };
}

/** The shortest beginning of the code that stands exactly once in the file. */
function runAtStart(
  own: readonly string[],
  file: readonly string[],
): { readonly at: number; readonly length: number } | null {
  for (let length = 1; length <= Math.min(mostLines, own.length); length += 1) {
    const run = own.slice(0, length);
    if (!run.some(isTelling)) continue;
    const [first, ...others] = occurrences(file, run);
    if (first === undefined) return null;
    if (others.length === 0) return { at: first, length };
  }
  return null;
}
