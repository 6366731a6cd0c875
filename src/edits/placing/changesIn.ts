import { matchLines } from '../../util/text/lineDiff.ts';
import type { Patch } from './patch.ts';

/** The differences between lines of a file and the lines that replace them. */
export function changesIn(file: readonly string[], { start, end, lines }: Patch): readonly Patch[] {
  const patches: Patch[] = [];
  let [at, own] = [start, 0];
  const upTo = (line: number, other: number): void => {
    if (at < line || own < other) patches.push({ start: at, end: line, lines: lines.slice(own, other) });
    [at, own] = [line + 1, other + 1];
  };
  for (const [line, other] of matchLines(file.slice(start, end), lines)) upTo(start + line, other);
  upTo(end, lines.length);
  return patches;
}
