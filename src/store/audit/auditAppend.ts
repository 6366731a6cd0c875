import type { AppendFile } from './auditFiles.ts';

/** A file of the log that is open for writing. */
export interface OpenAuditFile {
  readonly file: AppendFile;
  /** The day in UTC, such as 2026-03-01. */
  readonly day: string;
  /** The size of all complete lines in bytes. */
  size: number;
  /** Whether the rest of a failed write is still in the file. */
  isTorn: boolean;
}

/**
 * Appends all bytes or nothing: a partial write to a full disk is rolled back. Returns false if the file was removed in the
 * meantime, so that nothing in it is kept. Throws the file system's error.
 */
export async function append(current: OpenAuditFile, bytes: Uint8Array): Promise<boolean> {
  await mend(current);
  try {
    const written = await current.file.write(bytes);
    if (written < bytes.length) throw Object.assign(new Error('A short write.'), { code: 'ENOSPC' });
    // This is checked after the write, in parallel with the sync: an earlier check would miss a removal in between.
    const [isThere] = await Promise.all([current.file.isThere(), current.file.sync()]);
    current.size += bytes.length;
    return isThere;
  } catch (error) {
    current.isTorn = true;
    await mend(current).catch(() => undefined);
    throw error;
  }
}

/**
 * Removes the rest of a failed write. Nothing may be appended after that rest: half a line in the middle would break the
 * chain.
 */
export async function mend(current: OpenAuditFile): Promise<void> {
  if (!current.isTorn) return;
  await current.file.truncate(current.size);
  current.isTorn = false;
}
