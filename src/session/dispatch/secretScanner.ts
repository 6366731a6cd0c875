import type { ScanOptions } from '../../gate/secrets/scanner.ts';
import type { SecretSpan } from '../../gate/secrets/span.ts';

export interface FoundSpan extends SecretSpan {
  /** Counted from 1. */
  readonly line: number;
}

export interface SecretScanner {
  /** Throws only the error of a cancelled request. */
  scanText(text: string, options?: ScanOptions, signal?: AbortSignal): Promise<readonly FoundSpan[]>;
  /** Replaces each secret with a mark; the number of lines stays. */
  maskText(text: string, found: readonly SecretSpan[]): string;
}
