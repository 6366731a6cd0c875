/** Time as the clock sees it; the page's own in the page. */
export interface Frames {
  readonly now: () => number;
  /** Calls back before the next frame is drawn. */
  readonly nextFrame: (callback: () => void) => void;
  /** Calls back after so many milliseconds. */
  readonly after: (ms: number, callback: () => void) => void;
}

/**
 * Runs a flush once a frame at most, and after one that took c ms not before 4c ms have passed: however long an answer
 * is, drawing it takes no more than a fifth of the time.
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

  /** Asks for a flush; asking again before it ran is the same asking. */
  request(): void {
    this.#isAsked = true;
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#frames.nextFrame(() => this.#run());
  }

  /** Takes back what was asked for. */
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
