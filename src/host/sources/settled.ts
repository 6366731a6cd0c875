/** Some file systems tell times in steps of two seconds. */
const settledMs = 3_000;

/** Whether the next change of what was last changed then (epoch milliseconds) would have another time. */
export function isSettled(mtime: number, ctime: number): boolean {
  const now = Date.now();
  return Math.abs(now - mtime) > settledMs && Math.abs(now - ctime) > settledMs;
}
