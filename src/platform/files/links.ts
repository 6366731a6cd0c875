import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { type Listing, listingOf } from './listings.ts';

/**
 * Resolves the links in a path. Returns null if there is a link that cannot be resolved from here. On the disk, a path that
 * does not exist yet is resolved through its nearest existing folder. For other schemes (`vscode-remote:` from a local
 * extension, virtual workspaces) VS Code reports that an entry is a link, but not its target.
 */
export async function realUri(uri: vscode.Uri): Promise<vscode.Uri | null> {
  if (uri.scheme !== 'file') return (await hasLink(uri)) ? null : uri;
  let above = uri;
  let below = '';
  for (;;) {
    try {
      return vscode.Uri.joinPath(fileAt(await realpath(above.fsPath)), below);
    } catch {
      const name = posix.basename(above.path);
      // A broken link, or a path that cannot be queried, keeps its name.
      if (name === '') return uri;
      below = posix.join(name, below);
      above = above.with({ path: posix.dirname(above.path) });
    }
  }
}

/** Like realUri(), but for a path of this machine, which may contain `..` after a link; returns null if it does not exist. */
export async function resolvedPath(path: string): Promise<vscode.Uri | null> {
  const real = await realpath(path).catch(() => null);
  return real === null ? null : fileAt(real);
}

/** Like realUri(), but resolves a workspace folder only once per request. */
export function realFolder(uri: vscode.Uri, lookups: Lookups): Promise<vscode.Uri | null> {
  return once(lookups, `real ${uri.toString()}`, () => realUri(uri));
}

/**
 * Like realUri(), but for many files: a file that is not a link is in its folder's real path, and each folder is listed
 * once. Above the workspace folders, realpath() is called instead of listing each folder.
 */
export async function realFile(uri: vscode.Uri, lookups: Lookups): Promise<vscode.Uri | null> {
  if (uri.scheme !== 'file') return realUri(uri);
  const folder = posix.dirname(uri.path);
  const { real, listing } = await filesIn(uri.with({ path: folder }), lookups);
  const name = posix.basename(uri.path);
  if (real === null || !listing?.isPlain(name)) return realUri(uri);
  return real.path === folder ? uri : vscode.Uri.joinPath(real, name);
}

/** Returns the real path and the entries of a local folder; each is null if it cannot be determined. */
export function filesIn(
  folder: vscode.Uri,
  lookups: Lookups,
): Promise<{ readonly real: vscode.Uri | null; readonly listing: Listing | null }> {
  return once(lookups, `in ${folder.path}`, async () => {
    const [real, listing] = await Promise.all([
      isInWorkspace(folder) ? realFile(folder, lookups) : realFolder(folder, lookups),
      listingOf(folder.fsPath, lookups),
    ]);
    return { real, listing };
  });
}

/** Whether a folder is below a workspace folder, by its name. */
export function isInWorkspace(folder: vscode.Uri): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some(({ uri }) => isBelow(uri.path, folder.path));
}

/** Returns the URI of a path, with the drive letter in lower case, as VS Code writes it. */
function fileAt(path: string): vscode.Uri {
  return vscode.Uri.file(path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase()));
}

/** Whether the file or a folder above it is a link, up to its workspace folder. */
export async function hasLink(uri: vscode.Uri): Promise<boolean> {
  const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
  for (let at = uri; at.path !== '/' && at.path !== ''; at = vscode.Uri.joinPath(at, '..')) {
    if (root === undefined || at.path.length <= root.path.length) break;
    if (await isLink(at)) return true;
  }
  return false;
}

async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.SymbolicLink) !== 0;
  } catch {
    return false;
  }
}

/** Whether a path is below another, compared by whole names. Both are absolute and contain no `..`. */
export function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
