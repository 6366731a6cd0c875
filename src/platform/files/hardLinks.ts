import type { BigIntStats, Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

/** The names of a file with several names, which all lead to the same content (hard links). */
export interface OtherNames {
  /** The names in the workspace folders, as far as they were searched, including the name that was asked about. */
  readonly found: readonly vscode.Uri[];
  /** Whether there are more names: outside the workspace folders, or beyond the limits of the search. */
  readonly hasMore: boolean;
}

const limits = { entries: 200_000, ms: 5_000 };
const batchSize = 64;
const maxCached = 1_000;

/**
 * The names that were found, by file. The change time of a file changes with each name that it gets or loses, but not when a
 * folder above it is renamed.
 */
const cache = new Map<string, { readonly state: string; readonly names: OtherNames }>();

/** Returns null for a file with one name, and if names cannot be compared: on another machine, or for a missing file. */
export async function otherNames(uri: vscode.Uri): Promise<OtherNames | null> {
  if (uri.scheme !== 'file') return null;
  const file = await lstat(uri.fsPath, { bigint: true }).catch(() => null);
  if (file === null || !file.isFile() || file.nlink < 2n) return null;
  const folders = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.scheme === 'file');
  const key = identity(file);
  const state = `${file.ctimeNs} ${file.nlink} ${folders.map((folder) => folder.uri.fsPath).join('\0')}`;
  const before = cache.get(key);
  if (before?.state === state && (await areNames(before.names.found, key))) return before.names;
  const found = await search(
    file,
    folders.map((folder) => folder.uri.fsPath),
  );
  const isListed = found.some((path) => vscode.Uri.file(path).path === uri.path);
  const all = isListed ? found : [...found, uri.fsPath];
  const names = { found: all.map((path) => vscode.Uri.file(path)), hasMore: BigInt(all.length) < file.nlink };
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, { state, names });
  return names;
}

/** Whether each URI leads to the file. */
async function areNames(uris: readonly vscode.Uri[], wanted: string): Promise<boolean> {
  const found = await Promise.all(uris.map((uri) => isNameOf(uri.fsPath, wanted)));
  return found.every((is) => is);
}

async function isNameOf(path: string, wanted: string): Promise<boolean> {
  const one = await lstat(path, { bigint: true }).catch(() => null);
  return one !== null && identity(one) === wanted;
}

function identity({ dev, ino }: BigIntStats): string {
  return `${dev} ${ino}`;
}

/**
 * Searches the folders for names of the file. Symbolic links are not followed, because their targets are found by their own
 * names.
 */
async function search(file: BigIntStats, roots: readonly string[]): Promise<readonly string[]> {
  const until = performance.now() + limits.ms;
  const names = new Set<string>();
  const folders = [...roots];
  let entries = 0;
  const wanted = identity(file);
  for (const folder of folders) {
    const found: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    entries += found.length;
    if (entries > limits.entries || performance.now() > until) break;
    for (const entry of found) if (entry.isDirectory()) folders.push(join(folder, entry.name));
    const files = found.filter((entry) => entry.isFile()).map(({ name }) => join(folder, name));
    for (let at = 0; at < files.length; at += batchSize) {
      const some = files.slice(at, at + batchSize);
      const same = await Promise.all(some.map((path) => isNameOf(path, wanted)));
      some.forEach((path, index) => {
        if (same[index]) names.add(path);
      });
    }
    if (BigInt(names.size) === file.nlink) break;
  }
  return [...names];
}
