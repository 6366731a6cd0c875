import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

interface WriteOptions {
  /** The permissions of the new file. */
  readonly mode: number;
}

/**
 * Replaces the file atomically: it holds the new text or the old one, even after a crash. The text is written beside
 * the file, synced, and renamed. Throws the file system's error and then leaves no file behind.
 */
export async function writeAtomically(path: string, text: string, { mode }: WriteOptions): Promise<void> {
  const beside = join(dirname(path), `.${basename(path)}.${randomUUID().slice(0, 8)}.tmp`);
  try {
    const handle = await open(beside, 'wx', mode);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes a new name in the folder survive a power cut. Not every system can open a folder: that is not an error. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // The file's content is synced separately.
  }
}
