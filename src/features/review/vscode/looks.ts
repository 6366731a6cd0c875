/** The time from what arrives to a look at it, in milliseconds. */
const lookAfter = 100;
/** Looks may take this share of the time at most. */
const mostOfTime = 1 / 20;

/** Looks at an answer while it arrives, soon after something has. */
export class Looks {
  readonly #look: () => void;
  #timer: NodeJS.Timeout | undefined;
  #after = lookAfter;

  constructor(look: () => void) {
    this.#look = look;
  }

  soon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      const startedAt = performance.now();
      this.#look();
      this.#after = Math.max(lookAfter, (performance.now() - startedAt) / mostOfTime);
    }, this.#after);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
