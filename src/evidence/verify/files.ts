import { closeSync, lstatSync, readSync } from 'node:fs';
import { type FileHandle, lstat, open, readdir, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { append } from '../../util/append.ts';
import type { Findings } from './findings.ts';
import type { Expected } from './intake.ts';
import { maxReadLine, openToRead, readingFlags } from './readLines.ts';

/** A file to read, and its expected content according to its name. */
export interface InputFile {
  readonly path: string;
  /** The name of the file in the results: its path below the given folder. */
  readonly name: string;
  /** The content that the name indicates; null if it indicates none. */
  readonly expected: Expected | null;
  /** The number of bytes that are read; if undefined, all. */
  readonly limit?: number;
}

const sessionFile = /^\d{8}T\d{6}Z-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})-\d{4,7}\.jsonl$/;
const ledgerFile = /^ledger-([0-9a-f]{32})-\d{4,7}\.jsonl$/;

export function expectedOf(name: string): Expected | null {
  const [, session] = sessionFile.exec(name) ?? [];
  if (session !== undefined) return { of: 'session', name: session };
  const [, ledger] = ledgerFile.exec(name) ?? [];
  return ledger === undefined ? null : { of: 'ledger', name: ledger };
}

/** The key to sort by the beginning of the name, then by the number of the part, which may have more than four digits. */
function sortKey({ name }: InputFile): string {
  return name.replace(/\d+(?=\.jsonl$)/, (part) => part.padStart(8, '0'));
}

/** The files of the log in folders, and single files. Links in a folder are not followed. Throws errors of reading. */
export async function listInput(
  paths: readonly string[],
  findings: Findings,
  isCollected: boolean,
): Promise<readonly InputFile[]> {
  const files: InputFile[] = [];
  for (const given of paths) {
    const path = resolve(given);
    if (!(await stat(path)).isDirectory()) {
      const name = basename(path);
      files.push({ path, name, expected: isCollected ? null : expectedOf(name) });
    } else if (isCollected) {
      // Several folders can contain files with the same name.
      append(files, await below(path, paths.length > 1 ? `${basename(path)}/` : '', findings));
    } else {
      append(files, await logFiles(logFolder(path), findings));
    }
  }
  return files;
}

/** Returns the folder of the log: a bundle has it in a separate folder. */
function logFolder(path: string): string {
  const audit = join(path, 'audit');
  return lstatSync(audit, { throwIfNoEntry: false })?.isDirectory() ? audit : path;
}

/**
 * Windows write while the files are read. Heads must not be newer than the lines that were read, so each ledger is read
 * only up to its size from before the sessions are listed.
 */
async function logFiles(folder: string, findings: Findings): Promise<readonly InputFile[]> {
  const list = () => readdir(folder, { withFileTypes: true });
  const limits = new Map<string, () => Promise<number>>();
  for (const entry of await list())
    if (entry.isFile() && ledgerFile.test(entry.name)) limits.set(entry.name, await limitOf(join(folder, entry.name)));
  const files: InputFile[] = [];
  for (const entry of await list()) {
    const { name } = entry;
    const expected = expectedOf(name);
    const file = { path: join(folder, name), name, expected };
    const limit = limits.get(name);
    if (expected === null || !entry.isFile()) {
      if (expected !== null || name.endsWith('.jsonl')) findings.addNote('skipped', { file: name, line: 0 }, name);
    } else if (expected.of === 'session') files.push(file);
    else if (limit !== undefined) files.push({ ...file, limit: await limit() });
  }
  return files.sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
}

/**
 * Returns a function for the offset at which reading stops. An incomplete line at the end is left out if it has grown by the
 * time that function is called; otherwise, a crash left it, and it is read.
 */
async function limitOf(path: string): Promise<() => Promise<number>> {
  const { size } = await lstat(path);
  const end = Buffer.alloc(Math.min(size, maxReadLine));
  const file = openToRead(path);
  if (file === null) return async () => 0;
  try {
    readSync(file, end, 0, end.length, size - end.length);
  } finally {
    closeSync(file);
  }
  const half = end.length - 1 - end.lastIndexOf(10);
  return async () => (half > 0 && (await lstat(path)).size > size ? size - half : size);
}

/** The files in a folder of a collection, in which any file name is accepted. */
async function below(path: string, prefix: string, findings: Findings): Promise<readonly InputFile[]> {
  const files: InputFile[] = [];
  const entries = await readdir(path, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = `${prefix}${entry.name}`;
    const at = join(path, entry.name);
    if (entry.isDirectory()) append(files, await below(at, `${name}/`, findings));
    else if (entry.isFile()) files.push({ path: at, name, expected: null });
    else findings.addNote('skipped', { file: name, line: 0 }, name);
  }
  return files;
}

/** Runs a task with an open file. Returns false if it is not a regular file. A link that replaced it is not followed. */
export async function withFile(
  path: string,
  task: (file: FileHandle, size: number) => Promise<void>,
): Promise<boolean> {
  const file = await open(path, readingFlags);
  try {
    const found = await file.stat();
    if (!found.isFile()) return false;
    await task(file, found.size);
    return true;
  } finally {
    await file.close();
  }
}
