import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

export interface WriteOptions {
  /** Permissions of a new file. */
  readonly mode: number;
}

/**
 * The file holds the whole text or what it held before, whatever happens meanwhile: written beside it, synced, and put
 * in its place. Throws what the file system throws; nothing is left behind then.
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

/** So that a new name in it survives a power cut too. Not every system lets a folder be opened: no error then. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // What the file holds is synced by itself.
  }
}
