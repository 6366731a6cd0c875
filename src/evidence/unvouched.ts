/**
 * The limits for the last lines of a window that was killed before the secret storage knew them. Nothing proves these lines:
 * anyone who can write the file could have added them. So only a few, within a short time, are accepted; more are a break.
 */
const maxLines = 8;
const maxMs = 5_000;

/** Whether so few lines are accepted. `from` and `to` are the times of the first and the last line in milliseconds since 1970. */
export function isShortTail(lines: number, from: number, to: number): boolean {
  return lines <= maxLines && to - from <= maxMs;
}
