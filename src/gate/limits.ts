import { append } from '../util/append.ts';

/** The size limits of one request in bytes of UTF-8. */
export interface SizeLimits {
  /** The maximum size of the whole body. */
  readonly requestBytes: number;
  /** The maximum size of one attached file, or of a part of one. */
  readonly fileBytes: number;
}

const MiB = 1024 * 1024;

/**
 * These limits are far above the input size of any model, and far below sizes that stall an editor. The managed policy may
 * lower them.
 */
export const defaultLimits: SizeLimits = { requestBytes: 4 * MiB, fileBytes: MiB };

interface TooLarge {
  readonly what: 'request' | 'file';
  /** The label of the file. */
  readonly label?: string;
  readonly bytes: number;
  readonly limit: number;
}

interface Sizes {
  readonly bodyBytes: number;
  readonly files: readonly { readonly label: string; readonly bytes: number }[];
}

/** Returns the first item that is too large, or null. */
export function checkSize({ bodyBytes, files }: Sizes, { requestBytes, fileBytes }: SizeLimits): TooLarge | null {
  const file = files.find(({ bytes }) => bytes > fileBytes);
  if (file !== undefined) return { what: 'file', ...file, limit: fileBytes };
  return bodyBytes > requestBytes ? { what: 'request', bytes: bodyBytes, limit: requestBytes } : null;
}

/** The result if the attachments of one question exceed the limit. */
export interface OverBudget {
  readonly bytes: number;
  readonly limit: number;
  /** The labels of the attachments to remove so that the rest fits. */
  readonly remove: readonly string[];
}

export interface Attached {
  readonly label: string;
  /** The size of each file (or part of a file) in the attachment. */
  readonly files: readonly number[];
}

/**
 * The attachments of one question may take half of a request: the other half is for the preceding conversation and for
 * quoting. Nothing is dropped automatically, since only the user knows what matters: returns null, or the attachments to
 * remove: each one with a file over its limit, then the largest ones.
 */
export function checkAttached(
  attached: readonly Attached[],
  { requestBytes, fileBytes }: SizeLimits,
): OverBudget | null {
  const limit = Math.floor(requestBytes / 2);
  const all = attached.map(({ label, files }) => ({
    label,
    bytes: files.reduce((sum, bytes) => sum + bytes, 0),
    isTooLarge: files.some((bytes) => bytes > fileBytes),
  }));
  const bytes = sumOf(all);
  const remove = all.filter(({ isTooLarge }) => isTooLarge);
  const rest = all.filter(({ isTooLarge }) => !isTooLarge).sort((a, b) => b.bytes - a.bytes);
  while (sumOf(rest) > limit) append(remove, rest.splice(0, 1));
  return remove.length === 0 ? null : { bytes, limit, remove: remove.map(({ label }) => label) };
}

function sumOf(items: readonly { readonly bytes: number }[]): number {
  return items.reduce((sum, { bytes }) => sum + bytes, 0);
}
