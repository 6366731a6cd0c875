import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Where downloaded parts and throw-away data live: git-ignored, kept between runs. */
export const cacheFolder = resolve('.vscode-test');

/** Bytes that all browsers of a run, and what they keep, leave free by far. */
const enoughMemory = 2 * 1024 ** 3;

/** The folder that is in memory; undefined where there is none, no room in it, or it is not this user's to write to. */
export function sharedMemory(): string | undefined {
  const folder = '/dev/shm';
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= enoughMemory ? folder : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Makes `folder` once, whoever asks and however often: the mark is written last, so that a broken attempt is made anew,
 * and a lock keeps two processes from making it at the same time. The lock of a process that died counts for nothing.
 */
export async function makeOnce(folder: string, make: () => Promise<void>): Promise<void> {
  const mark = join(folder, '.complete');
  const lock = `${folder}.lock`;
  mkdirSync(cacheFolder, { recursive: true });
  while (!existsSync(mark)) {
    if (tryLock(lock)) {
      try {
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
    // Empty for the moment between its making and its writing.
    return holder === 0 || process.kill(holder, 0);
  } catch {
    return false;
  }
}

function pause(ms: number): Promise<void> {
  const { promise, resolve: done } = Promise.withResolvers<void>();
  setTimeout(done, ms);
  return promise;
}
