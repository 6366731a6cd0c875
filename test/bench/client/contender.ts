/** What is asked of every peer. */
export interface Contender {
  /**
   * Asks one model and reads the answer to its end; `onFirst` at its first text. Resolves with the number of characters
   * of text, by which the bench sees that nothing was lost.
   */
  chat(model: Model, onFirst: () => void): Promise<number>;
  close(): Promise<void>;
}

/** What the module of a contender has to export. `baseUrl` ends in /api/v1. */
export interface ContenderModule {
  open(baseUrl: string): Contender;
}

/** `bulk` answers with 100,000 chunks, `small` with eight. */
export type Model = 'bulk' | 'small';

/** What a child process found out; times in milliseconds. */
export interface Measured {
  /** From loading the code to the first text of a first answer. */
  readonly coldMs: number;
  /** Median of the small answers, until the first text. */
  readonly firstTokenMs: number;
  readonly bulkMs: number;
  readonly bulkCpuMs: number;
  readonly peakMiB: number;
  /** After some more bulk answers in the same process; 0 where that was not asked for. */
  readonly repeatedPeakMiB: number;
}

export const smallRequests = 200;
export const bulkChunks = 100_000;
export const smallChunks = 8;
/** Bulk answers, the first one included, where memory over many of them is measured. */
export const repeatedAnswers = 8;
export const apiKey = 'svc_ent_bench';
export const question = 'Why is the sky blue?';
/** The text of each chunk. */
export const word = 'a word or two ';
