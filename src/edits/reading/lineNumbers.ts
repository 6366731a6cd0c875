import { isBlank } from '../text/lines.ts';

const numberBefore = /^\s{0,8}(\d{1,7})\| ?/;

/**
 * Removes the line numbers of requests and tool results from code that repeats them. Code is treated as numbered only if every
 * line has a number and the numbers rise; other code is returned unchanged.
 */
export function withoutLineNumbers(lines: readonly string[]): readonly string[] {
  let last = 0;
  let count = 0;
  for (const line of lines) {
    const number = Number(numberBefore.exec(line)?.[1] ?? 0);
    if (number > last) {
      last = number;
      count += 1;
    } else if (!isBlank(line)) return lines;
  }
  return count === 0 ? lines : lines.map((line) => line.replace(numberBefore, ''));
}
