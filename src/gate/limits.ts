/** The most that may leave in one request, in bytes of UTF-8. */
export interface SizeLimits {
  /** The whole body. */
  readonly requestBytes: number;
  /** One attached file, or part of one. */
  readonly fileBytes: number;
}

const MiB = 1024 * 1024;

/** Far above what a model reads, and far below what would stall an editor. The managed policy may ask for less. */
export const defaultLimits: SizeLimits = { requestBytes: 4 * MiB, fileBytes: MiB };

export interface TooLarge {
  readonly what: 'request' | 'file';
  /** Of the file. */
  readonly label?: string;
  readonly bytes: number;
  readonly limit: number;
}

export interface Sizes {
  readonly bodyBytes: number;
  readonly files: readonly { readonly label: string; readonly bytes: number }[];
}

/** The first thing that is too large; null where nothing is. */
export function checkSize({ bodyBytes, files }: Sizes, { requestBytes, fileBytes }: SizeLimits): TooLarge | null {
  const file = files.find(({ bytes }) => bytes > fileBytes);
  if (file !== undefined) return { what: 'file', ...file, limit: fileBytes };
  return bodyBytes > requestBytes ? { what: 'request', bytes: bodyBytes, limit: requestBytes } : null;
}
