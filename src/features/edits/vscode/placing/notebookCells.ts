import * as vscode from 'vscode';
import { placeAnswer } from '../../../../edits/place.ts';
import { type ReadAnswer, readAnswer } from '../../../../edits/reading/answer.ts';
import { languageIdOf } from '../../../../edits/reading/candidates.ts';
import { type CellCode, readCells } from '../../../../edits/reading/cells.ts';
import { isDistinctive } from '../../../../edits/text/lines.ts';
import { asText } from '../../../../platform/messages/asText.ts';
import type { Refusal } from '../../../../platform/pages/callError.ts';
import { readNotebook } from '../../../../platform/sources/notebookText.ts';
import { readUtf8 } from '../../../../platform/sources/open.ts';
import { fenceFor } from '../../../../util/text/fence.ts';
import { linesOf } from '../../common/hunks.ts';
import { isNotebookFile } from '../notebookFile.ts';
import { type DocumentTarget, wholeTarget } from '../target.ts';
import { type Instead, leftOutIn, refusedFile } from '../unusableCode.ts';
import { addCell } from '../writing/newCell.ts';
import { Misplaced, placedLines, type RestoreSecrets } from './placed.ts';

const t = vscode.l10n.t;

/** The new text of one cell. */
export interface CellChange {
  readonly target: DocumentTarget;
  readonly lines: readonly string[];
}

interface Block {
  readonly read: ReadAnswer;
  readonly text: string;
}

/**
 * Opens a notebook and shows it, because VS Code closes the cells of a notebook that no editor shows. Throws a Refusal.
 */
export async function openNotebook(
  uri: vscode.Uri,
  instead: Pick<Instead, 'newFile'>,
): Promise<vscode.NotebookDocument> {
  // For a file that VS Code cannot read, even if it could read it before, it opens an editor that never ends loading.
  const isDirty = vscode.workspace.notebookDocuments.some(
    (each) => each.isDirty && each.uri.toString() === uri.toString(),
  );
  if (!isDirty && isNotebookFile(uri) && readNotebook(await readUtf8(uri)) === null) throw notOpened(uri, instead);
  try {
    const notebook = await vscode.workspace.openNotebookDocument(uri);
    const isShown = vscode.window.visibleNotebookEditors.some((editor) => editor.notebook === notebook);
    if (!isShown) await vscode.window.showNotebookDocument(notebook, { preview: false });
    return notebook;
  } catch {
    throw notOpened(uri, instead);
  }
}

function notOpened(uri: vscode.Uri, instead: Pick<Instead, 'newFile'>): Refusal {
  return refusedFile(t('{0} cannot be opened as a notebook', vscode.workspace.asRelativePath(uri)), instead);
}

/**
 * Returns the changes that a block of an answer makes to the cells of a notebook: to the cells that it names; or else to the only
 * cell that its code fits; or else to the cell that the user chooses. Returns an empty array if the user chooses none. Throws a
 * Refusal if code that would replace a cell omits lines.
 */
export async function changesOfCells(
  notebook: vscode.NotebookDocument,
  block: Block,
  restoreSecrets: RestoreSecrets,
  instead: Pick<Instead, 'ask'>,
): Promise<readonly CellChange[]> {
  const parts = readCells(block.text);
  const changes: CellChange[] = [];
  for (const part of parts) {
    const isAll = parts.length === 1 && part.number === undefined;
    const read = isAll ? block.read : readPart(part, block.read.blocks[0]?.language ?? '');
    const cell = await cellFor(notebook, part, read);
    if (cell === null) return [];
    const target = wholeTarget(cell.document);
    const lines = await linesFor(target, part, read, restoreSecrets, instead);
    if (lines.join('\n') !== linesOf(target.text).join('\n') || parts.length === 1) changes.push({ target, lines });
  }
  return changes;
}

function readPart({ lines }: CellCode, language: string): ReadAnswer {
  const code = `${lines.join('\n')}\n`;
  const fence = fenceFor(code);
  return readAnswer(`${fence}${language}\n${code}${fence}\n`);
}

/** Returns the cell with the code in its place. Code that has no place in the cell replaces the whole cell. */
async function linesFor(
  target: DocumentTarget,
  { lines }: CellCode,
  read: ReadAnswer,
  restoreSecrets: RestoreSecrets,
  instead: Pick<Instead, 'ask'>,
): Promise<readonly string[]> {
  if (isRelated(target.document, lines) || hasChanges(read)) {
    try {
      return withoutLastEnd(target, await placedLines(target, read, restoreSecrets));
    } catch (error) {
      if (!(error instanceof Misplaced) || hasChanges(read)) throw error;
    }
  }
  const refusal = leftOutIn(lines, instead);
  if (refusal !== null) throw refusal;
  const [code = ''] = await restoreSecrets(target, [lines.join('\n')]);
  return linesOf(code);
}

/** Removes the last line break, because cells end without one, as Jupyter writes them. */
function withoutLastEnd({ text }: DocumentTarget, lines: readonly string[]): readonly string[] {
  return text.endsWith('\n') || lines.at(-1) !== '' ? lines : lines.slice(0, -1);
}

function hasChanges({ blocks }: ReadAnswer): boolean {
  return blocks.some(({ changes }) => changes !== undefined);
}

/** Whether code and a cell have a distinctive line in common. */
function isRelated(document: vscode.TextDocument, lines: readonly string[]): boolean {
  const cellLines = new Set(linesOf(document.getText()).map((line) => line.trim()));
  return lines.some((line) => isDistinctive(line) && line.trim().length > 2 && cellLines.has(line.trim()));
}

async function cellFor(
  notebook: vscode.NotebookDocument,
  part: CellCode,
  read: ReadAnswer,
): Promise<vscode.NotebookCell | null> {
  const cells = notebook.getCells();
  const named = part.number === undefined ? undefined : cells[part.number - 1];
  if (named !== undefined) return named;
  const fitting = cells.filter(({ document }) => fits(document, part, read));
  const [only, ...others] = fitting;
  if (only !== undefined && others.length === 0) return only;
  return choose(notebook, fitting.length > 0 ? fitting : cells, languageOf(read));
}

function fits(document: vscode.TextDocument, { lines }: CellCode, read: ReadAnswer): boolean {
  if (!hasChanges(read) && !isRelated(document, lines)) return false;
  const { languageId, uri } = document;
  const { places, text, mode } = wholeTarget(document);
  return placeAnswer(read, { lines: linesOf(text), places, mode, languageId, file: uri.path }).is === 'edit';
}

function languageOf({ blocks }: ReadAnswer): string {
  return languageIdOf(blocks[0]?.language ?? '');
}

async function choose(
  notebook: vscode.NotebookDocument,
  cells: readonly vscode.NotebookCell[],
  language: string,
): Promise<vscode.NotebookCell | null> {
  const items = cells.map((cell) => ({
    label: t('Cell {0}', cell.index + 1),
    description: asText(cell.document.getText().trim().split('\n')[0]?.slice(0, 80) ?? ''),
    cell,
  }));
  const created = { label: t('New Cell at the End'), description: '', cell: null };
  const title = t('Which cell is the code for?');
  const chosen = await vscode.window.showQuickPick([...items, created], { title });
  if (chosen === undefined) return null;
  return chosen.cell ?? newCell(notebook, language);
}

/** Adds an empty cell; its code is a proposal like any other. */
async function newCell(notebook: vscode.NotebookDocument, language: string): Promise<vscode.NotebookCell | null> {
  const { Code, Markup } = vscode.NotebookCellKind;
  const like = notebook.getCells().findLast(({ kind }) => kind === Code)?.document.languageId ?? 'python';
  const known = (await vscode.languages.getLanguages()).includes(language) ? language : like;
  return addCell(notebook, known === 'markdown' ? Markup : Code, known);
}
