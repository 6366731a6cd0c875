import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { type Listing, listingOf } from './listings.ts';

/**
 * Where the links in a name lead; null where there is a link that cannot be followed from here. On the disk, what does not
 * exist yet lies where the nearest folder that exists lies. Elsewhere (`vscode-remote:` from a local extension, virtual
 * workspaces) VS Code says what is a link, but not where it leads.
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
      // A link that leads nowhere, and what cannot be asked about, count as what they are called.
      if (name === '') return uri;
      below = posix.join(name, below);
      above = above.with({ path: posix.dirname(above.path) });
    }
  }
}

/** The same for a workspace folder, looked up once a request. */
export function realFolder(uri: vscode.Uri, lookups: Lookups): Promise<vscode.Uri | null> {
  return once(lookups, `real ${uri.toString()}`, () => realUri(uri));
}

/**
 * The same for a file: what is no link lies where its folder lies, and what a folder has in it is looked at once. Above the
 * workspace folders the system is asked instead of each folder.
 */
export async function realFile(uri: vscode.Uri, lookups: Lookups): Promise<vscode.Uri | null> {
  if (uri.scheme !== 'file') return realUri(uri);
  const folder = posix.dirname(uri.path);
  const { real, listing } = await filesIn(uri.with({ path: folder }), lookups);
  const name = posix.basename(uri.path);
  if (real === null || !listing?.isPlain(name)) return realUri(uri);
  return real.path === folder ? uri : vscode.Uri.joinPath(real, name);
}

/** Where a folder of this machine really is (null: that cannot be told), and what is in it (null: the same). */
export function filesIn(
  folder: vscode.Uri,
  lookups: Lookups,
): Promise<{ readonly real: vscode.Uri | null; readonly listing: Listing | null }> {
  return once(lookups, `in ${folder.path}`, async () => {
    const isBelowRoot = (vscode.workspace.workspaceFolders ?? []).some((root) => isBelow(root.uri.path, folder.path));
    const [real, listing] = await Promise.all([
      isBelowRoot ? realFile(folder, lookups) : realFolder(folder, lookups),
      listingOf(folder.fsPath, lookups),
    ]);
    return { real, listing };
  });
}

/** As VS Code writes it: the letter of a drive is small. */
function fileAt(path: string): vscode.Uri {
  return vscode.Uri.file(path.replace(/^[A-Z]:/, (drive) => drive.toLowerCase()));
}

/** Asked of the file and of each folder above it, up to the workspace folder it lies in. */
async function hasLink(uri: vscode.Uri): Promise<boolean> {
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

/** Whether a path is below another, by whole names. Both are absolute and have no `..` in them. */
export function isBelow(root: string, path: string): boolean {
  return path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
