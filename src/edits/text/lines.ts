/** The white space before the first letter. */
export function indentOf(line: string): string {
  return line.slice(0, line.length - line.trimStart().length);
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Without blank lines at its ends. */
export function trimLines(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => !isBlank(line));
  return first === -1 ? [] : lines.slice(first, lines.findLastIndex((line) => !isBlank(line)) + 1);
}

/** Identifies something: a line with a letter or a digit, unlike a brace. */
export function isTelling(line: string): boolean {
  return /[\p{L}\p{N}_]/u.test(line);
}
