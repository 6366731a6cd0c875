/**
 * The last lines of a window that was killed before the secret storage knew of them. Nothing proves them: anyone who can
 * write the file could have added them. So there may be only few of them, within a short time; more of them are a break.
 */
const maxLines = 8;
const maxMs = 5_000;

/** `from` and `to`: the times of the first and the last of these lines, in milliseconds since 1970. */
export function isShortTail(lines: number, from: number, to: number): boolean {
  return lines <= maxLines && to - from <= maxMs;
}
