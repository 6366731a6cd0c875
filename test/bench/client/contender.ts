/** The interface of every contender. */
export interface Contender {
  /**
   * Asks one model and reads the answer to its end. Calls `onFirst` at its first text. Resolves with the number of
   * characters, with which the bench checks that nothing was lost.
   */
  chat(model: Model, onFirst: () => void): Promise<number>;
  close(): Promise<void>;
}

/** The exports of a contender's module. `baseUrl` ends in /api/v1. */
export interface ContenderModule {
  open(baseUrl: string): Contender;
}

/** `bulk` answers with 100,000 chunks, `small` with eight. */
export type Model = 'bulk' | 'small';

/** The results of a child process. Times in milliseconds. */
export interface Measured {
  /** From loading the code to the first text of the first answer. */
  readonly coldMs: number;
  /** Median of the small answers, until the first text. */
  readonly firstTokenMs: number;
  readonly bulkMs: number;
  readonly bulkCpuMs: number;
  readonly peakMiB: number;
  /** After some more bulk answers in the same process, or 0 if not measured. */
  readonly repeatedPeakMiB: number;
}

export const smallRequests = 200;
export const bulkChunks = 100_000;
export const smallChunks = 8;
/** The number of bulk answers, including the first one, for the measurement of memory over many answers. */
export const repeatedAnswers = 8;
export const apiKey = 'svc_ent_bench';
export const question = 'Why is the sky blue?';
/** The text of each chunk. */
export const word = 'a word or two ';
