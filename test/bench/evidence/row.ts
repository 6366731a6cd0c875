/** One bar of the design, and what was measured. */
export interface Row {
  readonly bar: string;
  readonly measured: string;
  readonly isMet: boolean;
}

export interface RowOptions {
  /** A folder of its own. */
  readonly place: string;
  readonly rounds: number;
}

export function percentile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN;
}

export async function timed(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

export function fail(error: unknown): never {
  throw new Error('A turn failed.', { cause: error });
}
