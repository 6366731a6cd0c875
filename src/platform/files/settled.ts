/** Some file systems store times with a resolution of two seconds. */
const settledMs = 3_000;

/** Whether the next change would get a different timestamp than these (epoch milliseconds). */
export function isSettled(mtime: number, ctime: number): boolean {
  const now = Date.now();
  return Math.abs(now - mtime) > settledMs && Math.abs(now - ctime) > settledMs;
}
