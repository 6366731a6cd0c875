import * as vscode from 'vscode';

import { ServiceError } from '../../util/errors.ts';
import { isGone } from '../files/isGone.ts';
import type { OwnAction } from '../messages/actions.ts';
import { showWarning } from '../messages/show.ts';
import { uriOf } from './namedFile.ts';
import { type UriArgument, wrongArgument } from './wrongArgument.ts';

const t = vscode.l10n.t;

/** The format and target that the calling code gives, so that the user is not asked for them. */
export interface ExportOptions<Format extends string> {
  readonly format?: Format | undefined;
  readonly target?: UriArgument | undefined;
}

export interface ExportForm<Format extends string> {
  readonly title: string;
  readonly formats: readonly {
    readonly label: string;
    readonly detail: string;
    readonly format: Format;
    /** The default file name. */
    readonly name: string;
  }[];
}

interface ExportPlace<Format extends string> {
  readonly format: Format;
  /** The path of the file, for a message. */
  readonly path: string;
  /** The button of the message, which shows the file in its folder; empty if VS Code cannot do that here. */
  readonly reveal: readonly OwnAction[];
  /** Writes the file to the chosen target. Throws a ServiceError (`storage`) if it cannot be written. */
  readonly write: (content: string | Uint8Array) => Promise<void>;
}

/**
 * Asks for the format and the target if the options do not contain them, and before overwriting a file. Returns undefined if
 * the user cancels. Throws a ServiceError (`request`) for an invalid target.
 */
export async function askWhereToExport<Format extends string>(
  { title, formats }: ExportForm<Format>,
  options: ExportOptions<Format> = {},
): Promise<ExportPlace<Format> | undefined> {
  const chosen =
    options.format === undefined
      ? await vscode.window.showQuickPick(formats, { title })
      : formats.find(({ format }) => format === options.format);
  if (chosen === undefined) return undefined;
  const { format, name } = chosen;
  const target = options.target === undefined ? await askTarget(title, name) : await mayWrite(uriOf(options.target));
  if (target === undefined) return undefined;
  return { format, path: shownPath(target), reveal: revealing(target), write: (content) => write(target, content) };
}

/**
 * Returns the action that shows the file in the system's file manager, which a browser and a remote window do not have, or
 * in VS Code's explorer.
 */
function revealing(target: vscode.Uri): readonly OwnAction[] {
  const { uiKind, remoteName } = vscode.env;
  const isLocal = target.scheme === 'file' && uiKind === vscode.UIKind.Desktop && remoteName === undefined;
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(target) !== undefined;
  if (!isLocal && !isInWorkspace) return [];
  const command = isLocal ? 'revealFileInOS' : 'revealInExplorer';
  return [{ id: 'reveal', label: t('Reveal'), run: () => vscode.commands.executeCommand(command, target) }];
}

/** Asks before overwriting a target given by other code, because the user has not seen a save dialog. */
async function mayWrite(target: vscode.Uri): Promise<vscode.Uri | undefined> {
  if (vscode.workspace.fs.isWritableFileSystem(target.scheme) !== true) {
    throw wrongArgument(t('target must be a file in a writable file system'));
  }
  if (await isGone(target)) return target;
  const overwrite = t('Overwrite');
  const message = t('Another extension wants to export to {0}, which already exists. Overwrite it?', shownPath(target));
  return (await showWarning(message, { modal: true }, overwrite)) === overwrite ? target : undefined;
}

async function write(target: vscode.Uri, content: string | Uint8Array): Promise<void> {
  try {
    await vscode.workspace.fs.writeFile(
      target,
      typeof content === 'string' ? new TextEncoder().encode(content) : content,
    );
  } catch (cause) {
    const reason = cause instanceof vscode.FileSystemError ? cause.code : undefined;
    throw new ServiceError('storage', 'An export failed.', { code: 'not-exported', file: shownPath(target), reason });
  }
}

function shownPath(target: vscode.Uri): string {
  return target.scheme === 'file' ? target.fsPath : target.toString(true);
}

function askTarget(title: string, name: string): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.window.showSaveDialog({
    title,
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
}
