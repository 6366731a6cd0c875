import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withLock } from '../lock.ts';

/** Runs `task` while no other window runs one for this folder, which is made if it is not there. */
export async function withProvenanceLock<T>(folder: string, task: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withLock(join(folder, 'key.lock'), task);
}
