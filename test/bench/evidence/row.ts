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

export function fail(error: unknown): never {
  throw new Error('A turn failed.', { cause: error });
}
