/** The minimum time in milliseconds between two drawings: computing a diff for every delta is too slow. */
const restTime = 80;
/**
 * The minimum time between two drawings as a multiple of the last drawing's duration, so that the end of an answer
 * rarely waits for a drawing.
 */
const restShare = 4;

/**
 * Draws a growing text, one drawing at a time. VS Code queues updates that arrive while it applies another, and the end
 * of the answer would wait behind them.
 */
export class Drawing {
  readonly #show: () => Promise<void>;
  readonly #restMs: number;
  #grow: (() => boolean) | undefined;
  #rest: NodeJS.Timeout | undefined;
  #isBusy = false;
  #isStopped = false;

  /** `show` resolves when the current text is shown. */
  constructor(show: () => Promise<void>, restMs = restTime) {
    this.#show = show;
    this.#restMs = restMs;
  }

  /**
   * Calls `grow` at the next drawing, unless a later call replaces it; `grow` returns whether there is anything new to
   * show.
   */
  soon(grow: () => boolean): void {
    if (this.#isStopped) return;
    this.#grow = grow;
    if (!this.#isBusy) void this.#draw();
  }

  /** Draws the current text immediately and drops the pending drawing. */
  async now(): Promise<void> {
    this.stop();
    await this.#show();
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#rest);
  }

  async #draw(): Promise<void> {
    const grow = this.#grow;
    if (grow === undefined) return;
    this.#grow = undefined;
    this.#isBusy = true;
    const from = performance.now();
    if (grow()) await this.#show();
    if (this.#isStopped) return;
    const rest = Math.max(this.#restMs, restShare * (performance.now() - from));
    this.#rest = setTimeout(() => {
      this.#isBusy = false;
      void this.#draw();
    }, rest);
  }
}
