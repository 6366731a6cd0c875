/** The time that the work of one task can take before the page has its turn, in ms. */
const slice = 8;

const waiting: (() => void)[] = [];
let isRunning = false;

/** Runs work soon, in the order of the calls. A lot of work runs in slices, so that the page stays responsive. */
export function inSlices(work: () => void): void {
  waiting.push(work);
  if (isRunning) return;
  isRunning = true;
  setTimeout(run, 0);
}

function run(): void {
  const begin = performance.now();
  // If one piece of work fails, the pieces after it still run.
  try {
    while (waiting.length > 0 && performance.now() - begin < slice) waiting.shift()?.();
  } finally {
    isRunning = waiting.length > 0;
    if (isRunning) setTimeout(run, 0);
  }
}
