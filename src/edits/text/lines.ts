/** The white space before the first other character. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** The lines without blank lines at both ends. */
export function trimLines(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** Whether a line is distinctive: it has a letter or a digit, unlike a brace. */
export function isDistinctive(line: string): boolean {
  return /[\p{L}\p{N}_]/u.test(line);
}
