import * as vscode from 'vscode';
import { showError, showWarning } from '../messages.ts';
import { whyFileExcluded } from '../sources/ignored/exclusions.ts';
import { confirmAccept } from './confirm.ts';
import type { Hunk } from './hunks.ts';
import type { Proposal } from './proposal.ts';

const t = vscode.l10n.t;

/** Both ask the user, where it has to be asked, before accepted code is kept where no file was before. */
export interface Keeping {
  readonly mayOpenUntitled: () => Promise<boolean>;
  readonly maySaveAsNew: () => Promise<boolean>;
}

/** Asks about what has to be asked about before hunks of a proposal are written where it belongs. */
export async function mayWrite(
  proposal: Proposal,
  hunks: readonly Hunk[],
  { mayOpenUntitled }: Keeping,
): Promise<boolean> {
  const { target } = proposal;
  if (target.kind === 'untitled' && !(await mayOpenUntitled())) return false;
  if (target.kind === 'file' && !(await mayWriteTo(target.uri))) return false;
  return confirmAccept(proposal, hunks);
}

/**
 * The file of a proposal was deleted or moved: says so, and offers to save the text that it shows as a new file. False where
 * nothing was written.
 */
export async function saveAsNew(proposal: Proposal, { maySaveAsNew }: Keeping): Promise<boolean> {
  const save = t('Save as New File…');
  const question = t('{0} was deleted or moved, so nothing was written.', proposal.name);
  const detail = t('The whole text that the proposal shows can be saved as a new file.');
  if ((await showWarning(question, { modal: true, detail }, save)) !== save) return false;
  const file = await askWhere(proposal);
  if (file === undefined || !(await mayWriteTo(file)) || !(await maySaveAsNew())) return false;
  if (!(await confirmAccept(proposal, proposal.draft.hunks, file))) return false;
  const edit = new vscode.WorkspaceEdit();
  // About a file that is there, the dialog has asked.
  edit.createFile(file, { overwrite: true, contents: new TextEncoder().encode(proposal.text) });
  if (!(await vscode.workspace.applyEdit(edit))) {
    void showError(t('{0} could not be written.', shown(file)));
    return false;
  }
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(file), { preview: false });
  return true;
}

/** Says why nothing is written to a file that no proposal is made for, either. */
async function mayWriteTo(file: vscode.Uri): Promise<boolean> {
  const excluded = await whyFileExcluded(file.toString());
  if (excluded === null) return true;
  void showError(t('{0} is excluded by {1}. Nothing was written.', shown(file), excluded));
  return false;
}

function askWhere({ targetUri, name }: Proposal): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const below = folder === undefined ? undefined : vscode.Uri.joinPath(folder, name);
  const isFile = targetUri !== undefined && vscode.workspace.fs.isWritableFileSystem(targetUri.scheme) === true;
  const defaultUri = isFile ? targetUri : below;
  return vscode.window.showSaveDialog({
    title: t('Save {0} as a new file', name),
    ...(defaultUri === undefined ? {} : { defaultUri }),
  });
}

function shown(file: vscode.Uri): string {
  return file.scheme === 'file' ? file.fsPath : file.toString(true);
}
