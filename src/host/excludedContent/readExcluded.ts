import { closeSync, constants, fstatSync, lstatSync, openSync, promises, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type * as vscode from 'vscode';
import { type FileState, type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { Disk } from '../sources/disk.ts';
import { isOnThisMachine } from '../sources/listings.ts';
import { readBytes } from '../sources/readBytes.ts';
import { isSettled } from '../sources/settled.ts';

/** Why the content of an excluded file is not known. */
export type Unrecognized = 'binary' | 'tooLarge' | 'unreadable' | 'noRoom';

/** Larger files are not recognized by their content. Bytes. */
export const maxBytes = 1024 * 1024;
/** The same for a file that git ignores: larger ones are usually generated. */
export const maxIgnoredBytes = 32 * 1024;

/**
 * The path of a file in a folder on a file system of this machine, which answers before another thread could: tens of
 * thousands of files are examined in a fraction of a second. null elsewhere.
 */
async function pathHere(uri: vscode.Uri, lookups: Lookups): Promise<string | null> {
  if (uri.scheme !== 'file') return null;
  const path = uri.fsPath;
  const folder = dirname(path);
  const isHere = await once(lookups, `is here ${folder}`, async () => {
    try {
      const { dev } = await promises.stat(folder);
      return await isOnThisMachine(folder, dev, lookups);
    } catch {
      return false;
    }
  });
  return isHere ? path : null;
}

/** The same as stateOf(), for one of very many files. */
export async function stateAmong(uri: vscode.Uri, lookups: Lookups): Promise<FileState | null | undefined> {
  const path = await pathHere(uri, lookups);
  if (path === null) return stateOf(uri);
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined) return null;
    // The target of a link may be anywhere.
    if (!found.isFile()) return stateOf(uri);
    const { mtimeMs, ctimeMs, size } = found;
    return { stamp: `${mtimeMs} ${ctimeMs} ${size}`, isSettled: isSettled(mtimeMs, ctimeMs), bytes: size };
  } catch {
    return undefined;
  }
}

/** null if the file no longer exists; undefined if it cannot be examined. */
export async function stateOf(uri: vscode.Uri): Promise<FileState | null | undefined> {
  return new Disk(uri).stat(uri.path).catch(() => undefined);
}

/** Reads the text of a file from the disk. */
export async function readExcluded(
  uri: vscode.Uri,
  most = maxBytes,
  lookups: Lookups = new Map(),
): Promise<{ readonly text: string } | Unrecognized> {
  const path = await pathHere(uri, lookups);
  const here = path === null ? null : readHere(path, most);
  if (here !== null) return here;
  try {
    const bytes = await readBytes(uri, most);
    return bytes === null ? 'tooLarge' : textOf(bytes);
  } catch {
    return 'unreadable';
  }
}

/** null for a link, which may lead elsewhere. */
function readHere(path: string, most: number): { readonly text: string } | Unrecognized | null {
  let file: number | null = null;
  try {
    if (lstatSync(path).isSymbolicLink()) return null;
    // Opening a pipe would wait otherwise.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0));
    const state = fstatSync(file);
    if (!state.isFile()) return 'unreadable';
    if (state.size > most) return 'tooLarge';
    const bytes = Buffer.allocUnsafe(state.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < bytes.length; length += read) {
      read = readSync(file, bytes, length, bytes.length - length, null);
    }
    // It may have grown meanwhile: it is read again then.
    return length > state.size ? null : textOf(bytes.subarray(0, length));
  } catch {
    return 'unreadable';
  } finally {
    if (file !== null) closeSync(file);
  }
}

function textOf(bytes: Uint8Array): { readonly text: string } | 'binary' {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  // The same test as git's.
  if (bytes.subarray(0, 8_000).includes(0)) return 'binary';
  return { text: new TextDecoder().decode(bytes) };
}
