import { constants } from 'node:fs';
import { chmod, type FileHandle, mkdir, open, readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { logIdIn } from '../../evidence/logId.ts';
import { syncFolder } from '../files.ts';
import { readAll } from './auditRead.ts';

/** The file operations of the log; tests replace them with failing operations. */
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

const { O_APPEND, O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
/** The flags for appending; they do not follow a link, and do not wait for the reader of a pipe. */
const appending = O_APPEND | O_WRONLY | O_NOFOLLOW | O_NONBLOCK;

/** Opens a new file that only this user can read, in append mode. Syncs its folder entry to the disk too. */
export const openAppendFile: OpenAppendFile = async (path) => {
  const handle = await open(path, appending | O_CREAT | O_EXCL, 0o600);
  await syncFolder(dirname(path));
  return appendFileOf(path, handle);
};

/** Like openAppendFile(), for a file that may already exist. */
export const reopenAppendFile: OpenAppendFile = async (path) => {
  const handle = await open(path, appending).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return handle === null ? openAppendFile(path) : appendFileOf(path, handle);
};

function appendFileOf(path: string, handle: FileHandle): AppendFile {
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
}

/** Makes a folder that only this user can access; also restricts a folder that was restored from a backup. */
export async function makeAuditFolder(folder: string): Promise<void> {
  const firstCreated = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (firstCreated !== undefined) await syncFolder(dirname(firstCreated));
  // If the folder belongs to another user, its files are still readable only by this user.
  await chmod(folder, 0o700).catch(() => undefined);
}

export interface AuditFileName {
  readonly name: string;
  readonly session: string;
  /** The start of the session, as in {@link stampOf}. */
  readonly stamp: string;
  /** The number of the file within its session, counted from 1. */
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

const pattern = /^(\d{8}T\d{6}Z)-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-(\d{4,7})\.jsonl$/;

/**
 * Returns the log's files, oldest session first, without links and other special files; an empty list if the folder does not
 * exist.
 */
export async function listAuditFiles(folder: string): Promise<readonly AuditFileName[]> {
  return (await namesIn(folder)).flatMap((name) => {
    const [, stamp, session, part] = pattern.exec(name) ?? [];
    return stamp === undefined || session === undefined ? [] : [{ name, session, stamp, part: Number(part) }];
  });
}

/** Whether this is the name of a file of a session. */
export function isSessionFile(name: string): boolean {
  return pattern.test(name);
}

/** The names of the files of sessions and ledgers, without temporary files such as locks. */
export async function logNames(folder: string): Promise<ReadonlySet<string>> {
  return new Set((await namesIn(folder)).filter((name) => pattern.test(name) || ledgerPattern.test(name)));
}

/** The name of a ledger's file. There is one for each key. */
export function ledgerFileName(origin: string): string {
  return `ledger-${logIdIn(origin)}-0001.jsonl`;
}

/** The name of an exported bundle: `svc-evidence-<first 8 of log id>-<date>.tar.gz`. */
export function bundleName(origin: string, now: Date): string {
  return `svc-evidence-${logIdIn(origin).slice(0, 8)}-${now.toISOString().slice(0, 10)}.tar.gz`;
}

const ledgerPattern = /^ledger-[0-9a-f]{32}-\d{4,7}\.jsonl$/;

/** Returns the names of the ledgers' files; an empty list if the folder does not exist. */
export async function ledgerFiles(folder: string): Promise<readonly string[]> {
  return (await namesIn(folder)).filter((name) => ledgerPattern.test(name));
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
}

/**
 * The lines of a file; `rest` is the text after the last line ending: empty, unless a write was cut short. With `latin1` each
 * character is one byte, for callers that need the exact bytes. A file that was removed in the meantime has no lines. Throws
 * the errors of reading, and EFBIG for a file that is larger than any file of the log.
 */
export async function readAuditFile(
  folder: string,
  name: string,
  encoding: 'utf8' | 'latin1' = 'utf8',
): Promise<{ readonly lines: readonly string[]; readonly rest: string }> {
  const text = (await readAll(join(folder, name)))?.toString(encoding) ?? '';
  const lines = text.split('\n');
  const rest = lines.pop() ?? '';
  return { lines, rest };
}
