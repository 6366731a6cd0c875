import * as vscode from 'vscode';
import { ServiceError } from '../../util/errors.ts';
import { filesBehind } from '../sources/behind.ts';
import { openText } from '../sources/open.ts';
import { type UriArgument, wrongArgument } from './wrongArgument.ts';

/** Parses a URI argument. Throws a ServiceError (`request`) if it is invalid. */
export function uriOf(argument: UriArgument): vscode.Uri {
  try {
    return typeof argument === 'string' ? vscode.Uri.parse(argument, true) : vscode.Uri.from(argument);
  } catch {
    throw wrongArgument(vscode.l10n.t('a URI needs a scheme and a path that matches its authority'));
  }
}

export function optionalUri(argument: UriArgument | undefined): vscode.Uri | undefined {
  return argument === undefined ? undefined : uriOf(argument);
}

/** Returns the options of a command. If the argument is a URI, as from an editor menu, that document is opened first. */
export async function inFront<T extends object>(given: UriArgument | T | undefined): Promise<T | undefined> {
  if (given === undefined || !isUri(given)) return given;
  await bringToFront(uriOf(given));
  return undefined;
}

function isUri(given: UriArgument | object): given is UriArgument {
  return typeof given === 'string' || 'scheme' in given;
}

/** Like inFront(), but also parses the URI in the options, which must be in the workspace. */
export async function placed<T extends { readonly uri?: UriArgument | undefined }>(given: UriArgument | T | undefined) {
  const options = await inFront(given);
  const uri = optionalUri(options?.uri);
  if (uri !== undefined) await requireInside(uri);
  return options === undefined ? undefined : { ...options, uri };
}

/** Returns a finding with the URI of its document in the form in which VS Code writes it. */
export function named<T extends { readonly uri: UriArgument }>(finding: T | undefined) {
  return finding === undefined ? undefined : { ...finding, uri: uriOf(finding.uri).toString() };
}

/**
 * Throws a ServiceError (`gate`, `outside-workspace`) for a file whose real path is in no workspace folder, because
 * other extensions call commands too. A file that is visible in an editor is allowed: the user has opened it.
 */
async function requireInside(uri: vscode.Uri): Promise<void> {
  const isSeen = vscode.window.visibleTextEditors.some(({ document }) => document.uri.toString() === uri.toString());
  if (isSeen) return;
  const behind = await filesBehind(uri);
  if (behind.kind === 'none' || (behind.kind === 'files' && behind.files.every(({ isInside }) => isInside))) return;
  const file = uri.scheme === 'file' ? uri.fsPath : uri.toString();
  throw new ServiceError('gate', 'A command named a file outside the workspace.', { code: 'outside-workspace', file });
}

/**
 * Shows the document in the active editor, as for a command from an editor menu. Throws the same errors as requireInside()
 * and openText().
 */
async function bringToFront(uri: vscode.Uri): Promise<void> {
  if (vscode.window.activeTextEditor?.document.uri.toString() === uri.toString()) return;
  await requireInside(uri);
  await vscode.window.showTextDocument(await openText(uri));
}
