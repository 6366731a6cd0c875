import { constants } from 'node:fs';
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What the log needs of a file; tests put one in its place that fails. */
export interface AppendFile {
  /** Bytes written, which a full disk may make fewer than were given. */
  write(bytes: Uint8Array): Promise<number>;
  sync(): Promise<void>;
  truncate(length: number): Promise<void>;
  close(): Promise<void>;
}

export type OpenAppendFile = (path: string) => Promise<AppendFile>;

/** A new file that only this user can read; appended to, whoever else may write. */
export const openAppendFile: OpenAppendFile = async (path) => {
  const handle = await open(
    path,
    constants.O_APPEND | constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY,
    0o600,
  );
  return {
    write: async (bytes) => (await handle.write(bytes)).bytesWritten,
    sync: () => handle.datasync(),
    truncate: (length) => handle.truncate(length),
    close: () => handle.close(),
  };
};

export async function makeAuditFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

export interface AuditFileName {
  readonly name: string;
  readonly session: string;
  /** Counted from 1. */
  readonly part: number;
}

/** Sorts by the start of the session, then by part. */
export function auditFileName(startedAt: Date, session: string, part: number): string {
  const stamp = startedAt.toISOString().replace(/[-:]/g, '').replace(/\..*/, 'Z');
  return `${stamp}-${session}-${String(part).padStart(4, '0')}.jsonl`;
}

const pattern = /^\d{8}T\d{6}Z-([0-9a-f-]{8,36})-(\d{4,})\.jsonl$/;

/** The log's files, oldest session first. No folder yet means none. */
export async function listAuditFiles(folder: string): Promise<readonly AuditFileName[]> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return names.sort().flatMap((name) => {
    const [, session, part] = pattern.exec(name) ?? [];
    return session === undefined ? [] : [{ name, session, part: Number(part) }];
  });
}

/** The lines of a file; `rest` is what follows the last end of line: nothing, unless a write was cut short. */
export async function readAuditFile(
  folder: string,
  name: string,
): Promise<{ readonly lines: readonly string[]; readonly rest: string }> {
  const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
  const rest = lines.pop() ?? '';
  return { lines, rest };
}

/** Removes all files of the log; returns how many there were. */
export async function purgeAuditFiles(folder: string): Promise<number> {
  const files = await listAuditFiles(folder);
  for (const { name } of files) await rm(join(folder, name), { force: true });
  return files.length;
}
