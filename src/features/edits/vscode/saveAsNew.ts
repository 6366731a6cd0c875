import * as vscode from 'vscode';
import { showError, showWarning } from '../../../platform/messages/show.ts';
import { whyFileExcluded } from '../../../platform/sources/ignored/exclusions.ts';
import type { Hunk } from '../common/hunks.ts';
import { confirmAccept } from './confirm.ts';
import { createTextFile } from './newFile.ts';
import { breaksNotebook, isBrokenNotebook } from './notebookFile.ts';
import type { Proposal } from './proposal.ts';

const t = vscode.l10n.t;

/** Questions to the user, if required, before accepted code is stored in a place that had no file before. */
export interface Keeping {
  readonly mayOpenUntitled: () => Promise<boolean>;
  readonly maySaveAsNew: () => Promise<boolean>;
}

/** Asks the required questions before hunks of a proposal are written to its target. */
export async function mayWrite(
  proposal: Proposal,
  hunks: readonly Hunk[],
  { mayOpenUntitled }: Keeping,
): Promise<boolean> {
  const { target } = proposal;
  if (target.kind === 'untitled' && !(await mayOpenUntitled())) return false;
  if (breaksNotebook(proposal, hunks)) {
    void showError(t('With these changes, {0} is no longer a notebook. Nothing was written.', proposal.name));
    return false;
  }
  if (target.kind === 'file' && !(await mayWriteTo(target.uri))) return false;
  return confirmAccept(proposal, hunks);
}

/**
 * Reports that the file of a proposal was deleted or moved, and offers to save the proposed text as a new file. Returns
 * false if nothing was written.
 */
export async function saveAsNew(proposal: Proposal, keeping: Keeping): Promise<boolean> {
  const save = t('Save as New File…');
  const question = t('{0} was deleted or moved, so nothing was written.', proposal.name);
  const detail = t('You can save the complete new text as a new file.');
  return (await showWarning(question, { modal: true, detail }, save)) === save && saveElsewhere(proposal, keeping);
}

/** Saves the proposed text as a file that the user chooses. Returns false if nothing was written. */
export async function saveElsewhere(proposal: Proposal, { maySaveAsNew }: Keeping): Promise<boolean> {
  const file = await askWhere(proposal);
  if (file === undefined || !(await mayWriteTo(file))) return false;
  if (isBrokenNotebook(file, proposal.text)) {
    const words = t(
      '{0} would not be a notebook, because the text is not the file of one. Nothing was written.',
      shown(file),
    );
    void showError(words);
    return false;
  }
  if (!(await maySaveAsNew())) return false;
  if (!(await confirmAccept(proposal, proposal.draft.hunks, file))) return false;
  // The save dialog has asked whether to replace an existing file.
  const about = { languageId: proposal.languageId, overwrite: true };
  const document = await createTextFile(file, proposal.text, about);
  if (document === null) {
    void showError(t('{0} could not be written.', shown(file)));
    return false;
  }
  await vscode.window.showTextDocument(document, { preview: false });
  return true;
}

/** Whether a file may be written; shows an error for an excluded file, because no proposals are made for it. */
async function mayWriteTo(file: vscode.Uri): Promise<boolean> {
  const excluded = await whyFileExcluded(file.toString());
  if (excluded === null) return true;
  void showError(t('{0} is excluded by {1}. Nothing was written.', shown(file), excluded));
  return false;
}

function askWhere({ targetUri, name }: Proposal): Thenable<vscode.Uri | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  // The text of a cell is not the file of its notebook.
  const file = targetUri?.scheme === 'vscode-notebook-cell' ? name.replace(/\.ipynb$/i, '') : name;
  const below = folder === undefined ? undefined : vscode.Uri.joinPath(folder, file);
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
