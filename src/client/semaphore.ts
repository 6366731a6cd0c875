/**
 * Limits the number of concurrent requests. undici's own queue would too, but it cannot drop a request that is
 * cancelled in the queue: it first opens a connection for each of them.
 */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(places: number) {
    this.#free = places;
  }

  /** Resolves with a place, which leave() returns; rejects with the signal's reason. */
  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free -= 1;
      return;
    }
    const turn = Promise.withResolvers<void>();
    const cancel = (): void => {
      this.#waiting.delete(turn.resolve);
      turn.reject(signal.reason);
    };
    this.#waiting.add(turn.resolve);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else this.#waiting.delete(next);
    next?.();
  }
}
