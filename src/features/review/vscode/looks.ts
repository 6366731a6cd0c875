/** The delay in milliseconds from the arrival of text to the look at it. */
const lookAfter = 100;
/** The maximum share of the time that looks may take. */
const maxShare = 1 / 20;

/** Looks at an answer while it arrives, a moment after new text. */
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
      this.#after = Math.max(lookAfter, (performance.now() - startedAt) / maxShare);
    }, this.#after);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
