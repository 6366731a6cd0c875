import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { folderOf } from '../config/settingsReader.ts';
import { fileSource } from './fileSource.ts';
import { folderSource } from './folderSource.ts';
import type { ContextSource } from './source.ts';

/**
 * What was dropped onto the composer, by the URIs it came with; whatever page or program the drag began in wrote them.
 * Throws a ServiceError for what is no file or folder here.
 */
export async function droppedSource(text: string): Promise<ContextSource> {
  return sourceOf(droppedUri(text));
}

/** A file or a folder of the disk. Throws a ServiceError where there is neither. */
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
  // The window of a remote workspace names its files so; to the extension, which runs over there, they are local.
  if (uri.scheme === 'vscode-remote' && vscode.env.remoteName !== undefined) uri = vscode.Uri.file(uri.path);
  // A file of another machine (`file://server/share`) is not even asked for, unless it is of the workspace: asking would
  // tell that machine who is here.
  const isLocal = uri.scheme === 'file' && uri.authority === '';
  if (!isLocal && folderOf(uri) === null) throw notHere(uri.path);
  return uri;
}

function notHere(file: string): ServiceError {
  return new ServiceError('gate', 'What was dropped is no file.', { code: 'not-here', file });
}
