import { isBlank } from '../text/lines.ts';

const numberBefore = /^\s{0,8}(\d{1,7})\| ?/;

/**
 * Code without the numbers that our requests and the results of tools have before each line, where an answer repeats them:
 * before every line, and rising. Other code stays as it is.
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
