import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { isGone } from '../isGone.ts';

/** The document of a file as it is now, with what is not saved. Throws a ServiceError where it is gone or no text. */
export async function openText(uri: vscode.Uri): Promise<vscode.TextDocument> {
  try {
    return await vscode.workspace.openTextDocument(uri);
  } catch {
    throw await unreadable(uri);
  }
}

/** Why a file or folder cannot be read: it is gone, or is no text. */
export async function unreadable(uri: vscode.Uri): Promise<ServiceError> {
  const file = vscode.workspace.asRelativePath(uri);
  return (await isGone(uri))
    ? new ServiceError('gate', 'A file or folder is gone.', { code: 'gone', file })
    : new ServiceError('gate', 'A file or folder cannot be read as text.', { code: 'not-text', file });
}
