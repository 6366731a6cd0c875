/** How long the work of one task can take before the page has its turn, in ms. */
const slice = 8;

const waiting: (() => void)[] = [];
let isRunning = false;

/** Runs work soon, in its order; much of it in slices, so that the page stays responsive. */
export function inSlices(work: () => void): void {
  waiting.push(work);
  if (isRunning) return;
  isRunning = true;
  setTimeout(run, 0);
}

function run(): void {
  const begin = performance.now();
  // Work that fails does not end the work after it.
  try {
    while (waiting.length > 0 && performance.now() - begin < slice) waiting.shift()?.();
  } finally {
    isRunning = waiting.length > 0;
    if (isRunning) setTimeout(run, 0);
  }
}
