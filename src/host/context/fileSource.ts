import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { attachRange } from '../attachCode.ts';
import { isGone } from '../isGone.ts';
import type { ContextSource } from './source.ts';

/** A file, or part of one. */
export function fileSource(uri: vscode.Uri, range?: vscode.Range): ContextSource {
  const label = vscode.workspace.asRelativePath(uri);
  const lines = range === undefined ? '' : `:${range.start.line}:${range.end.line}`;
  return {
    key: `${uri.toString()}${lines}`,
    label,
    icon: range === undefined ? 'file-code' : 'selection',
    async read() {
      const document = await openText(uri);
      return { attachments: [attachRange(document, range)] };
    },
  };
}

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
