import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { withFile } from '../evidence/verify/files.ts';
import { ServiceError } from '../util/errors.ts';

/** The time in milliseconds after which a lock that was not renewed is stale. */
const staleAfterMs = 30_000;
const renewEveryMs = 10_000;
/** The maximum size of a lock file in bytes. It contains the name of the host and some digits. */
const maxLockBytes = 4_096;
/** The time in milliseconds after which an empty lock is stale: its process was killed early, or the disk is full. */
const emptyStaleAfterMs = 2_000;
/** The maximum time in milliseconds to wait for a lock. It is longer than the time after which a lock is stale. */
const giveUpAfterMs = 40_000;

export interface HeldLock {
  /** Returns false if another process considered the lock stale, for example after the computer slept. */
  isHeld(): Promise<boolean>;
}

interface LockOptions {
  /** Called if the lock of a process that has ended was removed: that process may have left a partial file. */
  readonly onDidBreak?: () => Promise<void>;
}

/**
 * Runs a task exclusively: no other window, which is another process, runs one for the same path at the same time. Creating a
 * file exclusively is the only kind of lock that every system and network disk supports. The lock file contains the process id,
 * so the lock of a killed process can be removed. Throws the error of creating the file (ENOENT if there is no folder), or a
 * ServiceError of kind `storage`, code `locked`, if the lock stays held by another process.
 */
export async function withLock<T>(
  path: string,
  task: (lock: HeldLock) => Promise<T>,
  options: LockOptions = {},
): Promise<T> {
  const held = await acquire(path, options);
  const isHeld = (): Promise<boolean> => holds(path, held);
  const renewing = setInterval(() => void renew(path, isHeld), renewEveryMs).unref();
  try {
    return await task({ isHeld });
  } finally {
    clearInterval(renewing);
    // If another process considered it stale, it now belongs to that process.
    if (await isHeld()) await rm(path, { force: true });
  }
}

/** Runs `task` while no other window runs one for this folder, which is created if it is missing. */
export async function withFolderLock<T>(folder: string, name: string, task: () => Promise<T>): Promise<T> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return withLock(join(folder, name), task);
}

/** Whether the lock is still held. A process that considers it stale may have moved it aside, and then moves it back. */
async function holds(path: string, held: string): Promise<boolean> {
  for (let looks = 0; looks < 5; looks += 1) {
    const content = await contentOf(path);
    if (content !== null) return content === held;
    await wait(20);
  }
  return false;
}

async function renew(path: string, isHeld: () => Promise<boolean>): Promise<void> {
  const now = new Date();
  if (await isHeld()) await utimes(path, now, now).catch(() => undefined);
}

/** Returns the content of the lock that is now held. */
async function acquire(path: string, { onDidBreak }: LockOptions): Promise<string> {
  const token = JSON.stringify({ host: hostname(), pid: process.pid, id: randomUUID() });
  const startedAt = performance.now();
  let wasBroken = false;
  for (let tries = 0; ; tries += 1) {
    const held = await create(path, token);
    if (held !== null) {
      if (wasBroken) await onDidBreak?.();
      return held;
    }
    if (performance.now() - startedAt > giveUpAfterMs)
      throw new ServiceError('storage', 'Timed out waiting for a lock.', { code: 'locked' });
    if (await breakIfStale(path)) wasBroken = true;
    else await wait(Math.min(20, 1 + tries) * (0.5 + Math.random() / 2));
  }
}

/** Returns the lock's content, or null if another process holds it. */
async function create(path: string, token: string): Promise<string | null> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(token);
      return token;
    } catch {
      // On a full disk, the file can be created but not written. An empty file is enough, and deleting it must still work.
      await file.truncate(0);
      return '';
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isHeldByOther(error)) return null;
    throw error;
  }
}

function isHeldByOther(error: unknown): boolean {
  const code = codeOf(error);
  if (code === 'EEXIST') return true;
  // Windows reports this for a file that is being deleted.
  return process.platform === 'win32' && (code === 'EPERM' || code === 'EBUSY' || code === 'EACCES');
}

/** Returns true if a stale lock was removed. */
async function breakIfStale(path: string): Promise<boolean> {
  const content = await contentOf(path);
  if (content === null ? !(await isForeign(path)) : !(await isStale(path, content))) return false;
  // Two processes may remove the same stale lock: if this process has moved the new lock of the other one, it moves it back.
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  if ((await contentOf(aside)) !== content) {
    await rename(aside, path).catch(() => undefined);
    return false;
  }
  await rm(aside, { force: true });
  return true;
}

/** Whether the path is a link or a pipe, which is not a lock of ours. */
function isForeign(path: string): Promise<boolean> {
  return lstat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
}

async function isStale(path: string, content: string): Promise<boolean> {
  const holder = holderIn(content);
  if (holder?.host === hostname() && !processExists(holder.pid)) return true;
  try {
    const limit = content === '' ? emptyStaleAfterMs : staleAfterMs;
    return Date.now() - (await stat(path)).mtimeMs > limit;
  } catch {
    return false;
  }
}

function holderIn(content: string): { readonly host: unknown; readonly pid: number } | null {
  try {
    const { host, pid } = JSON.parse(content) as { host?: unknown; pid?: unknown };
    return Number.isInteger(pid) ? { host, pid: Number(pid) } : null;
  } catch {
    return null;
  }
}

async function contentOf(path: string): Promise<string | null> {
  let content: string | null = null;
  await withFile(path, async (file) => {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxLockBytes), 0, maxLockBytes, 0);
    content = buffer.toString('utf8', 0, bytesRead);
  }).catch(() => undefined);
  return content;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

/** Whether a process of this machine has this id. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
