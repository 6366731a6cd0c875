import * as vscode from 'vscode';
import { type Hunk, hunksOf, linesOf } from './hunks.ts';
import { formatEdits } from './placing/format.ts';
import { type LineEdit, lineEdit } from './placing/lineEdit.ts';
import type { Proposal } from './proposal.ts';

/** How long the formatter is waited for, in ms: what was accepted stays as it is when it takes longer. */
const formatterTime = 3_000;

/** Writes hunks into the document, undone by one undo. */
export async function writeHunks(proposal: Proposal, hunks: readonly Hunk[]): Promise<boolean> {
  const { target } = proposal;
  if (target.kind !== 'document') return false;
  const edit = new vscode.WorkspaceEdit();
  edit.set(target.document.uri, editsOf(proposal, hunks));
  return vscode.workspace.applyEdit(edit);
}

/** Writes what is left of a proposal, formatted by the document's own formatter, undone by one undo together. */
export async function writeAll(proposal: Proposal): Promise<boolean> {
  const { target, draft } = proposal;
  switch (target.kind) {
    case 'untitled': {
      const content = proposal.text;
      const document = await vscode.workspace.openTextDocument({ content, language: target.languageId });
      await vscode.window.showTextDocument(document);
      return true;
    }
    case 'file': {
      const edit = new vscode.WorkspaceEdit();
      // With its text in one step: there is never an empty file, whatever comes between.
      edit.createFile(target.uri, { overwrite: false, contents: new TextEncoder().encode(proposal.text) });
      if (!(await vscode.workspace.applyEdit(edit))) return false;
      const document = await vscode.workspace.openTextDocument(target.uri);
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      await writeFormatted(editor, [], linesOf(''));
      if (document.isDirty) await document.save();
      return true;
    }
    case 'document': {
      const editor = await editorOf(target.document);
      if (editor === undefined) return writeHunks(proposal, draft.hunks);
      return writeFormatted(editor, editsOf(proposal, draft.hunks), draft.first);
    }
  }
}

function editsOf({ draft, lineEnd }: Proposal, hunks: readonly Hunk[]): vscode.TextEdit[] {
  return hunks.map((hunk) => textEdit(lineEdit(hunk, draft.original, draft.proposed, lineEnd)));
}

function textEdit({ start, end, text }: LineEdit): vscode.TextEdit {
  return vscode.TextEdit.replace(new vscode.Range(start.line, start.character, end.line, end.character), text);
}

/**
 * An editor that can write: the sides of a diff cannot. A notebook's cell is shown by its notebook, and has an editor
 * while it is in sight.
 */
async function editorOf(document: vscode.TextDocument): Promise<vscode.TextEditor | undefined> {
  if (document.uri.scheme !== 'vscode-notebook-cell') {
    return vscode.window.showTextDocument(document, { preview: false });
  }
  const cells = vscode.workspace.notebookDocuments.flatMap((notebook) => notebook.getCells());
  const cell = cells.find((each) => each.document === document);
  if (cell !== undefined) {
    const selections = [new vscode.NotebookRange(cell.index, cell.index + 1)];
    await vscode.window.showNotebookDocument(cell.notebook, { selections });
  }
  return undefined;
}

/**
 * Two edits with no undo stop between them, because a formatter reads the document: most take files alone, so that they
 * could not be asked about the virtual document before. `first` is the text before the first hunk was accepted: all that
 * changed since is formatted, and nothing else.
 */
async function writeFormatted(
  editor: vscode.TextEditor,
  edits: readonly vscode.TextEdit[],
  first: readonly string[],
): Promise<boolean> {
  const { document } = editor;
  const put = (all: readonly vscode.TextEdit[], undoStopBefore: boolean, undoStopAfter: boolean): Thenable<boolean> =>
    editor.edit((builder) => all.forEach(({ range, newText }) => void builder.replace(range, newText)), {
      undoStopBefore,
      undoStopAfter,
    });
  if (!(await put(edits, true, false))) return false;
  const { version } = document;
  const changed = hunksOf(first, linesOf(document.getText())).map(({ proposedStart, proposedEnd }) => ({
    start: proposedStart,
    end: proposedEnd,
  }));
  const formatting = formatEdits(document, changed, editor.options).catch(() => []);
  const late = new Promise<readonly LineEdit[]>((resolve) => setTimeout(() => resolve([]), formatterTime).unref());
  const formatted = await Promise.race([formatting, late]);
  if (formatted.length > 0 && document.version === version) await put(formatted.map(textEdit), false, true);
  return true;
}
