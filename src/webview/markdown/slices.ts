/** A part of a block of code, by itself. */
export interface Slice {
  readonly text: string;
  /** Stays plain: some grammars take a time that grows with the square of a line's length. */
  readonly isPlain: boolean;
}

/** Characters of a slice, at most. The slowest grammar takes 90 ms for so much of the worst text, and seconds for 50 KB. */
export const sliceLimit = 4 * 1024;
const lineLimit = 1_000;

/**
 * Code in parts that are coloured one after the other, because nothing stops a grammar that has begun. They end where code
 * has a gap, if they can: what goes on beyond an end, such as a long comment, may lose its colour there.
 */
export function slicesOf(code: string): readonly Slice[] {
  const slices: Slice[] = [];
  const lines: string[] = [];
  let length = 0;
  const take = (count: number): void => {
    if (count > 0) slices.push({ text: lines.splice(0, count).join(''), isPlain: false });
    length = lines.reduce((sum, line) => sum + line.length, 0);
  };
  for (const line of code.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    if (line.length > lineLimit) {
      take(lines.length);
      slices.push({ text: line, isPlain: true });
      continue;
    }
    while (length + line.length > sliceLimit) take(gapIn(lines));
    lines.push(line);
    length += line.length;
  }
  take(lines.length);
  return slices;
}

/** After so many lines is the last gap in the second half: a blank line, best one before a line that is not indented. */
function gapIn(lines: readonly string[]): number {
  let blank = lines.length;
  for (let at = lines.length - 1; at > lines.length / 2; at -= 1) {
    if (lines[at - 1]?.trim() !== '') continue;
    if (/^\S/.test(lines[at] ?? '')) return at;
    if (blank === lines.length) blank = at;
  }
  return blank;
}
