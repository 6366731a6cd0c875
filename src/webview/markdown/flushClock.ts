/** The clock and frames that FlushClock uses; replaceable in tests. */
export interface Frames {
  readonly now: () => number;
  /** Runs `callback` before the next frame is drawn. */
  readonly nextFrame: (callback: () => void) => void;
  /** Runs `callback` after `ms` milliseconds. */
  readonly after: (ms: number, callback: () => void) => void;
}

/**
 * Runs at most one flush per frame, and waits at least 4c ms after a flush that took c ms: drawing takes at most a fifth of the
 * time, however long the answer is.
 */
export class FlushClock {
  readonly #frames: Frames;
  readonly #flush: () => void;
  #isAsked = false;
  #isRunning = false;

  constructor(frames: Frames, flush: () => void) {
    this.#frames = frames;
    this.#flush = flush;
  }

  /** Requests a flush; repeated requests before it runs have no effect. */
  request(): void {
    this.#isAsked = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#frames.nextFrame(() => this.#run());
  }

  /** Cancels the request. */
  cancel(): void {
    this.#isAsked = false;
  }

  #run(): void {
    if (!this.#isAsked) {
      this.#isRunning = false;
      return;
    }
    this.#isAsked = false;
    const start = this.#frames.now();
    this.#flush();
    const cost = this.#frames.now() - start;
    this.#frames.after(4 * cost, () => {
      this.#isRunning = false;
      if (this.#isAsked) this.request();
    });
  }
}

/** The frames and the clock of the page. */
export const pageFrames: Frames = {
  now: () => performance.now(),
  nextFrame: (callback) => {
    requestAnimationFrame(callback);
  },
  after: (ms, callback) => {
    setTimeout(callback, ms);
  },
};
