import * as vscode from 'vscode';
import { isElision } from '../../../edits/placing/elision.ts';
import type { OwnAction } from '../../../platform/messages/actions.ts';
import { cardOfCall, Refusal } from '../../../platform/pages/callError.ts';
import { filesBehind } from '../../../platform/sources/behind.ts';
import { ruleAgainst } from '../../../platform/sources/ignored/exclusions.ts';
import { isNotebook } from '../../../platform/sources/notebook.ts';
import { isServiceError } from '../../../util/errors.ts';

const t = vscode.l10n.t;

/** Alternatives to applying a block of an answer. */
export interface Instead {
  readonly insert: () => unknown;
  readonly newFile: () => unknown;
  /** Asks a question in the same conversation. */
  readonly ask: (question: string) => unknown;
}

/** Refuses code that contains fences, because it may have been cut at one of them. */
export function uncertainEnd({ ask }: Pick<Instead, 'ask'>): Refusal {
  const question = t('Give the code again, between fences that are longer than those in it.');
  return new Refusal(t('The code contains code fences, so its end is unclear. Ask for a longer fence.'), [
    { id: 'askAgain', label: t('Ask Again'), run: () => ask(question) },
  ]);
}

/** Returns why code cannot become new lines, because it contains a mark for omitted lines, or null if it can. */
export function leftOutIn(lines: readonly string[], instead: Pick<Instead, 'ask'>): Refusal | null {
  const at = lines.findIndex((line, index) => isElision(line, lines[index - 1]));
  if (at === -1) return null;
  const words = t('The code leaves out other lines ({0}), so it was not used.', (lines[at] ?? '').trim().slice(0, 80));
  return new Refusal(words, [askForWhole(instead, null)]);
}

/**
 * Returns why nothing is inserted into a document: a rule excludes its file, so no change of it is proposed. Returns
 * null if no rule does.
 */
export async function excludedTarget(
  { uri }: vscode.TextDocument,
  instead: Pick<Instead, 'newFile'>,
): Promise<Refusal | null> {
  const rule = await ruleAgainst(await filesBehind(uri));
  if (rule === null) return null;
  const name = vscode.workspace.asRelativePath(uri);
  return new Refusal(t('The code cannot be inserted: {0} is excluded by {1}.', name, rule), [asNewFile(instead)]);
}

/** Refuses code that names no file. */
export function namelessCode(instead: Pick<Instead, 'insert' | 'newFile'>): Refusal {
  const insert: OwnAction = { id: 'insertCode', label: t('Insert at Cursor'), run: instead.insert };
  return new Refusal(t('The code does not name a file in the workspace.'), [insert, asNewFile(instead)]);
}

/** Refuses code for a file that cannot be changed. */
export function refusedFile(reason: string, instead: Pick<Instead, 'newFile'>): Refusal {
  return new Refusal(t('The code cannot be applied: {0}.', reason), [asNewFile(instead)]);
}

/** Adds alternatives to an error of placing code in a file; returns any other error unchanged. */
export function failedToPlace(error: unknown, uri: vscode.Uri, instead: Pick<Instead, 'ask'>): unknown {
  if (!isServiceError(error) || error.code !== 'misplaced-code') return error;
  const card = cardOfCall(error);
  const file = vscode.workspace.asRelativePath(uri);
  const show = (): unknown => vscode.window.showTextDocument(uri);
  const words = card === null ? '' : [card.title, card.detail].filter((part) => part !== undefined).join('. ');
  // A notebook is open already, and the whole text of its file would be refused.
  if (isNotebook(uri)) return new Refusal(words, [askForCells(instead, file)]);
  return new Refusal(words, [askForWhole(instead, file), { id: 'openFile', label: t('Open File'), run: show }]);
}

/**
 * Refuses an answer with the whole file of a notebook, outputs included, because only the code of its cells can be
 * used.
 */
export function wholeNotebook(uri: vscode.Uri, { ask }: Pick<Instead, 'ask'>): Refusal {
  return new Refusal(
    t('The code is the whole file of a notebook, which would replace its outputs. Ask for its cells.'),
    [askForCells({ ask }, vscode.workspace.asRelativePath(uri))],
  );
}

export function askForCells({ ask }: Pick<Instead, 'ask'>, file: string): OwnAction {
  const question = t(
    'Give only the code of each changed cell of {0}, with the line before it that numbers the cell.',
    file,
  );
  return { id: 'askForCells', label: t('Ask for the Cells'), run: () => ask(question) };
}

/** Refuses to create a notebook that would not open, because the code is not the JSON of a notebook. */
export function noNotebook(uri: vscode.Uri, instead: Pick<Instead, 'newFile'>): Refusal {
  const name = vscode.workspace.asRelativePath(uri);
  return refusedFile(t('{0} would not be a notebook, because the code is not the file of one', name), instead);
}

export function askForWhole({ ask }: Pick<Instead, 'ask'>, file: string | null): OwnAction {
  const question =
    file === null
      ? t('Give the whole code again, without leaving anything out.')
      : t('Give the whole text of {0} with this change, without leaving anything out.', file);
  return { id: 'askAgain', label: t('Ask for the Whole Code'), run: () => ask(question) };
}

function asNewFile({ newFile }: Pick<Instead, 'newFile'>): OwnAction {
  return { id: 'asNewFile', label: t('New File'), run: newFile };
}
