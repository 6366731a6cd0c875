interface Waiting<S> {
  snapshot: S;
  isDropped: boolean;
  readonly done: Promise<boolean>;
}

interface Line<S> {
  tail: Promise<unknown>;
  waiting: Waiting<S> | null;
}

/**
 * Runs tasks one after another for each key. At most one snapshot waits while another is written: a newer one replaces
 * it.
 */
export class ConversationQueue<S> {
  readonly #lines = new Map<string, Line<S>>();
  readonly #write: (key: string, snapshot: S) => Promise<boolean>;

  constructor(write: (key: string, snapshot: S) => Promise<boolean>) {
    this.#write = write;
  }

  /** Settles with the write of this snapshot or of the newer one that replaced it. Resolves with false if it was dropped. */
  save(key: string, snapshot: S): Promise<boolean> {
    const waiting = this.#lines.get(key)?.waiting;
    if (waiting) {
      waiting.snapshot = snapshot;
      return waiting.done;
    }
    const entry: Waiting<S> = {
      snapshot,
      isDropped: false,
      done: this.run(key, async () => {
        const line = this.#lines.get(key);
        if (line?.waiting === entry) line.waiting = null;
        return entry.isDropped ? false : this.#write(key, entry.snapshot);
      }),
    };
    const line = this.#lines.get(key);
    if (line !== undefined) line.waiting = entry;
    return entry.done;
  }

  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(key) ?? { tail: Promise.resolve(), waiting: null };
    this.#lines.set(key, line);
    const result = line.tail.then(task);
    const tail = result.then(
      () => undefined,
      () => undefined,
    );
    line.tail = tail;
    void tail.then(() => {
      if (line.tail === tail) this.#lines.delete(key);
    });
    return result;
  }

  /** Drops the waiting snapshot. Returns true if there was one. */
  drop(key: string): boolean {
    const line = this.#lines.get(key);
    if (!line?.waiting) return false;
    line.waiting.isDropped = true;
    line.waiting = null;
    return true;
  }

  /** All keys with a running or waiting task. */
  get keys(): readonly string[] {
    return [...this.#lines.keys()];
  }

  /** Resolves when no task is running or waiting; failures are reported to the callers of those tasks. */
  async settled(): Promise<void> {
    while (this.#lines.size > 0) await Promise.all([...this.#lines.values()].map(({ tail }) => tail));
  }
}
