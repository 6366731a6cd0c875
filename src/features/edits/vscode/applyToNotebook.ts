import type * as vscode from 'vscode';
import type { ReadAnswer } from '../../../edits/reading/answer.ts';
import { readNotebook } from '../../../platform/sources/notebookText.ts';
import type { CodeSource } from './acceptedCode.ts';
import { type CellChange, changesOfCells, openNotebook } from './placing/notebookCells.ts';
import type { Proposals } from './proposals.ts';
import { proposeInTurn } from './proposeInTurn.ts';
import { failedToPlace, type Instead, wholeNotebook } from './unusableCode.ts';

interface Applied {
  readonly read: ReadAnswer;
  readonly text: string;
  readonly source: CodeSource;
}

/**
 * Proposes code of an answer for the cells of a notebook, one proposal for each: the JSON of its file is not changed,
 * so that the outputs stay and unsaved changes of its editor are not lost. Throws a Refusal if that is not possible.
 */
export async function applyToNotebook(
  proposals: Proposals,
  uri: vscode.Uri,
  { read, text, source }: Applied,
  instead: Instead,
): Promise<void> {
  const changes = await changesIn(proposals, uri, { read, text }, instead).catch((error: unknown) => {
    throw failedToPlace(error, uri, instead);
  });
  for (const { target } of changes) if (!(await proposals.canChange(target.document))) return;
  await proposeInTurn(proposals, changes, source);
}

/** The changes that a block of an answer makes to the cells of a notebook. Throws a Refusal or Misplaced. */
export async function changesIn(
  proposals: Pick<Proposals, 'withSecrets'>,
  uri: vscode.Uri,
  block: Pick<Applied, 'read' | 'text'>,
  instead: Instead,
): Promise<readonly CellChange[]> {
  if (readNotebook(block.text) !== null) throw wholeNotebook(uri, instead);
  const notebook = await openNotebook(uri, instead);
  return changesOfCells(notebook, block, (...of) => proposals.withSecrets(...of), instead);
}
