import { isServiceError } from './errors.ts';

export interface NewestParts<A, T> {
  readonly run: (asked: A, signal: AbortSignal) => Promise<T>;
  readonly done: (result: T) => void;
  /** Not called for what was cancelled. */
  readonly failed: (error: unknown) => void;
  /** Milliseconds without another question after which one is run. */
  readonly restMs: number;
}

/** Of questions that come in a row, such as with each key, answers the newest alone, once they rest. A newer one ends an older. */
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

  /** Without the rest. */
  askNow(asked: A): Promise<void> {
    this.cancel();
    return this.#run(asked);
  }

  /** Nothing more is answered. */
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
