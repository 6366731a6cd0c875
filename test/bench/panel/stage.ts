// Runs in the page before its own scripts. It replaces the page's clock, so that a stream of minutes is measured in
// seconds and every frame's work is counted: the time of its messages, timers and frame callbacks, with the style and
// layout that they cause. Painting is measured separately, with real frames.

/** The measured subject: the panel itself, or a peer in its place. */
export interface Contender {
  /** Handles a message of the host. `text` is what it adds to the answer. */
  take(message: unknown, text: string): void;
  /** Called at the start of a frame with changes. */
  frame?(): void;
}

export interface Step {
  readonly at: number;
  readonly message: unknown;
  readonly text: string;
}

export interface SteppedRun {
  /** The times of the frames in which something was drawn, in ms. */
  readonly costs: readonly number[];
  /** The time of all frames together. */
  readonly totalMs: number;
}

export interface Stage {
  contender: Contender;
  /** Switches the page to the clock of the stage. */
  hold(): void;
  /** Plays the messages at 60 frames per second. With `every`, only every n-th frame is drawn. */
  play(steps: readonly Step[], every?: number): Promise<SteppedRun>;
}

declare global {
  interface Window {
    stage: Stage;
  }
}

const frameMs = 1000 / 60;
/** In frames: two minutes of the page's clock. */
const mostIdle = 7200;
const now = performance.now.bind(performance);
const realTimeout = window.setTimeout.bind(window);

let isHeld = false;
/** The page's clock at the start of the current frame, and the real time of that start. */
let clock = 0;
let frameAt = 0;
let lastId = 1_000_000;
const timers = new Map<number, { readonly at: number; readonly run: () => void }>();
let frames = new Map<number, FrameRequestCallback>();

const pageNow = (): number => clock + now() - frameAt;

function hold(): void {
  isHeld = true;
  clock = frameAt = now();
  performance.now = pageNow;
  window.requestAnimationFrame = (callback) => {
    frames.set(++lastId, callback);
    return lastId;
  };
  window.cancelAnimationFrame = (id) => void frames.delete(id);
  const setLater = (run: unknown, ms = 0): number => {
    if (typeof run !== 'function') throw new Error('A timer needs a function.');
    timers.set(++lastId, { at: pageNow() + ms, run: () => void run() });
    return lastId;
  };
  Object.assign(window, { setTimeout: setLater, clearTimeout: (id: number) => void timers.delete(id) });
}

/** Enough turns of the microtask queue for everything here to settle. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await undefined;
}

/** Returns true if the page had requested the frame. */
async function runFrame(): Promise<boolean> {
  for (const [id, { at, run }] of timers) {
    if (at > pageNow()) continue;
    timers.delete(id);
    run();
    await settle();
  }
  const due = frames;
  frames = new Map();
  for (const callback of due.values()) callback(pageNow());
  await settle();
  return due.size > 0;
}

async function play(steps: readonly Step[], every = 1): Promise<SteppedRun> {
  if (!isHeld) hold();
  const { contender } = window.stage;
  const costs: number[] = [];
  let totalMs = 0;
  let next = 0;
  let hasNews = false;
  const begin = clock;
  // Empty frames at the end, until no work is pending.
  for (let frame = 0, idle = 0; idle < 30 || frames.size + timers.size > 0; frame += 1) {
    if (idle > mostIdle) throw new Error('The page does not come to rest.');
    clock = begin + frame * frameMs;
    frameAt = now();
    for (let step = steps[next]; step !== undefined && step.at <= frame * frameMs; step = steps[++next]) {
      contender.take(step.message, step.text);
      hasNews = true;
    }
    await settle();
    const isDrawn = hasNews && frame % every === 0;
    if (isDrawn) contender.frame?.();
    const wasAsked = await runFrame();
    // The browser's next step in a frame. The value is not used.
    void document.body.offsetHeight;
    const cost = now() - frameAt;
    totalMs += cost;
    if (wasAsked || (isDrawn && contender.frame !== undefined)) costs.push(cost);
    if (isDrawn) hasNews = false;
    if (next >= steps.length) idle += 1;
    // Gives the browser time for its own work, outside of the measurement.
    if (frame % 60 === 59) await new Promise((resolve) => realTimeout(resolve, 0));
  }
  return { costs, totalMs };
}

window.stage = {
  contender: { take: (message) => void window.dispatchEvent(new MessageEvent('message', { data: message })) },
  hold,
  play,
};
