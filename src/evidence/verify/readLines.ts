import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
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
  readonly onTooLong?: () => void;
  /** How many bytes are read; if absent, all. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Milliseconds. */
const betweenTurns = 8;
let lastTurn = performance.now();

/** Gives the event loop a turn if the last one is a while ago, and throws if the signal is aborted. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  if (performance.now() > lastTurn + betweenTurns) {
    await setImmediate();
    lastTurn = performance.now();
  }
  signal?.throwIfAborted();
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** A link that took the place of a file is not followed, and nothing waits for a pipe. */
export const readingFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** Null if it is no regular file. Without promises, which take longer than a small file: a collection may consist of them. */
export function openToRead(path: string): number | null {
  const file = openSync(path, readingFlags);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return null;
}

/** Reads a file in pieces. Returns the number of bytes after the last end of line; null if it is no regular file. */
export async function readLines(path: string, options: ReadLines): Promise<number | null> {
  const file = openToRead(path);
  if (file === null) return null;
  try {
    return await readPieces(file, options);
  } finally {
    closeSync(file);
  }
}

async function readPieces(
  file: number,
  { buffer: bytes, onLine, onTooLong, limit = Number.POSITIVE_INFINITY, signal }: ReadLines,
): Promise<number> {
  /** The unfinished line begins at 1 and ends here. */
  let filled = 1;
  let isSkipping = false;
  let skipped = 0;
  let left = limit;
  for (;;) {
    await breathe(signal);
    const bytesRead = left <= 0 ? 0 : readSync(file, bytes, filled, Math.min(pieceBytes, left), null);
    left -= bytesRead;
    if (bytesRead === 0) return isSkipping ? skipped : filled - 1;
    const end = filled + bytesRead;
    let start = 1;
    for (let at = bytes.indexOf(10, filled); at >= 0 && at < end; at = bytes.indexOf(10, start)) {
      if (isSkipping || at - start > maxReadLine) onTooLong?.();
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
