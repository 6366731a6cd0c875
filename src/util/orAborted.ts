import { abortedError } from './errors.ts';

/**
 * Settles like `work`, or rejects as soon as `signal` aborts: with an aborted ServiceError unless `reason` returns another
 * error. Work that cannot be stopped continues, and its result is dropped. No listener is left on the signal.
 */
export async function orAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  reason: () => unknown = abortedError,
): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(reason());
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Resolves after `ms` milliseconds; rejects with an aborted ServiceError as soon as `signal` aborts. */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  try {
    await orAborted(promise, signal);
  } finally {
    clearTimeout(timer);
  }
}
