/** Runs work for which a millisecond passes with each look at the clock. */
export async function withClockOfLooks<T>(run: () => Promise<T>): Promise<T> {
  const { now } = performance;
  let looks = now.call(performance);
  performance.now = () => {
    looks += 1;
    return looks;
  };
  try {
    return await run();
  } finally {
    performance.now = now;
  }
}
