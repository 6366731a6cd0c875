/** How a function is called with a hostile text, and what its own grammar consists of. */
export interface Reader {
  /** Calls it; what it returns may be a generator that yields where it may pause, or a promise. */
  // biome-ignore lint/suspicious/noExplicitAny: each function has parameters of its own.
  readonly call: (read: (...args: any[]) => unknown, text: string) => unknown;
  readonly pieces: readonly string[];
}

/** Readers by file and name. */
export type Readers = Readonly<Record<string, Readonly<Record<string, Reader>>>>;

/** A reader whose first parameter is the text. */
export const text = (...pieces: readonly string[]): Reader => ({ call: (read, given) => read(given), pieces });
/** The same for bytes. */
export const bytes = (...pieces: readonly string[]): Reader => ({
  call: (read, given) => read(Buffer.from(given)),
  pieces,
});
/** A reader with other parameters. */
export const called = (call: Reader['call'], ...pieces: readonly string[]): Reader => ({ call, pieces });
