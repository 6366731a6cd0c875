import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';

/** The maximum length in bytes of a line that is read; a longer line cannot be ours. */
export const maxReadLine = 65_536;
const pieceBytes = 262_144;

/** Returns a buffer for the pieces of one file after the other. */
export function pieceBuffer(): Buffer {
  return Buffer.allocUnsafeSlow(1 + maxReadLine + pieceBytes);
}

/** Called with a line in a buffer that is reused for the next lines. The byte before `start` exists and may be written. */
export type OnLine = (bytes: Buffer, start: number, end: number) => void;

interface ReadLines {
  readonly buffer: Buffer;
  /** Called for a complete line, without its line ending. */
  readonly onLine: OnLine;
  /** Called for a line that is too long; its bytes are not kept. */
  readonly onTooLong?: () => void;
  /** The number of bytes that are read; if undefined, all. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The time in milliseconds between two turns of the event loop. */
const betweenTurns = 8;
let lastTurn = performance.now();

/** Gives the event loop a turn if the last one was some time ago, and throws if the signal is aborted. */
export async function breathe(signal: AbortSignal | undefined): Promise<void> {
  if (performance.now() > lastTurn + betweenTurns) {
    await setImmediate();
    lastTurn = performance.now();
  }
  signal?.throwIfAborted();
}

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** The flags for reading: a link that replaced a file is not followed, and nothing waits for a pipe. */
export const readingFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;

/** Opens a file. Returns null if it is not a regular file. Promises would take longer than reading a small file. */
export function openToRead(path: string): number | null {
  const file = openSync(path, readingFlags);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return null;
}

/** Reads a file in pieces. Returns the number of bytes after the last line ending, or null if it is not a regular file. */
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
  /** The end of the unfinished line, which begins at 1. */
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
