import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { listingOf } from '../files/listings.ts';

/** The names in a folder. */
export interface FolderEntries {
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The names of links, whatever their target is. */
  readonly links: readonly string[];
}

const noEntries: FolderEntries = { files: [], folders: [], links: [] };
const missingCodes = new Set(['FileNotFound', 'FileNotADirectory']);

/** Returns the entries of a folder: none if it no longer exists, null if it cannot be read. */
export async function entriesOf(folder: vscode.Uri, lookups: Lookups): Promise<FolderEntries | null> {
  // With a listing, reading a large folder of installed packages takes a tenth of the time.
  const listing = folder.scheme === 'file' ? await listingOf(folder.fsPath, lookups) : null;
  return listing ?? (await readEntries(folder));
}

async function readEntries(folder: vscode.Uri): Promise<FolderEntries | null> {
  const files: string[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  try {
    for (const [name, type] of await vscode.workspace.fs.readDirectory(folder)) {
      const isFolder = (type & vscode.FileType.Directory) !== 0;
      const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
      (isLink ? links : isFolder ? folders : files).push(name);
    }
    return { files, folders, links };
  } catch (error) {
    return error instanceof vscode.FileSystemError && missingCodes.has(error.code) ? noEntries : null;
  }
}

/** Whether a link leads to a file. Links to folders and broken links are not examined. */
export async function isFileLink(uri: vscode.Uri): Promise<boolean> {
  const found = await vscode.workspace.fs.stat(uri).then(undefined, () => null);
  return found !== null && (found.type & vscode.FileType.Directory) === 0;
}

export function nameOf({ path }: vscode.Uri): string {
  return posix.basename(path);
}
