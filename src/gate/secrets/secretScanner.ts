import type { SecretSpan } from './span.ts';

export interface ScanOptions {
  /** Whether the text has no source document: it may be part of a key whose first and last line are missing. */
  readonly isFragment?: boolean;
  /** The known secrets of the text; spans outside of it are ignored. */
  readonly known?: readonly SecretSpan[];
}

/** A secret in a text. */
export interface FoundSpan extends SecretSpan {
  /** The line, counted from 1. */
  readonly line: number;
}

/** The functions of scanner.ts, which is loaded when it is first needed. */
export interface SecretScanner {
  /** Throws only the error of a cancelled request. */
  scanText(text: string, options?: ScanOptions, signal?: AbortSignal): Promise<readonly FoundSpan[]>;
  /** Replaces each secret with a mark; the number of lines stays the same. Throws only the error of a cancelled request. */
  maskText(text: string, found: readonly SecretSpan[], signal?: AbortSignal): Promise<string>;
}
