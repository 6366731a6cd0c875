import fc from 'fast-check';

/** Properties of one part of the product that hold for any input. */
export interface Group {
  readonly name: string;
  /** The number of inputs in the test run. `npm run fuzz` uses more. */
  readonly testRuns: number;
  readonly properties: readonly Property[];
}

export interface Property {
  readonly name: string;
  /** The share of the group's inputs, from 0 to 1. */
  readonly share: number;
  /** Rejects if an input violates it. The same seed gives the same inputs. May return text for the report. */
  check(runs: number, seed: number): Promise<string | undefined>;
}

/** fast-check's report of a failure contains the seed and the path to reproduce it. */
export const check =
  (property: fc.IRawProperty<unknown>): Property['check'] =>
  async (numRuns, seed) => {
    await fc.assert(property, { numRuns, seed });
    return undefined;
  };

/** The limit for one input in milliseconds. A longer run is a hang, because nothing in it waits. */
export const checkInTime =
  (property: fc.IAsyncProperty<unknown>): Property['check'] =>
  async (numRuns, seed) => {
    await fc.assert(property, { numRuns, seed, timeout: 10_000 });
    return undefined;
  };
