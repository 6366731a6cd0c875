/** Prints what is being done, with the seconds since the start, and in each silence what it still waits for. */
export class Progress {
  readonly #startedAt = performance.now();
  readonly #waiting = new Set<string>();
  readonly #print: (line: string) => void;
  readonly #timer: NodeJS.Timeout;

  constructor(print: (line: string) => void, silenceMs = 4_000) {
    this.#print = print;
    this.#timer = setInterval(() => this.#onSilence(), silenceMs);
  }

  /** Does one of the steps, some of which run at the same time. */
  async step<T>(words: string, work: () => Promise<T> | T): Promise<T> {
    this.#say(words);
    this.#waiting.add(words);
    try {
      return await work();
    } finally {
      this.#waiting.delete(words);
    }
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #onSilence(): void {
    if (this.#waiting.size > 0) this.#say(`Still at work: ${[...this.#waiting].join('; ')}`);
  }

  #say(words: string): void {
    this.#timer.refresh();
    this.#print(`${((performance.now() - this.#startedAt) / 1000).toFixed(0).padStart(4)} s  ${words}`);
  }
}
