import fc from 'fast-check';

/** Properties of one part of the product that hold for any input. */
export interface Group {
  readonly name: string;
  /** How many inputs the test run gives it; `npm run fuzz` gives it more. */
  readonly testRuns: number;
  readonly properties: readonly Property[];
}

export interface Property {
  readonly name: string;
  /** Of the group's inputs, from 0 to 1. */
  readonly share: number;
  /** Rejects where an input breaks it. The same seed gives the same inputs. May return words for the report. */
  check(runs: number, seed: number): Promise<string | undefined>;
}

/** fast-check's own report of a failure names the seed and the path that bring it back. */
export const check =
  (property: fc.IRawProperty<unknown>): Property['check'] =>
  async (numRuns, seed) => {
    await fc.assert(property, { numRuns, seed });
    return undefined;
  };

/** One input that takes longer hangs: nothing in it waits for anything. In milliseconds. */
export const checkInTime =
  (property: fc.IAsyncProperty<unknown>): Property['check'] =>
  async (numRuns, seed) => {
    await fc.assert(property, { numRuns, seed, timeout: 10_000 });
    return undefined;
  };
