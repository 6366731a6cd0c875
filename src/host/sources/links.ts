import { realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';

/**
 * Where the links in a name lead; null where there is a link and nobody here can follow it. On the disk, what does not
 * exist yet lies where the nearest folder that exists lies. Elsewhere (`vscode-remote:` from a local extension, virtual
 * workspaces) VS Code says what is a link, but not where it leads.
 */
export async function realUri(uri: vscode.Uri): Promise<vscode.Uri | null> {
  if (uri.scheme !== 'file') return (await hasLink(uri)) ? null : uri;
  let above = uri;
  let below = '';
  for (;;) {
    try {
      return vscode.Uri.joinPath(vscode.Uri.file(await realpath(above.fsPath)), below);
    } catch {
      const name = posix.basename(above.path);
      // A link that leads nowhere, and what cannot be asked about, count as what they are called.
      if (name === '') return uri;
      below = posix.join(name, below);
      above = above.with({ path: posix.dirname(above.path) });
    }
  }
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
