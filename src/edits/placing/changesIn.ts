import { matchLines } from '../../util/text/lineDiff.ts';
import type { Patch } from './patch.ts';

/** The differences between lines of a file and the lines that replace them. */
export function changesIn(file: readonly string[], { start, end, lines }: Patch): readonly Patch[] {
  const patches: Patch[] = [];
  let [at, newLine] = [start, 0];
  const upTo = (line: number, other: number): void => {
    if (at < line || newLine < other) patches.push({ start: at, end: line, lines: lines.slice(newLine, other) });
    [at, newLine] = [line + 1, other + 1];
  };
  for (const [line, other] of matchLines(file.slice(start, end), lines)) upTo(start + line, other);
  upTo(end, lines.length);
  return patches;
}
