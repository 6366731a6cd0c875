import * as vscode from 'vscode';
import { type Hunk, hunksOf, linesOf } from '../common/hunks.ts';
import { createTextFile } from './newFile.ts';
import { openUntitled } from './openUntitled.ts';
import { formatEdits } from './placing/format.ts';
import { type LineEdit, lineEdit } from './placing/lineEdit.ts';
import type { Proposal } from './proposal.ts';

/** The maximum wait in milliseconds for the formatter. After it, the accepted text stays unformatted. */
const formatterTime = 3_000;

/**
 * Writes hunks into the document as one undo step. Returns the text afterwards, or null if VS Code rejected the edit.
 */
export async function writeHunks(proposal: Proposal, hunks: readonly Hunk[]): Promise<string | null> {
  const { target } = proposal;
  if (target.kind !== 'document') return null;
  const edit = new vscode.WorkspaceEdit();
  edit.set(target.document.uri, editsOf(proposal, hunks));
  return (await vscode.workspace.applyEdit(edit)) ? target.document.getText() : null;
}

/** Like writeHunks(), but for the remaining hunks, which the document's own formatter formats. */
export async function writeAll(proposal: Proposal): Promise<string | null> {
  const { target, draft } = proposal;
  switch (target.kind) {
    case 'untitled': {
      const content = proposal.text;
      const document = await openUntitled(content, target.languageId);
      await vscode.window.showTextDocument(document);
      return content;
    }
    case 'file': {
      const { languageId } = target;
      const document = await createTextFile(target.uri, proposal.text, { languageId, overwrite: false });
      if (document === null) return null;
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      const written = await writeFormatted(editor, [], linesOf(''));
      if (document.isDirty) await document.save();
      return written ?? proposal.text;
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
 * Returns a writable editor, unlike the sides of a diff. A notebook cell is shown by its notebook, and has an editor
 * while it is visible.
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
 * Applies two edits without an undo stop between them, because a formatter reads the document. Most formatters accept
 * only files, so they could not format the virtual document before. `first` is the text before the first hunk was
 * accepted: only the changes since then are formatted. Returns the text after the last edit, or null if VS Code
 * rejected the first edit.
 */
async function writeFormatted(
  editor: vscode.TextEditor,
  edits: readonly vscode.TextEdit[],
  first: readonly string[],
): Promise<string | null> {
  const { document } = editor;
  const put = (all: readonly vscode.TextEdit[], undoStopBefore: boolean, undoStopAfter: boolean): Thenable<boolean> =>
    editor.edit((builder) => all.forEach(({ range, newText }) => void builder.replace(range, newText)), {
      undoStopBefore,
      undoStopAfter,
    });
  if (!(await put(edits, true, false))) return null;
  const { version } = document;
  const written = document.getText();
  const changed = hunksOf(first, linesOf(written)).map(({ proposedStart, proposedEnd }) => ({
    start: proposedStart,
    end: proposedEnd,
  }));
  const formatting = formatEdits(document, changed, editor.options).catch(() => []);
  const late = new Promise<readonly LineEdit[]>((resolve) => setTimeout(() => resolve([]), formatterTime).unref());
  const formatted = await Promise.race([formatting, late]);
  if (formatted.length === 0 || document.version !== version) return written;
  return (await put(formatted.map(textEdit), false, true)) ? document.getText() : written;
}
