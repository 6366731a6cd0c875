import * as vscode from 'vscode';
import { showError, showWarning } from '../../../platform/messages/show.ts';
import { replyWords } from '../../../platform/pages/callError.ts';
import { whyFileExcluded } from '../../../platform/sources/ignored/exclusions.ts';
import { Draft } from '../common/draft.ts';
import type { Hunk } from '../common/hunks.ts';
import type { Acceptance } from './changes/acceptance.ts';
import { singleChange } from './changes/singleChange.ts';
import type { ChangeAct } from './changes/writableChanges.ts';
import { confirmAccept } from './confirm.ts';
import { breaksNotebook, isBrokenNotebook } from './notebookFile.ts';
import type { Proposal } from './proposal.ts';
import { type Target, wholeTarget } from './target.ts';
import { maxKept, WorkspaceFiles } from './writing/workspaceFiles.ts';

const t = vscode.l10n.t;

/** Questions to the user, if required, before accepted code is stored in a place that had no file before. */
export interface Keeping {
  readonly mayOpenUntitled: () => Promise<boolean>;
  readonly maySaveAsNew: () => Promise<boolean>;
}

export interface SavingParts {
  readonly keeping: Keeping;
  readonly acceptance: Acceptance;
}

/** Asks the required questions before hunks of a proposal are written to its target. */
export async function mayWrite(
  proposal: Proposal,
  hunks: readonly Hunk[],
  { keeping: { mayOpenUntitled } }: SavingParts,
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
export async function saveAsNew(proposal: Proposal, parts: SavingParts): Promise<boolean> {
  const save = t('Save as New File…');
  const question = t('{0} was deleted or moved, so nothing was written.', proposal.name);
  const detail = t('You can save the complete new text as a new file.');
  return (await showWarning(question, { modal: true, detail }, save)) === save && saveElsewhere(proposal, parts);
}

/** Saves the proposed text as a file that the user chooses. Returns false if nothing was written. */
export async function saveElsewhere(proposal: Proposal, { keeping, acceptance }: SavingParts): Promise<boolean> {
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
  if (!(await keeping.maySaveAsNew())) return false;
  if (!(await confirmAccept(proposal, proposal.draft.hunks, file))) return false;
  const failure = await saveCopy(proposal, file, acceptance);
  if (failure !== '') {
    void showError(failure);
    return false;
  }
  await vscode.window.showTextDocument(file, { preview: false });
  return true;
}

/** Writes the whole proposed text to another file. The save dialog has asked whether to replace an existing one. */
async function saveCopy(proposal: Proposal, file: vscode.Uri, acceptance: Acceptance): Promise<string> {
  const { languageId, source, owned } = proposal;
  const name = shown(file);
  const files = new WorkspaceFiles({ resolve: async () => file, maxBytes: maxKept, languageId });
  try {
    const document = await files.document(name);
    const target: Target = document === null ? { kind: 'file', uri: file, languageId } : wholeTarget(document);
    const base = proposal.draft.original.join('\n');
    const draft = new Draft(document?.getText() ?? '', []);
    draft.complete(proposal.draft.proposed);
    // The copy is written under the same conditions as the change.
    const whyNot = (act: ChangeAct): string | null => owned.changes.whyNot?.(act) ?? null;
    const { changes, change } = singleChange({ target, draft, name, languageId, source }, { files, base, whyNot });
    return await acceptance.next(() => acceptance.write(changes, [{ change }]));
  } catch (error) {
    return replyWords(error);
  }
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
