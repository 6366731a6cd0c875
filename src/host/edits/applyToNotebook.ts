import type * as vscode from 'vscode';
import type { ReadAnswer } from '../../edits/reading/answer.ts';
import { readNotebook } from '../sources/notebookText.ts';
import type { CodeSource } from './acceptedCode.ts';
import { changesOfCells, openNotebook } from './placing/notebookCells.ts';
import type { Proposals } from './proposals.ts';
import { failedToPlace, type Instead, wholeNotebook } from './unusableCode.ts';

interface Applied {
  readonly read: ReadAnswer;
  readonly text: string;
  readonly source: CodeSource;
}

/**
 * Proposes code of an answer for the cells of a notebook, one proposal for each: the JSON of its file is not changed, so
 * that the outputs stay and unsaved changes of its editor are not lost. Throws a Refusal where that is not possible.
 */
export async function applyToNotebook(
  proposals: Proposals,
  uri: vscode.Uri,
  { read, text, source }: Applied,
  instead: Instead,
): Promise<void> {
  if (readNotebook(text) !== null) throw wholeNotebook(uri, instead);
  const notebook = await openNotebook(uri, instead);
  const changes = await changesOfCells(
    notebook,
    { read, text },
    (...of) => proposals.withSecrets(...of),
    instead,
  ).catch((error: unknown) => {
    throw failedToPlace(error, uri, instead);
  });
  for (const { target, lines } of changes) {
    if (!(await proposals.canChange(target.document))) return;
    const proposal = await proposals.begin(target, () => undefined);
    await proposals.complete(proposal, lines, source);
  }
}
