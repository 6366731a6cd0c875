import * as vscode from 'vscode';
import { hunksOf, linesOf } from '../../common/hunks.ts';
import { type LineEdit, lineEdit } from './lineEdit.ts';
import { encodedAs } from './newFile.ts';

/** Whether VS Code can move a file to the trash: only on the machine of its window. It does not tell extensions. */
export function hasTrash({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' && vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

/** Whether VS Code would save exactly these bytes. */
export async function isSavedAs(document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> {
  const saved = await encodedAs(document.getText(), document.encoding);
  return saved !== null && sameBytes(saved, bytes);
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

export function sameLines(one: readonly string[], other: readonly string[]): boolean {
  return one.join('\n') === other.join('\n');
}

/** Changes the lines of a document that differ, as one undo step and without an editor. Returns whether VS Code did. */
export async function putLines(document: vscode.TextDocument, lines: readonly string[]): Promise<boolean> {
  const edits = editsFor(document, lines);
  if (edits.length === 0) return true;
  const edit = new vscode.WorkspaceEdit();
  edit.set(document.uri, edits);
  return vscode.workspace.applyEdit(edit);
}

/** The edits that give a document these lines. They change only lines that differ. */
export function editsFor(document: vscode.TextDocument, lines: readonly string[]): vscode.TextEdit[] {
  const current = linesOf(document.getText());
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return hunksOf(current, lines).map((hunk) => textEdit(lineEdit(hunk, current, lines, lineEnd)));
}

export function textEdit({ start, end, text }: LineEdit): vscode.TextEdit {
  return vscode.TextEdit.replace(new vscode.Range(start.line, start.character, end.line, end.character), text);
}
