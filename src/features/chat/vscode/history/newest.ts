import { isServiceError } from '../../../../util/errors.ts';

interface NewestParts<A, T> {
  readonly run: (asked: A, signal: AbortSignal) => Promise<T>;
  readonly done: (result: T) => void;
  /** Called with the error of failed work, but not for cancelled work. */
  readonly failed: (error: unknown) => void;
  /** The time in milliseconds without another request after which a request runs. */
  readonly restMs: number;
}

/** Debounces requests, such as one per key press, and runs only the newest. A newer one cancels an older one. */
export class Newest<A, T> {
  readonly #parts: NewestParts<A, T>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #running: AbortController | undefined;

  constructor(parts: NewestParts<A, T>) {
    this.#parts = parts;
  }

  ask(asked: A): void {
    this.cancel();
    this.#timer = setTimeout(() => void this.#run(asked), this.#parts.restMs);
  }

  /** Runs without the delay. */
  askNow(asked: A): Promise<void> {
    this.cancel();
    return this.#run(asked);
  }

  /** Cancels the running and the waiting request. */
  cancel(): void {
    clearTimeout(this.#timer);
    this.#running?.abort();
    this.#running = undefined;
  }

  async #run(asked: A): Promise<void> {
    const { run, done, failed } = this.#parts;
    const controller = new AbortController();
    this.#running = controller;
    try {
      const result = await run(asked, controller.signal);
      if (!controller.signal.aborted) done(result);
    } catch (error) {
      if (!controller.signal.aborted && !(isServiceError(error) && error.kind === 'aborted')) failed(error);
    }
  }
}
