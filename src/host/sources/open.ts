import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { isGone } from './isGone.ts';

/**
 * The document of a file as it is now, with what is not saved. Throws a ServiceError where it is gone or no text. For some
 * minutes VS Code holds the text of a file that was closed and deleted; what no editor shows any more is gone with its file.
 */
export async function openText(uri: vscode.Uri): Promise<vscode.TextDocument> {
  if (!isInEditor(uri) && (await isGone(uri))) throw await unreadable(uri);
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw await unreadable(uri);
  }
}

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

/** Why a file or folder cannot be read: it is gone, or is no text. */
export async function unreadable(uri: vscode.Uri): Promise<ServiceError> {
  const file = vscode.workspace.asRelativePath(uri);
  return (await isGone(uri))
    ? new ServiceError('gate', 'A file or folder is gone.', { code: 'gone', file })
    : new ServiceError('gate', 'A file or folder cannot be read as text.', { code: 'not-text', file });
}
