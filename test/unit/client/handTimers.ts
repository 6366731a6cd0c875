interface HandTimer {
  readonly run: () => void;
  left: number;
}

/**
 * Timers of one length, whose time passes only when a test says so; those of any other length are real. A limit then
 * passes at an event, however busy the machine is. The length must be one that nothing else uses.
 */
export class HandTimers {
  readonly ms: number;
  readonly #timers = new Set<HandTimer>();
  readonly #real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  #restarted = Promise.withResolvers<void>();

  constructor(ms: number) {
    this.ms = ms;
    const { setTimeout, clearTimeout } = this.#real;
    const set = (run: (...given: unknown[]) => void, after?: number, ...given: unknown[]): unknown =>
      after === ms ? this.#add(() => run(...given)) : setTimeout(run, after, ...given);
    const clear = (timer: unknown): void => {
      if (!this.#timers.delete(timer as HandTimer)) clearTimeout(timer as NodeJS.Timeout);
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }

  /** Resolves when a running timer is restarted. */
  get restarted(): Promise<void> {
    return this.#restarted.promise;
  }

  /** The number of running timers. */
  get count(): number {
    return this.#timers.size;
  }

  pass(ms = this.ms): void {
    for (const timer of [...this.#timers]) {
      timer.left -= ms;
      if (timer.left <= 0 && this.#timers.delete(timer)) timer.run();
    }
  }

  restore(): void {
    Object.assign(globalThis, this.#real);
  }

  #add(run: () => void): HandTimer {
    const timer: HandTimer & Record<'refresh' | 'unref', () => unknown> = {
      run,
      left: this.ms,
      refresh: () => {
        timer.left = this.ms;
        this.#restarted.resolve();
        this.#restarted = Promise.withResolvers();
      },
      unref: () => timer,
    };
    this.#timers.add(timer);
    return timer;
  }
}
