/** Lines of the new file, counted from 1, both in it. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines that a unified diff of one file adds or changes. Where it only removes, the line after which that was is
 * named, because what is missing now shows there.
 */
export function changedLines(diff: string): readonly LineRange[] {
  const ranges: LineRange[] = [];
  let line = 0;
  let left = 0;
  const touch = (at: number): void => {
    const last = ranges.at(-1);
    if (last !== undefined && at <= last.last + 1)
      ranges[ranges.length - 1] = { ...last, last: Math.max(last.last, at) };
    else ranges.push({ first: at, last: at });
  };
  for (const text of diff.split('\n')) {
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(text);
    if (hunk !== null) {
      line = Number(hunk[2]);
      // A hunk of no new lines is after the line it names.
      if (hunk[3] === '0') line += 1;
      left = Number(hunk[1] ?? 1) + Number(hunk[3] ?? 1);
    } else if (left > 0) {
      if (text.startsWith('+')) {
        touch(line);
        line += 1;
        left -= 1;
      } else if (text.startsWith('-')) {
        touch(Math.max(1, line - 1));
        left -= 1;
      } else if (!text.startsWith('\\')) {
        line += 1;
        left -= 2;
      }
    }
  }
  return ranges;
}

export function touches(ranges: readonly LineRange[], first: number, last: number): boolean {
  return ranges.some((range) => range.first <= last && range.last >= first);
}
