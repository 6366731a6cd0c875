import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { isGone } from '../files/isGone.ts';
import { readBytes, requireFile } from '../files/readBytes.ts';
import { isImageName } from './images.ts';
import { documentAt, waitUntilUpToDate } from './upToDate.ts';

/**
 * Opens the current document of a file, with unsaved changes. Throws a ServiceError if the file does not exist or is not
 * text. VS Code caches the text of a closed file for some minutes, and reloads it some time after the file has changed. This
 * function treats a document without an editor as deleted if its file is, and waits some seconds for a changed file.
 */
export async function openText(uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (!isInEditor(uri) && (await isGone(uri))) throw await unreadable(uri);
  const cached = documentAt(uri);
  if (cached !== undefined && onDisk.has(uri.scheme))
    await waitUntilUpToDate(cached, () => readBytes(uri, maxCompared).catch(() => null));
  try {
    return await openDocument(uri);
  } catch {
    throw await unreadable(uri);
  }
}

/** Opens the document of a file of the workspace. Rejects for a pipe or a device, because VS Code would wait for its end. */
export async function openDocument(uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (!isInEditor(uri) && onDisk.has(uri.scheme)) await requireFile(uri);
  return vscode.workspace.openTextDocument(uri);
}

const onDisk = new Set(['file', 'vscode-remote']);
/** The maximum size in bytes of a file that VS Code opens as text without asking. */
const maxText = 50 * 1024 * 1024;
/** The maximum size in bytes of a file that is compared with its document: more would take too long in one step. */
const maxCompared = 2 * 1024 * 1024;

function isInEditor(uri: vscode.Uri): boolean {
  const text = uri.toString();
  const isShown = (input: unknown): boolean =>
    (input instanceof vscode.TabInputText && input.uri.toString() === text) ||
    (input instanceof vscode.TabInputTextDiff &&
      [input.original, input.modified].some((one) => one.toString() === text));
  return (
    vscode.window.tabGroups.all.some(({ tabs }) => tabs.some(({ input }) => isShown(input))) ||
    vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === text)
  );
}

/** Returns the text of a file on the disk. Throws if it cannot be read, is not UTF-8, or contains a null character. */
export async function readUtf8(uri: vscode.Uri): Promise<string> {
  const bytes = await readBytes(uri, maxText);
  if (bytes === null || bytes.includes(0)) throw await unreadable(uri);
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
}

/**
 * Returns the text of a file that is not excluded, for a search, or an empty string if the file has more than `maxBytes`, is not
 * text, or cannot be read. Content to be sent must be made by the maker.
 */
export async function searchableText(uri: vscode.Uri, maxBytes: number): Promise<string> {
  try {
    const bytes = await readBytes(uri, maxBytes);
    return bytes === null || bytes.includes(0) ? '' : new TextDecoder().decode(bytes);
  } catch {
    return '';
  }
}

/** Returns the error for a file or folder that cannot be read: it does not exist, is an image, or is not text. */
export async function unreadable(uri: vscode.Uri): Promise<ServiceError> {
  const file = vscode.workspace.asRelativePath(uri);
  if (await isGone(uri)) return new ServiceError('gate', 'A file or folder is gone.', { code: 'gone', file });
  return isImageName(uri.path)
    ? new ServiceError('gate', 'A file is an image.', { code: 'no-images', file })
    : new ServiceError('gate', 'A file or folder cannot be read as text.', { code: 'not-text', file });
}
