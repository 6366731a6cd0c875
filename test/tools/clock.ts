import { pause } from '../../src/gate/secrets/pace.ts';

/**
 * Runs work for which a millisecond passes with each look at the clock. A pause notes the time of its turn, so one pause before
 * and one after keep that time from being in the future of the clock in use: nothing would pause then.
 */
export async function withClockOfLooks<T>(run: () => Promise<T>): Promise<T> {
  const { now } = performance;
  let looks = now.call(performance);
  performance.now = () => {
    looks += 1;
    return looks;
  };
  try {
    await pause();
    return await run();
  } finally {
    performance.now = now;
    await pause();
  }
}
