import { access, constants, stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { headOf } from '../../../edits/keptAsides.ts';
import type { Place, Wanted } from '../../../edits/place.ts';
import { isGone } from '../../../platform/files/isGone.ts';
import { openDocument } from '../../../platform/sources/open.ts';
import { linesOf } from '../common/hunks.ts';
import { placeAfter, placesOf, wholeOf } from '../common/places.ts';
import { movedPath } from './movedPath.ts';
import { isReadOnlyBySetting } from './readOnlySetting.ts';

const t = vscode.l10n.t;

/** The object that a proposal changes, in the state of the request. */
export type Target =
  | {
      readonly kind: 'document';
      readonly document: vscode.TextDocument;
      /**
       * The text at the time of the request, which must be unchanged when the proposal is accepted. VS Code's version
       * number is not used, because undo and redo change it and restore the same text.
       */
      readonly text: string;
      /**
       * The effect of the answer: it replaces all of each place, is inserted at each place, or may change any part of
       * the file.
       */
      readonly mode: Wanted['mode'];
      readonly adds?: Wanted['adds'];
      /** The places that code replaces, in order and without overlap. */
      readonly places: readonly Place[];
    }
  /** A file that does not exist yet. */
  | { readonly kind: 'file'; readonly uri: vscode.Uri; readonly languageId: string }
  | { readonly kind: 'untitled'; readonly languageId: string };

/** Inserts code after each selection; without an editor, opens an untitled document. */
export function insertTarget(editor: Pick<vscode.TextEditor, 'document' | 'selections'> | undefined): Target {
  if (editor === undefined) return { kind: 'untitled', languageId: 'plaintext' };
  const { document, selections } = editor;
  const text = document.getText();
  const lines = linesOf(text);
  const places = selections.map((selection) => placeAfter(lines, selection)).sort((a, b) => a.start - b.start);
  const apart = places.filter(({ start }, index) => index === 0 || start > (places[index - 1]?.start ?? -1));
  return { kind: 'document', document, text, places: apart, mode: 'insert' };
}

/**
 * Replaces the lines of the ranges. `isSymbol`: each range is a declaration with its comments, not what the user
 * selected.
 */
export function replaceTarget(
  document: vscode.TextDocument,
  ranges: readonly vscode.Range[],
  isSymbol = false,
): Target {
  const text = document.getText();
  const lines = linesOf(text);
  const places = placesOf(lines, ranges);
  const { languageId } = document;
  const withHead = (place: Place): Place => ({ ...place, head: headOf(lines, languageId, place) });
  return { kind: 'document', document, text, places: isSymbol ? places.map(withHead) : places, mode: 'edit' };
}

export type DocumentTarget = Extract<Target, { readonly kind: 'document' }>;

/** The target of code that may be any part of the document. */
export function wholeTarget(document: vscode.TextDocument): DocumentTarget {
  const text = document.getText();
  return { kind: 'document', document, text, places: [wholeOf(linesOf(text))], mode: 'apply' };
}

/** Returns why a document cannot be changed, or null if it can be. Checked before anything is sent. */
export async function whyReadOnly({ uri, isUntitled }: vscode.TextDocument): Promise<string | null> {
  if (isUntitled) return null;
  // A cell is stored in its notebook's file.
  const file = uri.scheme === 'vscode-notebook-cell' ? notebookOf(uri) : uri;
  if (file === undefined) return t('its notebook is not open');
  if (file.scheme === 'untitled') return null;
  switch (vscode.workspace.fs.isWritableFileSystem(file.scheme)) {
    case false:
      return t('its file system is read-only');
    case undefined:
      return t('it is not a file, but text from an extension');
  }
  if (isReadOnlyBySetting(file)) return t('the setting {0} makes the file read-only', 'files.readonlyInclude');
  const isLocked = file.scheme === 'file' ? await isWriteProtected(file.fsPath) : await isReadonly(file);
  return isLocked ? t('the file is write-protected') : null;
}

/** Returns the document, reopened if VS Code has closed it, or null if its file was deleted or moved. */
export async function liveDocument(document: vscode.TextDocument): Promise<vscode.TextDocument | null> {
  const { uri, isUntitled, isClosed } = document;
  const file = uri.scheme === 'vscode-notebook-cell' ? notebookOf(uri) : uri;
  if (file === undefined) return null;
  if (isUntitled || file.scheme === 'untitled') return isClosed ? null : document;
  if (await isGone(file)) return null;
  if (!isClosed) return document;
  try {
    return await openDocument(uri);
  } catch {
    return null;
  }
}

type Renamed = vscode.FileRenameEvent['files'];

/** Returns the new URI of a file after a rename of it or of a folder above it, or null if the file is not affected. */
export function renamedUri(uri: vscode.Uri, renamed: Renamed): vscode.Uri | null {
  for (const { oldUri, newUri } of renamed) {
    if (!isOfFile(uri, oldUri)) continue;
    const path = movedPath(uri.path, oldUri.path, newUri.path);
    if (path !== null) return newUri.with({ path });
  }
  return null;
}

/**
 * Whether a document is in this file. The URI of a notebook cell has the path of its file, but another scheme, and in a
 * remote window another authority.
 */
function isOfFile({ scheme, authority }: vscode.Uri, file: vscode.Uri): boolean {
  return scheme === 'vscode-notebook-cell' || (scheme === file.scheme && authority === file.authority);
}

/** Returns the same target in the renamed file, or null if it cannot be found there, such as a notebook cell. */
export async function movedTarget(target: Target, to: vscode.Uri): Promise<Target | null> {
  if (target.kind === 'untitled') return target;
  if (target.kind === 'file') return { ...target, uri: to };
  if (target.document.uri.scheme === 'vscode-notebook-cell') return null;
  try {
    return { ...target, document: await openDocument(to) };
  } catch {
    return null;
  }
}

function notebookOf(cell: vscode.Uri): vscode.Uri | undefined {
  const holds = ({ document }: vscode.NotebookCell): boolean => document.uri.toString() === cell.toString();
  return vscode.workspace.notebookDocuments.find((notebook) => notebook.getCells().some(holds))?.uri;
}

/** Whether a file is read-only. Checks the mode bits as well, because root can write to read-only files. */
async function isWriteProtected(path: string): Promise<boolean> {
  try {
    const { mode } = await stat(path);
    await access(path, constants.W_OK);
    return (mode & 0o222) === 0;
  } catch (error) {
    // A deleted file can be written again.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

async function isReadonly(uri: vscode.Uri): Promise<boolean> {
  try {
    const { permissions } = await vscode.workspace.fs.stat(uri);
    return permissions === vscode.FilePermission.Readonly;
  } catch {
    return false;
  }
}
