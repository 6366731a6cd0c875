import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files.ts';

/** The file operations of the log; tests replace them with failing ones. */
export interface AppendFile {
  /** Returns the number of bytes written, which a full disk may make smaller than the input. */
  write(bytes: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Whether the file still has its name: a file that was removed accepts bytes that are lost. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

export type OpenAppendFile = (path: string) => Promise<AppendFile>;

/** Opens a new file that only this user can read, in append mode. Syncs its folder entry to the disk too. */
export const openAppendFile: OpenAppendFile = async (path) => {
  const handle = await open(
    path,
    constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
    0o600,
  );
  await syncFolder(dirname(path));
  return {
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    sync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    isThere: () =>
      stat(path).then(
        () => true,
        () => false,
      ),
    close: () => handle.close(),
  };
};

/** Makes a folder that only this user can access; also restricts one restored from a backup. */
export async function makeAuditFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(made));
  // If the folder belongs to another user, its files are still readable only by this user.
  await chmod(folder, 0o700).catch(() => undefined);
}

export interface AuditFileName {
  readonly name: string;
  readonly session: string;
  /** The start of the session, as in {@link stampOf}. */
  readonly stamp: string;
  /** Counted from 1. */
  readonly part: number;
}

/** A UTC time in seconds that sorts as text: 20260301T235959Z. */
export function stampOf(time: Date): string {
  return time.toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
}

/** The name sorts by the start of the session, then by part. */
export function auditFileName(stamp: string, session: string, part: number): string {
  return `${stamp}-${session}-${String(part).padStart(4, '0')}.jsonl`;
}

const pattern = /^(\d{8}T\d{6}Z)-([0-9a-f-]{8,36})-(\d{4,})\.jsonl$/;

/** Returns the log's files, oldest session first; none if the folder does not exist. */
export async function listAuditFiles(folder: string): Promise<readonly AuditFileName[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.sort().flatMap((name) => {
    const [, stamp, session, part] = pattern.exec(name) ?? [];
    return stamp === undefined || session === undefined ? [] : [{ name, session, stamp, part: Number(part) }];
  });
}

/**
 * The lines of a file; `rest` is the text after the last end of line: empty, unless a write was cut short. With
 * `latin1` each character is one byte, for callers that need the exact bytes. A file removed meanwhile has no lines.
 */
export async function readAuditFile(
  folder: string,
  name: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<{ readonly lines: readonly string[]; readonly rest: string }> {
  const text = await readFile(join(folder, name), encoding).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  return { lines, rest };
}

/** Removes all files of the log; returns their number. */
export async function purgeAuditFiles(folder: string): Promise<number> {
  const files = await listAuditFiles(folder);
  for (const { name } of files) await rm(join(folder, name), { force: true });
  return files.length;
}
