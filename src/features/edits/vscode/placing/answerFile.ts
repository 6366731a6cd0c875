import { lstat, realpath } from 'node:fs/promises';
import { posix } from 'node:path';
import * as vscode from 'vscode';
import { otherNames } from '../../../../platform/files/hardLinks.ts';
import { asText } from '../../../../platform/messages/asText.ts';
import { type ReadFiles, whyFileExcluded } from '../../../../platform/sources/ignored/exclusions.ts';

const t = vscode.l10n.t;

/** The file that an answer names, or the `reason` why it cannot be changed. */
type AnswerFile =
  | { readonly ok: true; readonly uri: vscode.Uri; readonly exists: boolean }
  | { readonly ok: false; readonly reason: string };

/**
 * Resolves a path accepted by safeParseAnswerPath() to a file below a workspace folder, with links resolved, that is
 * not excluded. In a workspace of several folders, the path may begin with a folder's name. Otherwise the folder that
 * contains the file is used; if several do, the user is asked, or the path is refused.
 */
export async function findAnswerFile(
  path: string,
  ifSeveral: 'ask' | 'refuse' = 'ask',
  files: ReadFiles = new Map(),
): Promise<AnswerFile> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return refused(t('no folder is open'));
  const [first = '', ...rest] = path.split('/');
  const named = folders.length > 1 && rest.length > 0 ? folders.filter(({ name }) => name === first) : [];
  const [only, ...others] = named;
  if (only !== undefined && others.length === 0) return inFolder(only, rest.join('/'), files);
  const found = await Promise.all(folders.map((folder) => inFolder(folder, path, files)));
  const existing = found.filter((file) => file.ok && file.exists);
  if (existing.length > 1) {
    return ifSeveral === 'ask' ? pick(existing) : refused(t('several folders contain {0}', path));
  }
  return existing[0] ?? found[0] ?? refused(t('no folder is open'));
}

async function pick(files: readonly AnswerFile[]): Promise<AnswerFile> {
  const items = files.flatMap((file) =>
    file.ok ? [{ label: asText(vscode.workspace.asRelativePath(file.uri, true)), file }] : [],
  );
  const chosen = await vscode.window.showQuickPick(items, { title: t('Which file is it?') });
  return chosen?.file ?? refused(t('no file was chosen'));
}

async function inFolder({ uri: folder }: vscode.WorkspaceFolder, path: string, files: ReadFiles): Promise<AnswerFile> {
  const real = await realPlace(folder, path);
  if (real === null) return refused(t('{0} is outside the workspace', path));
  const uri = vscode.Uri.joinPath(folder, real);
  // Writing to a hard link writes to all of its names.
  const others = (await otherNames(uri))?.found ?? [];
  const names = [uri, vscode.Uri.joinPath(folder, path), ...others].map((name) => name.toString());
  for (const name of new Set(names)) {
    const excluded = await whyFileExcluded(name, files);
    if (excluded !== null) return refused(t('{0} is excluded by {1}', path, excluded));
  }
  try {
    if (!(await isRegular(uri))) return refused(t('{0} is not a regular file', path));
    return { ok: true, uri, exists: true };
  } catch {
    return { ok: true, uri, exists: false };
  }
}

/** Whether this is a regular file, not a link. Rejects if nothing is there. */
async function isRegular(uri: vscode.Uri): Promise<boolean> {
  // A call of VS Code goes to another process and back.
  if (uri.scheme === 'file') return (await lstat(uri.fsPath)).isFile();
  return (await vscode.workspace.fs.stat(uri)).type === vscode.FileType.File;
}

/** Returns the real path relative to the folder, with links resolved, or null if it leads outside or to nothing. */
async function realPlace(folder: vscode.Uri, path: string): Promise<string | null> {
  // In other schemes, VS Code's file systems report links, which are not treated as plain files.
  if (folder.scheme !== 'file') return path;
  const root = vscode.Uri.file(await realpath(folder.fsPath)).path;
  const names = path.split('/');
  for (let length = names.length; length >= 0; length -= 1) {
    const above = vscode.Uri.joinPath(folder, ...names.slice(0, length));
    try {
      const target = vscode.Uri.file(await realpath(above.fsPath)).path;
      const below = posix.join(posix.relative(root, target), ...names.slice(length));
      return below === '..' || below.startsWith('../') || below.startsWith('/') || below === '.' ? null : below;
    } catch {
      // The file does not exist yet, but its parent may be a link. A dangling link must not be written through.
      if (await isLink(above)) return null;
    }
  }
  return null;
}

async function isLink(uri: vscode.Uri): Promise<boolean> {
  try {
    return (await lstat(uri.fsPath)).isSymbolicLink();
  } catch {
    return false;
  }
}

function refused(reason: string): AnswerFile {
  return { ok: false, reason };
}
