import type { FileHandle } from 'node:fs/promises';
import { maxReadLine } from '../../evidence/verify/readLines.ts';
import { maxFileBytes, withAuditFile } from './auditRead.ts';

/** The number of bytes that are read with one call, which takes a few milliseconds. */
const slice = 64 * 1024;

/**
 * Called with a line without its line ending, and the offset in the file after that. The line is empty if it is longer than
 * any line of the log. A promise is awaited before the next line.
 */
type TakeLine = (line: Buffer, end: number) => boolean | undefined | Promise<boolean>;

interface LineRange {
  /** The offset in bytes at which to begin. */
  readonly from?: number;
  readonly maxBytes?: number;
  /** The number of bytes that are read with one call. */
  readonly sliceBytes?: number;
}

/**
 * Calls `take` with each complete line after an offset until it returns false. Returns the size of the file in bytes, or 0 if
 * there is no such file or it is not a regular one. Throws the same errors as {@link withAuditFile}.
 */
export async function eachLine(
  path: string,
  take: TakeLine,
  { from = 0, maxBytes = maxFileBytes, sliceBytes = slice }: LineRange = {},
): Promise<number> {
  const read = async (file: FileHandle, size: number): Promise<number> => {
    await readLines(file, { from, size, sliceBytes }, take);
    return size;
  };
  return (await withAuditFile(path, read, maxBytes)) ?? 0;
}

async function readLines(
  file: FileHandle,
  { from, size, sliceBytes }: Required<Omit<LineRange, 'maxBytes'>> & { readonly size: number },
  take: TakeLine,
): Promise<void> {
  let rest: Buffer = Buffer.alloc(0);
  let isTooLong = false;
  for (let at = from; at < size; ) {
    const { buffer, bytesRead } = await file.read(
      Buffer.allocUnsafe(sliceBytes),
      0,
      Math.min(sliceBytes, size - at),
      at,
    );
    if (bytesRead === 0) return;
    const bytes = Buffer.concat([rest, buffer.subarray(0, bytesRead)]);
    const start = at - rest.length;
    let begin = 0;
    for (let end = bytes.indexOf(0x0a); end >= 0; end = bytes.indexOf(0x0a, begin)) {
      const line = bytes.subarray(isTooLong ? end : begin, end);
      isTooLong = false;
      begin = end + 1;
      const isTaken = take(line, start + begin);
      if (isTaken === false || (isTaken instanceof Promise && !(await isTaken))) return;
    }
    isTooLong ||= bytes.length - begin > maxReadLine;
    rest = isTooLong ? Buffer.alloc(0) : bytes.subarray(begin);
    at += bytesRead;
  }
}
