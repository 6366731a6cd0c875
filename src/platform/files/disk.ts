import { promises, statSync } from 'node:fs';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { FileState, IgnoreDisk, Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { isSettled, type Listing, listingOf } from './listings.ts';
import { readBytes } from './readBytes.ts';

/** Error codes for a file that does not exist: VS Code's names and those of this machine. */
const missingCodes = new Set(['FileNotFound', 'FileNotADirectory', 'FileIsADirectory', 'ENOENT', 'ENOTDIR']);

/**
 * The maximum size in bytes of a file that is read. It is larger than any list of rules, and any other file that is read here.
 */
const maxBytes = 8 * 1024 * 1024;

/** The state of a file. Times are in milliseconds since the epoch, and the size is in bytes. */
interface EntryInfo {
  readonly kind: 'file' | 'folder' | 'other';
  readonly mtime: number;
  readonly ctime: number;
  readonly size: number;
}

/**
 * Queries a file without VS Code's API, which sends each call to the window: a listing needs three calls per folder. With
 * `isNear`, the file is on a file system of this machine, which answers before another thread could.
 */
async function infoHere(path: string, isNear: boolean): Promise<EntryInfo> {
  const found = isNear ? statSync(path) : await promises.stat(path);
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  return { kind, mtime: found.mtimeMs, ctime: found.ctimeMs, size: found.size };
}

function infoOf({ type, mtime, ctime, size }: vscode.FileStat): EntryInfo {
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  const kind = isFolder ? 'folder' : (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
  return { kind, mtime, ctime, size };
}

/** Reads the files with the scheme and machine of `base`. Paths are URI paths. */
export class Disk implements IgnoreDisk {
  readonly base: vscode.Uri;

  constructor(base: vscode.Uri) {
    this.base = base;
  }

  /** With `lookups`, a file that its folder's listing does not contain is not queried. */
  async stat(path: string, lookups?: Lookups): Promise<FileState | null> {
    const listing = await this.#listing(posix.dirname(path), lookups);
    const name = posix.basename(path);
    if (listing?.certainlyLacks(name)) return null;
    const found = await this.#look(path, listing?.isLocal && listing.isPlain(name));
    if (found === null || found.kind === 'folder') return null;
    // Reading an existing pipe or device may never end.
    if (found.kind === 'other') throw vscode.FileSystemError.Unavailable(path);
    const { mtime, ctime, size } = found;
    return { stamp: `${mtime} ${ctime} ${size}`, isSettled: isSettled(mtime, ctime), bytes: size };
  }

  async read(path: string): Promise<Uint8Array> {
    const bytes = await readBytes(this.#uri(path), maxBytes);
    if (bytes === null) throw vscode.FileSystemError.Unavailable(path);
    return bytes;
  }

  /** Returns the text of a small file, or null if it does not exist or cannot be read. */
  async text(path: string): Promise<string | null> {
    try {
      return new TextDecoder().decode(await this.read(path));
    } catch {
      return null;
    }
  }

  /** Like text(), but queries the disk first, because VS Code takes much longer to read a missing file. */
  async textIfThere(path: string, lookups?: Lookups): Promise<string | null> {
    const state = await this.stat(path, lookups).catch(() => null);
    return state === null ? null : this.text(path);
  }

  async certainlyLacks(folder: string, names: readonly string[], lookups: Lookups): Promise<boolean> {
    const listing = await this.#listing(folder, lookups);
    return listing !== null && names.every((name) => listing.certainlyLacks(name));
  }

  /** Returns the kind of an entry, or null if there is none or if it cannot be determined. */
  async kind(path: string): Promise<EntryInfo['kind'] | null> {
    return (await this.#look(path).catch(() => null))?.kind ?? null;
  }

  /** Whether an entry of this name exists, as far as can be determined. `lookups` as for stat(). */
  async exists(path: string, lookups?: Lookups): Promise<boolean> {
    const listing = await this.#listing(posix.dirname(path), lookups);
    const name = posix.basename(path);
    if (listing?.isPlain(name)) return true;
    if (listing?.certainlyLacks(name)) return false;
    try {
      return (await this.#look(path)) !== null;
    } catch {
      return false;
    }
  }

  async names(folder: string): Promise<readonly string[]> {
    return (await vscode.workspace.fs.readDirectory(this.#uri(folder))).map(([name]) => name);
  }

  /** Returns null for a folder on another machine, or if it cannot be listed. */
  async #listing(folder: string, lookups: Lookups | undefined): Promise<Listing | null> {
    if (lookups === undefined || this.base.scheme !== 'file') return null;
    return listingOf(this.#uri(folder).fsPath, lookups);
  }

  /** Queries an entry and follows links. Returns null if it does not exist. */
  async #look(path: string, isNear = false): Promise<EntryInfo | null> {
    const uri = this.#uri(path);
    try {
      return uri.scheme === 'file' ? await infoHere(uri.fsPath, isNear) : infoOf(await vscode.workspace.fs.stat(uri));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (missingCodes.has(code)) return null;
      throw error;
    }
  }

  #uri(path: string): vscode.Uri {
    return this.base.with({ path, query: '', fragment: '' });
  }
}
