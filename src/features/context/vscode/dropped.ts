import * as vscode from 'vscode';
import { folderOf } from '../../../platform/settings/settingsReader.ts';
import { ServiceError } from '../../../util/errors.ts';
import { fileSource } from './fileSource.ts';
import { folderSource } from './folderSource.ts';
import type { ContextSource } from './source.ts';

/**
 * A source for a URI dropped onto the composer. The page or program where the drag began wrote the URI, so it is not
 * trusted. Throws a ServiceError if it is not a local file or folder.
 */
export async function droppedSource(text: string): Promise<ContextSource> {
  return sourceOf(droppedUri(text));
}

/** A source for an existing file or folder. Throws a ServiceError if there is neither. */
export async function sourceOf(uri: vscode.Uri): Promise<ContextSource> {
  let type: vscode.FileType;
  try {
    type = (await vscode.workspace.fs.stat(uri)).type;
  } catch {
    throw notHere(vscode.workspace.asRelativePath(uri));
  }
  return (type & vscode.FileType.Directory) !== 0 ? folderSource(uri) : fileSource(uri);
}

function droppedUri(text: string): vscode.Uri {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(text, true);
  } catch {
    throw notHere('?');
  }
  // The window of a remote workspace uses this scheme; the extension runs on the remote side, where the files are
  // local.
  if (uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined) uri = vscode.Uri.file(uri.path);
  // A file on another machine (`file://server/share`) is not accessed unless it is in the workspace: access would
  // identify the user to that machine.
  const isLocal = uri.scheme === 'file' && uri.authority === '';
  if (!isLocal && folderOf(uri) === null) throw notHere(uri.path);
  return uri;
}

function notHere(file: string): ServiceError {
  return new ServiceError('gate', 'What was dropped is no file.', { code: 'not-here', file });
}
