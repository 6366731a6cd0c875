/** An independent part of a block of code. */
interface Slice {
  readonly text: string;
  /** Whether the slice stays plain because of a long line: some grammars take time quadratic in a line's length. */
  readonly isPlain: boolean;
}

/**
 * The maximum number of characters per slice. The slowest grammar takes 90 ms for a slice of the worst text, and seconds for 50
 * KB.
 */
export const sliceLimit = 4 * 1024;
const lineLimit = 1_000;

/**
 * Splits code into parts that are highlighted one after the other, because a running grammar cannot be stopped. Parts end at a
 * gap in the code if possible: code that continues beyond the end of a part, such as a long comment, may lose its color there.
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

/**
 * Returns how many lines precede the last gap in the second half. A gap is a blank line, preferably before an unindented line.
 */
function gapIn(lines: readonly string[]): number {
  let blank = lines.length;
  for (let at = lines.length - 1; at > lines.length / 2; at -= 1) {
    if (lines[at - 1]?.trim() !== '') continue;
    if (/^\S/.test(lines[at] ?? '')) return at;
    if (blank === lines.length) blank = at;
  }
  return blank;
}
