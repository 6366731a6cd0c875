/** The test's control over a stream that it steps through. */
export interface HeldChunks {
  /** Releases `n` more steps, or all steps from now on if `n` is omitted. */
  release(n?: number): void;
}

/**
 * Holds an answer before each of its steps: each text delta is one, and the ending (finish, usage, [DONE], or the
 * scenario's fault) is one. An answer that is not a stream is a single step. The role chunk passes freely, so that the
 * response headers arrive.
 */
export class ChunkGate {
  #isHeld = false;
  #permits = 0;
  #waiting: (() => void)[] = [];

  hold(): HeldChunks {
    this.#isHeld = true;
    this.#permits = 0;
    return { release: (n) => this.#release(n) };
  }

  open(): void {
    this.#isHeld = false;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when the next step is released. Rejects when `gone` aborts. */
  async pass(gone: AbortSignal): Promise<void> {
    gone.throwIfAborted();
    while (this.#isHeld && this.#permits === 0) await this.#change(gone);
    if (this.#isHeld) this.#permits -= 1;
  }

  #release(n: number | undefined): void {
    if (n === undefined) {
      this.open();
      return;
    }
    this.#permits += n;
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #change(gone: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onGone = (): void => {
      this.#waiting = this.#waiting.filter((wake) => wake !== onWake);
      reject(gone.reason);
    };
    const onWake = (): void => {
      gone.removeEventListener('abort', onGone);
      resolve();
    };
    gone.addEventListener('abort', onGone, { once: true });
    this.#waiting.push(onWake);
    return promise;
  }
}
