import { setTimeout as wait } from 'node:timers/promises';
import { processorMs } from '../../tools/processorTime.ts';

/** What the extension host did from the start of something until `untilIdle` milliseconds without work. */
export interface HostPieces {
  /** The longest turn of the event loop, in milliseconds of processor time, and of any time. */
  readonly longestMs: number;
  readonly longestWallMs: number;
  /** Processor time of all of it, in milliseconds. */
  readonly busyMs: number;
  /** How much more memory the process has, at most meanwhile and at its end, in MiB. */
  readonly peakMiB: number;
  readonly keptMiB: number;
}

/** Watches this extension host while `work` runs, and until nothing has happened for a while. */
export async function piecesOf(work: () => Promise<unknown>, untilIdle = 1_000): Promise<HostPieces> {
  await wait(500);
  const before = process.memoryUsage.rss();
  const from = processorMs();
  let [longestMs, longestWallMs, peak] = [0, 0, before];
  let [last, lastWall] = [from, performance.now()];
  let [isOver, busyAt, seenAt] = [false, lastWall, lastWall];
  const turn = (): void => {
    const [now, wall] = [processorMs(), performance.now()];
    longestMs = Math.max(longestMs, now - last);
    longestWallMs = Math.max(longestWallMs, wall - lastWall);
    if (now - last > 2) busyAt = wall;
    // Looking takes long.
    if (wall - seenAt > 50) peak = Math.max(peak, process.memoryUsage.rss());
    if (wall - seenAt > 50) seenAt = wall;
    [last, lastWall] = [now, wall];
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  await work();
  // On a busy machine, other extensions may never be idle.
  const limit = performance.now() + 15_000;
  while (performance.now() - busyAt < untilIdle && performance.now() < limit) await wait(50);
  isOver = true;
  const [busyMs, kept] = [processorMs() - from, process.memoryUsage.rss()];
  return { longestMs, longestWallMs, busyMs, peakMiB: (peak - before) / 2 ** 20, keptMiB: (kept - before) / 2 ** 20 };
}
