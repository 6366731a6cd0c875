/** A diff is not computed for every word that comes: between two drawings there are at least so many ms, */
const restTime = 80;
/** and so many times what the last one took, so that the end of an answer hardly ever has to wait for one. */
const restShare = 4;

/**
 * Draws a text that grows, one drawing at a time: whatever VS Code is asked to show while it takes something over waits
 * in a queue, and the end of the answer would wait behind it.
 */
export class Drawing {
  readonly #show: () => Promise<void>;
  readonly #restMs: number;
  #grow: (() => boolean) | undefined;
  #rest: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isOver = false;

  /** `show` resolves when the text is shown as it is now. */
  constructor(show: () => Promise<void>, restMs = restTime) {
    this.#show = show;
    this.#restMs = restMs;
  }

  /** `grow` is called when it is drawn next, unless another came by then; it says whether there is more to show. */
  soon(grow: () => boolean): void {
    if (this.#isOver) return;
    this.#grow = grow;
    if (!this.#isBusy) void this.#draw();
  }

  /** The text as it is, at once; what waits is not drawn any more. */
  async now(): Promise<void> {
    this.stop();
    await this.#show();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#rest);
  }

  async #draw(): Promise<void> {
    const grow = this.#grow;
    if (grow === undefined) return;
    this.#grow = undefined;
    this.#isBusy = true;
    const from = performance.now();
    if (grow()) await this.#show();
    if (this.#isOver) return;
    const rest = Math.max(this.#restMs, restShare * (performance.now() - from));
    this.#rest = setTimeout(() => {
      this.#isBusy = false;
      void this.#draw();
    }, rest);
  }
}
