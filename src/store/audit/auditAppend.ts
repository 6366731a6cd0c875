import type { AppendFile } from './auditFiles.ts';

/** A file of the log that is written to. */
export interface OpenAuditFile {
  readonly file: AppendFile;
  /** Of UTC, such as 2026-03-01. */
  readonly day: string;
  /** Bytes of whole lines. */
  size: number;
  /** What a write left behind could not be taken back yet. */
  isTorn: boolean;
}

/** All of it is on the disk, or nothing: what a full disk took in part is taken back. Throws what the disk says. */
export async function append(current: OpenAuditFile, bytes: Uint8Array): Promise<void> {
  await mend(current);
  try {
    const written = await current.file.write(bytes);
    if (written < bytes.length) throw Object.assign(new Error('A short write.'), { code: 'ENOSPC' });
    await current.file.sync();
  } catch (error) {
    current.isTorn = true;
    await mend(current).catch(() => undefined);
    throw error;
  }
  current.size += bytes.length;
}

/** Takes back what a failed write left. Nothing may follow it: half a line in the middle would break the chain. */
export async function mend(current: OpenAuditFile): Promise<void> {
  if (!current.isTorn) return;
  await current.file.truncate(current.size);
  current.isTorn = false;
}
