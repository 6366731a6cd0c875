import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { filesBehind } from '../sources/behind.ts';
import { openText } from '../sources/open.ts';
import { type UriArgument, wrongArgument } from './wrongArgument.ts';

/** Parses a URI argument. Throws a ServiceError (`request`) where it is invalid. */
export function uriOf(argument: UriArgument): vscode.Uri {
  try {
    return typeof argument === 'string' ? vscode.Uri.parse(argument, true) : vscode.Uri.from(argument);
  } catch {
    throw wrongArgument('a URI is to have a scheme, and a path that fits its authority');
  }
}

/**
 * Throws a ServiceError (`gate`, `outside-workspace`) for a file whose real path is in no workspace folder, because
 * other extensions call commands too. A file that is visible in an editor is allowed: the user has opened it.
 */
export async function requireInside(uri: vscode.Uri): Promise<void> {
  const isSeen = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
  if (isSeen) return;
  const behind = await filesBehind(uri);
  if (behind.kind === 'none' || (behind.kind === 'files' && behind.files.every(({ isInside }) => isInside))) return;
  const file = uri.scheme === 'file' ? uri.fsPath : uri.toString();
  throw new ServiceError('gate', 'A command named a file outside the workspace.', { code: 'outside-workspace', file });
}

/**
 * Shows the document in the active editor, as for a command from an editor menu. Throws as requireInside() and
 * openText() do.
 */
export async function bringToFront(uri: vscode.Uri): Promise<void> {
  if (vscode.window.activeTextEditor?.document.uri.toString() === uri.toString()) return;
  await requireInside(uri);
  await vscode.window.showTextDocument(await openText(uri));
}
