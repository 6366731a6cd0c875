import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { exists } from '../files/isGone.ts';
import { isBelow, realFile, realFolder } from '../files/links.ts';

const t = vscode.l10n.t;

/** A file that a document shows. */
interface FileBehind {
  /** The URI by which it was opened, without `.` and `..`. */
  readonly uri: vscode.Uri;
  /** The URI with links resolved. */
  readonly real: vscode.Uri;
  /** The URI of the workspace folder that contains the resolved file; null if it is in no workspace folder. */
  readonly folder: string | null;
  /** Whether the file is in a workspace folder, or there is no workspace folder. */
  readonly isInside: boolean;
}

export type Behind =
  | { readonly kind: 'files'; readonly files: readonly FileBehind[] }
  /** A document that was never saved. */
  | { readonly kind: 'none' }
  /** A document for which the file cannot be determined; `rule` is the reason as text. */
  | { readonly kind: 'refused'; readonly rule: string };

/**
 * Returns the files behind a URI: for a notebook cell, its notebook; for an older version (`git:`, the left side of a diff, the
 * local history), the file of that version. A URI with a path in a workspace folder is treated as that file, whichever extension
 * shows it. All checks of a request share one `lookups`.
 */
export async function filesBehind(uri: vscode.Uri, lookups: Lookups = new Map()): Promise<Behind> {
  const notebook = notebookOf(uri);
  if (notebook !== undefined) return filesBehind(notebook, lookups);
  const named = await namedBy(uri, lookups);
  if (named.length === 0) {
    const denied = uri.scheme === 'untitled' ? builtInDenial(uri.path) : null;
    if (denied !== null) return { kind: 'refused', rule: t('a built-in rule ({0})', denied) };
    return uri.scheme === 'untitled'
      ? { kind: 'none' }
      : { kind: 'refused', rule: t('the rule for documents without a file ({0})', `${uri.scheme}:`) };
  }
  const files: FileBehind[] = [];
  for (const file of named) {
    const real = await realFile(file, lookups);
    if (real === null)
      return { kind: 'refused', rule: t('the rule for links that cannot be followed ({0})', file.path) };
    const folder = await folderAround(real, lookups);
    files.push({
      uri: file,
      real,
      folder,
      isInside: folder !== null || (isWithoutFolder() && real.path === file.path),
    });
  }
  return { kind: 'files', files };
}

/** Returns the open notebook that contains a cell. */
function notebookOf(uri: vscode.Uri): vscode.Uri | undefined {
  if (uri.scheme !== 'vscode-notebook-cell') return undefined;
  const text = uri.toString();
  return vscode.workspace.notebookDocuments.find((notebook) =>
    notebook.getCells().some(({ document }) => document.uri.toString() === text),
  )?.uri;
}

async function namedBy(uri: vscode.Uri, lookups: Lookups): Promise<readonly vscode.Uri[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (uri.scheme === 'file' || folders.some((folder) => isSameSystem(folder.uri, uri))) return [normalized(uri)];
  // The window of a remote workspace uses these URIs; for an extension that runs on the remote machine the files are
  // local.
  if (uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined)
    return [normalized(vscode.Uri.file(uri.path))];
  const paths = [uri.path, ...pathsIn(uri.query)].filter((path) => path.startsWith('/')).map(posix.normalize);
  const found = new Map<string, vscode.Uri>();
  for (const path of paths) {
    for (const folder of folders) {
      const real = await realFolder(folder.uri, lookups);
      for (const root of real === null ? [folder.uri] : [folder.uri, real]) {
        if (!isBelow(root.path, path)) continue;
        const file = root.with({ path });
        found.set(file.toString(), file);
      }
    }
    // The URI is that of a version of a file elsewhere on the disk, or of a document that will be saved there.
    const onDisk = vscode.Uri.file(path);
    if (found.size === 0 && (uri.scheme === 'untitled' || (await exists(onDisk)))) found.set(onDisk.toString(), onDisk);
  }
  // The URI is that of a file in an extension's own file system, which is no folder of this window.
  const isFile = found.size === 0 && vscode.workspace.fs.isWritableFileSystem(uri.scheme) !== undefined;
  return isFile ? [normalized(uri)] : [...found.values()];
}

function isSameSystem(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.scheme === other.scheme && one.authority === other.authority;
}

function normalized(uri: vscode.Uri): vscode.Uri {
  const path = posix.normalize(uri.path);
  return path === uri.path ? uri : uri.with({ path });
}

/** Returns the paths in the JSON query of a URI: git uses `path`, and the local history uses `associatedResource`. */
function pathsIn(query: string): readonly string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(query);
  } catch {
    return [];
  }
  if (typeof parsed !== 'object' || parsed === null) return [];
  return Object.values(parsed).flatMap((value: unknown) => {
    if (typeof value === 'object' && value !== null && 'path' in value && typeof value.path === 'string') {
      return [value.path];
    }
    if (typeof value !== 'string') return [];
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(value)) return [pathOf(value)];
    return /^([a-zA-Z]:)?[\\/]/.test(value) ? [vscode.Uri.file(value).path] : [];
  });
}

function pathOf(text: string): string {
  try {
    return vscode.Uri.parse(text, true).path;
  } catch {
    return '';
  }
}

/** Whether the window has no folder: the files that the user opened are then the workspace, except for link targets. */
function isWithoutFolder(): boolean {
  return (vscode.workspace.workspaceFolders ?? []).length === 0;
}

/** Returns the innermost workspace folder that contains the resolved file, by the URI with which the folder was opened. */
async function folderAround(real: vscode.Uri, lookups: Lookups): Promise<string | null> {
  let found: { readonly uri: vscode.Uri; readonly length: number } | null = null;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    const root = await realFolder(uri, lookups);
    if (root === null || !isSameSystem(root, real)) continue;
    const isContaining = root.path === real.path || isBelow(root.path, real.path);
    if (isContaining && root.path.length >= (found?.length ?? 0)) found = { uri, length: root.path.length };
  }
  return found?.uri.toString() ?? null;
}
