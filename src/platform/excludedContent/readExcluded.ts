import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { type FileState, type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { Disk } from '../files/disk.ts';
import { isSettled, updatesFolderTimes } from '../files/listings.ts';
import { readBytes, readStart } from '../files/readBytes.ts';
import { decodeExcluded, type Readings, readingsAtStart } from './decodeExcluded.ts';

/** The reason why the content of an excluded file is not recognized. */
export type Unrecognized = 'binary' | 'tooLarge' | 'undecodable' | 'unreadable' | 'noRoom' | 'notFound';

/** The maximum size in bytes of a file that is recognized by its content. */
export const maxBytes = 1024 * 1024;
/** The length in bytes of the start of a file that is enough to recognize a binary file. */
const startBytes = 8_000;

/**
 * Whether a folder is on a local file system. There, synchronous calls examine tens of thousands of files in a fraction of a
 * second.
 */
function isLocal(folder: string, lookups: Lookups): Promise<boolean> {
  return once(lookups, `is here ${folder}`, async () => {
    try {
      const { dev } = await promises.stat(folder);
      return await updatesFolderTimes(folder, dev, lookups);
    } catch {
      return false;
    }
  });
}

/** Returns the path of a file in a folder on a file system of this machine, or null for any other file. */
async function pathHere(uri: vscode.Uri, lookups: Lookups): Promise<string | null> {
  if (uri.scheme !== 'file') return null;
  const path = uri.fsPath;
  return (await isLocal(dirname(path), lookups)) ? path : null;
}

/** Like stateOf(), but for very many files. */
export async function statesOf(
  files: ReadonlyMap<string, { readonly uri: vscode.Uri }>,
  lookups: Lookups,
): Promise<ReadonlyMap<string, FileState | null | undefined>> {
  const states = new Map<string, FileState | null | undefined>();
  // The files of a folder follow each other.
  let last = { folder: '', isLocal: false };
  for (const [key, { uri }] of files) {
    if (isPauseDue()) await pause();
    const path = uri.scheme === 'file' ? uri.fsPath : '';
    const folder = dirname(path);
    if (folder !== last.folder) last = { folder, isLocal: path !== '' && (await isLocal(folder, lookups)) };
    const state = last.isLocal ? stateHere(path) : 'elsewhere';
    states.set(key, state === 'elsewhere' ? await stateOf(uri) : state);
  }
  return states;
}

function stateHere(path: string): FileState | null | undefined | 'elsewhere' {
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    // The target of a link may be anywhere.
    if (!found.isFile()) return 'elsewhere';
    const { mtimeMs, ctimeMs, size } = found;
    return { stamp: `${mtimeMs} ${ctimeMs} ${size}`, isSettled: isSettled(mtimeMs, ctimeMs), bytes: size };
  } catch {
    return undefined;
  }
}

/** Returns null if the file no longer exists, and undefined if it cannot be examined. */
export async function stateOf(uri: vscode.Uri): Promise<FileState | null | undefined> {
  return new Disk(uri).stat(uri.path).catch(() => undefined);
}

/** Reads the text of a file from the disk. */
export async function readExcluded(
  uri: vscode.Uri,
  limit = maxBytes,
  lookups: Lookups = new Map(),
): Promise<Readings | Unrecognized> {
  const path = await pathHere(uri, lookups);
  const here = path === null ? null : readHere(path, limit);
  if (here !== null) return typeof here === 'string' ? here : decodeExcluded(here, uri);
  try {
    const bytes = await readBytes(uri, limit);
    if (bytes !== null) return await decodeExcluded(bytes, uri);
    const start = await readStart(uri, startBytes);
    return start !== null && readingsAtStart(start) === 0 ? 'binary' : 'tooLarge';
  } catch {
    return 'unreadable';
  }
}

/** Like readingsAtStart(), of a file; 1 if it is not on this machine or cannot be read. */
export async function expectedReadings(uri: vscode.Uri, lookups: Lookups): Promise<number> {
  const path = await pathHere(uri, lookups);
  const file = path === null ? null : openFile(path);
  if (file === null) return 1;
  try {
    return fstatSync(file).isFile() ? readingsAtStart(startOf(file, startBytes)) : 1;
  } catch {
    return 1;
  } finally {
    closeSync(file);
  }
}

/** Returns null for a link, which may lead to another machine, and for a file that grows while it is read. */
function readHere(path: string, limit: number): Buffer | 'binary' | 'tooLarge' | 'unreadable' | null {
  let file: number | null = null;
  try {
    if (lstatSync(path).isSymbolicLink()) return null;
    file = openFile(path);
    if (file === null) return 'unreadable';
    const state = fstatSync(file);
    if (!state.isFile()) return 'unreadable';
    if (state.size > limit) return readingsAtStart(startOf(file, startBytes)) === 0 ? 'binary' : 'tooLarge';
    const bytes = startOf(file, state.size + 1);
    // If the file has grown in the meantime, it is read again.
    return bytes.length > state.size ? null : bytes;
  } catch {
    return 'unreadable';
  } finally {
    if (file !== null) closeSync(file);
  }
}

/**
 * Opens a file without blocking: opening a pipe could otherwise wait for a writer. Returns null if it cannot be opened, or
 * is a link.
 */
function openFile(path: string): number | null {
  try {
    return openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
  } catch {
    return null;
  }
}

function startOf(file: number, limit: number): Buffer {
  const bytes = Buffer.allocUnsafe(limit);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read) {
    read = readSync(file, bytes, length, bytes.length - length, null);
  }
  return bytes.subarray(0, length);
}
