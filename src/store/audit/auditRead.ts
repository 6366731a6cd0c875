import type { FileHandle } from 'node:fs/promises';
import { withFile } from '../../evidence/verify/files.ts';

/** The maximum size in bytes of a session's file that is read. A session begins its next file at 5 MiB. */
export const maxFileBytes = 64 * 1024 * 1024;
/** The maximum size in bytes of a ledger that is read. A ledger ends after 50,000 lines. */
export const maxLedgerBytes = 4 * maxFileBytes;

/**
 * The only way to read a file of the audit folder, where other programs may put anything. Returns null if there is no such
 * file, or if it is a link, a pipe or a device, which could point to another place or never end. Throws the errors of reading,
 * and EFBIG for more than `maxBytes`.
 */
export async function withAuditFile<T>(
  path: string,
  task: (file: FileHandle, size: number) => Promise<T>,
  maxBytes = maxFileBytes,
): Promise<T | null> {
  let result: T | null = null;
  try {
    await withFile(path, async (file, size) => {
      if (size > maxBytes) throw Object.assign(new Error('The file is too large.'), { code: 'EFBIG' });
      result = await task(file, size);
    });
  } catch (error) {
    if (!isNoFile(error)) throw error;
  }
  return result;
}

/** Whether the error means that the file is missing, a symbolic link, or a socket. */
function isNoFile(error: unknown): boolean {
  return ['ENOENT', 'ELOOP', 'EMLINK', 'ENXIO'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Returns null for a file that is too large, for callers that treat it as missing. Throws any other error. */
export function ifTooLarge(error: NodeJS.ErrnoException): null {
  if (error.code === 'EFBIG') return null;
  throw error;
}

/** The content of a file at the time when it was opened. Returns null in the same cases as withAuditFile(). */
export function readAll(path: string, maxBytes?: number): Promise<Buffer | null> {
  return withAuditFile(path, (file) => file.readFile(), maxBytes);
}
