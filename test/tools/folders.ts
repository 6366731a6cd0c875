import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** The folder for downloaded parts and temporary data: git-ignored, kept between runs. */
export const cacheFolder = resolve('.vscode-test');

/** Free bytes that are more than enough for all browsers of a run and their data. */
const enoughMemory = 2 * 1024 ** 3;

/** The folder in memory, or undefined if there is none, it is too full, or this user cannot write to it. */
export function sharedMemory(folder = '/dev/shm', enough = enoughMemory): string | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    if (bavail * bsize < enough) return undefined;
    // The permissions alone say too little: the file system may be read-only.
    rmSync(mkdtempSync(join(folder, 'svc-writable-')), { recursive: true });
    return folder;
  } catch {
    return undefined;
  }
}

/** The folder for what a test measures with many files: a slow disk would be part of the figure. */
export function memoryFolder(): string {
  return sharedMemory() ?? tmpdir();
}

/**
 * Creates `folder` once, for any number of calls. The mark is written last, so that a failed attempt is repeated, and a
 * lock prevents two processes from creating it at the same time. The lock of a dead process is ignored.
 */
export async function makeOnce(folder: string, make: () => Promise<void>): Promise<void> {
  const mark = join(folder, '.complete');
  const lock = `${folder}.lock`;
  mkdirSync(cacheFolder, { recursive: true });
  while (!existsSync(mark)) {
    if (tryLock(lock)) {
      try {
        // Another process may have completed it in between, and use it already.
        if (existsSync(mark)) return;
        rmSync(folder, { recursive: true, force: true });
        mkdirSync(folder, { recursive: true });
        await make();
        mkdirSync(mark);
      } finally {
        rmSync(lock, { force: true });
      }
    } else {
      await pause(500);
    }
  }
}

function tryLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch {
    if (!isHeld(lock)) rmSync(lock, { force: true });
    return false;
  }
}

function isHeld(lock: string): boolean {
  try {
    const holder = Number(readFileSync(lock, 'utf8'));
    // The lock is empty between its creation and its first write.
    return holder === 0 || process.kill(holder, 0);
  } catch (error) {
    // It was released: removing it now could remove that of another process.
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

function pause(ms: number): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  setTimeout(done, ms);
  return promise;
}
