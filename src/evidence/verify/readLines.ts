import { readSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

/** A longer line cannot be ours. */
export const maxReadLine = 65_536;
const pieceBytes = 262_144;

/** A buffer for the pieces of one file after the other. */
export function pieceBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(1 + maxReadLine + pieceBytes);
}

/** A line in a buffer that is used again for the next ones. The byte before `start` exists and may be written. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void;

interface ReadLines {
  readonly buffer: Buffer;
  /** A complete line, without its end. */
  readonly onLine: OnLine;
  /** A line that is too long: none of its bytes are kept. */
  readonly onTooLong: () => void;
  /** How many bytes are read; if absent, all. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads a file in pieces. Returns the number of bytes after the last end of line. */
export async function readLines(
  file: FileHandle,
  { buffer: bytes, onLine, onTooLong, limit = Number.POSITIVE_INFINITY, signal }: ReadLines,
): Promise<number> {
  /** The unfinished line begins at 1 and ends here. */
  let filled = 1;
  let isSkipping = false;
  let skipped = 0;
  let left = limit;
  for (let pieces = 0; ; pieces += 1) {
    // A promise for each piece takes longer than a small file. The pieces of a large one give the event loop a turn.
    if (pieces > 0) await setImmediate();
    signal?.throwIfAborted();
    const bytesRead = left <= 0 ? 0 : readSync(file.fd, bytes, filled, Math.min(pieceBytes, left), null);
    left -= bytesRead;
    if (bytesRead === 0) return isSkipping ? skipped : filled - 1;
    const end = filled + bytesRead;
    let start = 1;
    for (let at = bytes.indexOf(10, filled); at >= 0 && at < end; at = bytes.indexOf(10, start)) {
      if (isSkipping || at - start > maxReadLine) onTooLong();
      else onLine(bytes, start, at);
      isSkipping = false;
      start = at + 1;
    }
    const rest = end - start;
    if (isSkipping || rest > maxReadLine) {
      skipped = (isSkipping ? skipped : 0) + rest;
      isSkipping = true;
      filled = 1;
    } else {
      bytes.copy(bytes, 1, start, end);
      filled = 1 + rest;
    }
  }
}
