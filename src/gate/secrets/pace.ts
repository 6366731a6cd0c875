import { setImmediate as nextTurn } from 'node:timers/promises';
import { abortedError } from '../../util/errors.ts';

/** The time in milliseconds for which a search runs before it yields. */
const slice = 10;

/** The time at which the last known turn of the event loop began; several searches share one thread. */
let turnedAt = 0;

/** Whether a search has to pause. A clock that is set back must not keep it from pausing, so both directions count. */
export function isPauseDue(): boolean {
  return Math.abs(performance.now() - turnedAt) > slice;
}

/** The turn of the event loop that the last of the waiting searches gets. */
let lastTurn: Promise<void> = Promise.resolve();

/**
 * Lets the event loop turn. Each waiting search gets a turn of its own, in the order in which they began to wait.
 * Throws the error of a cancelled request if `signal` is aborted.
 */
export async function pause(signal?: AbortSignal): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  await lastTurn;
  turnedAt = performance.now();
  if (signal?.aborted === true) throw abortedError();
}

/** Runs work that yields null where it may pause. */
export async function inSlices<T>(work: Generator<null, T>, signal?: AbortSignal): Promise<T> {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
    if (isPauseDue()) await pause(signal);
  }
}
