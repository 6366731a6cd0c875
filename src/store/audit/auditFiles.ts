import { constants } from 'node:fs';
import { chmod, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncFolder } from '../files.ts';

/** What the log needs of a file; tests put one in its place that fails. */
export interface AppendFile {
  /** Bytes written, which a full disk may make fewer than were given. */
  write(bytes: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  /** Whether it still has its name: a file that was removed takes bytes, and nobody ever sees them. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

export type OpenAppendFile = (path: string) => Promise<AppendFile>;

/** A new file that only this user can read; appended to, whoever else may write. Its name is on the disk too. */
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

/** A folder that only this user can look into, though it may have come from a backup. */
export async function makeAuditFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(dirname(made));
  // Where it is somebody else's, the files in it are still this user's alone.
  await chmod(folder, 0o700).catch(() => undefined);
}

export interface AuditFileName {
  readonly name: string;
  readonly session: string;
  /** When the session began, as in {@link stampOf}. */
  readonly stamp: string;
  /** Counted from 1. */
  readonly part: number;
}

/** Seconds of UTC that sort as text: 20260301T235959Z. */
export function stampOf(time: Date): string {
  return time.toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
}

/** Sorts by the start of the session, then by part. */
export function auditFileName(stamp: string, session: string, part: number): string {
  return `${stamp}-${session}-${String(part).padStart(4, '0')}.jsonl`;
}

const pattern = /^(\d{8}T\d{6}Z)-([0-9a-f-]{8,36})-(\d{4,})\.jsonl$/;

/** The log's files, oldest session first. No folder yet means none. */
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
 * The lines of a file; `rest` is what follows the last end of line: nothing, unless a write was cut short. As `latin1`
 * each character is one byte, for who must see the very bytes. A file that was removed meanwhile has none.
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

/** Removes all files of the log; returns how many there were. */
export async function purgeAuditFiles(folder: string): Promise<number> {
  const files = await listAuditFiles(folder);
  for (const { name } of files) await rm(join(folder, name), { force: true });
  return files.length;
}
