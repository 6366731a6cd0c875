import { stat } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { FileState, IgnoreDisk, Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { listingOf } from './listings.ts';
import { isSettled } from './settled.ts';

/** What says that there is nothing: VS Code's names, and those of this machine. */
const nothing = new Set(['FileNotFound', 'FileNotADirectory', 'FileIsADirectory', 'ENOENT', 'ENOTDIR']);

/** Times are epoch milliseconds, the size is in bytes. */
interface Look {
  readonly kind: 'file' | 'folder' | 'other';
  readonly mtime: number;
  readonly ctime: number;
  readonly size: number;
}

/** Not through VS Code, which asks its window first each time: a listing has three questions for each folder. */
async function lookHere(path: string): Promise<Look> {
  const found = await stat(path);
  const kind = found.isFile() ? 'file' : found.isDirectory() ? 'folder' : 'other';
  return { kind, mtime: found.mtimeMs, ctime: found.ctimeMs, size: found.size };
}

function lookedAt({ type, mtime, ctime, size }: vscode.FileStat): Look {
  const isFolder = (type & vscode.FileType.Directory) !== 0;
  const kind = isFolder ? 'folder' : (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
  return { kind, mtime, ctime, size };
}

/** The files beside `base`: of its scheme, on its machine. Paths are those of URIs. */
export class Disk implements IgnoreDisk {
  readonly base: vscode.Uri;

  constructor(base: vscode.Uri) {
    this.base = base;
  }

  /** With `lookups`, a file that the listing of its folder lacks is not asked for. */
  async stat(path: string, lookups?: Lookups): Promise<FileState | null> {
    if (await this.#isLacking(path, lookups)) return null;
    const found = await this.#look(path);
    if (found === null || found.kind === 'folder') return null;
    // A pipe or a device is there, and reading it may never end.
    if (found.kind === 'other') throw vscode.FileSystemError.Unavailable(path);
    const { mtime, ctime, size } = found;
    return { stamp: `${mtime} ${ctime} ${size}`, isSettled: isSettled(mtime, ctime), bytes: size };
  }

  async read(path: string): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(this.#uri(path));
  }

  /** The text of a small file; null where there is none, or it cannot be read. */
  async text(path: string): Promise<string | null> {
    try {
      return new TextDecoder().decode(await this.read(path));
    } catch {
      return null;
    }
  }

  /** The same, asked of the disk first: reading what is not there takes VS Code far longer. */
  async textIfThere(path: string): Promise<string | null> {
    const state = await this.stat(path).catch(() => null);
    return state === null ? null : this.text(path);
  }

  /** Whether there is anything of this name, as far as that can be told. With `lookups` as for stat(). */
  async exists(path: string, lookups?: Lookups): Promise<boolean> {
    if (await this.#isLacking(path, lookups)) return false;
    try {
      return (await this.#look(path)) !== null;
    } catch {
      return false;
    }
  }

  async names(folder: string): Promise<readonly string[]> {
    return (await vscode.workspace.fs.readDirectory(this.#uri(folder))).map(([name]) => name);
  }

  async #isLacking(path: string, lookups: Lookups | undefined): Promise<boolean> {
    if (lookups === undefined || this.base.scheme !== 'file') return false;
    const listing = await listingOf(this.#uri(posix.dirname(path)).fsPath, lookups);
    return listing?.lacks(posix.basename(path)) ?? false;
  }

  /** null where there is nothing. Links are followed. */
  async #look(path: string): Promise<Look | null> {
    const uri = this.#uri(path);
    try {
      return uri.scheme === 'file' ? await lookHere(uri.fsPath) : lookedAt(await vscode.workspace.fs.stat(uri));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (nothing.has(code)) return null;
      throw error;
    }
  }

  #uri(path: string): vscode.Uri {
    return this.base.with({ path, query: '', fragment: '' });
  }
}
