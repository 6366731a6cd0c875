/** The longest text that the page may send in one call, in UTF-16 units. */
export const maxText = 4_000_000;

/** The longest summary that the user can write, in UTF-16 units: every request carries all of it. */
export const maxSummaryChars = 64_000;

/** The size limit of a message. */
export interface MessageLimit {
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** The error for a longer text: the limit, and what to do. */
  readonly words: string;
}
