import { setImmediate as nextTurn } from 'node:timers/promises';

export { finished } from '../../src/util/finished.ts';

/** The processor time of this thread in milliseconds. It does not depend on what else the machine does. */
export function processorMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * The lowest of up to five costs in milliseconds. The first that is at most `limit` ends the attempts. A busy machine makes the same
 * work cost more processor time. Each attempt must use new objects, or a cache hides the cost.
 */
export async function leastCost(limit: number, attempt: () => number | Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let count = 0; count < 5 && least > limit; count += 1) least = Math.min(least, await attempt());
  return least;
}

/** The longest of its steps, in milliseconds of processor time, with its result. */
export function measured<T>(work: Generator<null, T>): { readonly value: T; readonly longestMs: number } {
  let longestMs = 0;
  for (;;) {
    const from = processorMs();
    const step = work.next();
    longestMs = Math.max(longestMs, processorMs() - from);
    if (step.done === true) return { value: step.value, longestMs };
  }
}

/** The result of asynchronous work, and the processor time of all and of the longest turn of the event loop in it. */
export async function turnsOf<T>(
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly ms: number; readonly longestMs: number }> {
  await nextTurn();
  const from = processorMs();
  let [longestMs, last, isOver] = [0, from, false];
  const note = (): void => {
    const now = processorMs();
    longestMs = Math.max(longestMs, now - last);
    last = now;
  };
  const turn = (): void => {
    note();
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const value = await work().finally(() => {
    note();
    isOver = true;
  });
  return { value, ms: last - from, longestMs };
}
