import * as vscode from 'vscode';
import { hunksOf, linesOf } from '../../common/hunks.ts';
import { type LineEdit, lineEdit } from './lineEdit.ts';
import { encodedAs } from './newFile.ts';

/** The maximum wait in milliseconds for VS Code to reload a document whose file has changed. */
const reloadTime = 5_000;

/** Returns the document of a file if VS Code has it, with or without an editor. */
export function documentAt(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find((document) => document.uri.toString() === name);
}

/** Whether VS Code can move a file to the trash: only on the machine of its window. It does not tell extensions. */
export function hasTrash({ scheme }: vscode.Uri): boolean {
  return scheme === 'file' && vscode.env.remoteName === undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
}

export async function textOf(bytes: Uint8Array, { encoding }: vscode.TextDocument): Promise<string> {
  const text = await vscode.workspace.decode(bytes, { encoding });
  return text.replace(/^\ufeff/, '');
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

/** Whether a document has the lines of these bytes. VS Code gives all lines the same end. */
async function shows(document: vscode.TextDocument, bytes: Uint8Array): Promise<boolean> {
  if (await isSavedAs(document, bytes)) return true;
  return sameLines(linesOf(await textOf(bytes, document)), linesOf(document.getText()));
}

/**
 * Waits until a document shows its file: VS Code reloads it some time after the file has changed. `read` returns the bytes
 * of the file. Returns false if VS Code does not reload it within some seconds, and true for a document that is not reloaded:
 * one with unsaved changes, a closed one, and one without a file.
 */
export function waitUntilUpToDate(
  document: vscode.TextDocument,
  read: () => Promise<Uint8Array | null>,
): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const look = async (): Promise<void> => {
    const bytes = await read();
    if (bytes === null || document.isDirty || document.isClosed || (await shows(document, bytes))) resolve(true);
  };
  const lookIfOwn = (one: vscode.TextDocument): void => {
    if (one === document) look().catch(reject);
  };
  const listening = [
    vscode.workspace.onDidChangeTextDocument((change) => lookIfOwn(change.document)),
    vscode.workspace.onDidCloseTextDocument(lookIfOwn),
  ];
  const limit = setTimeout(() => resolve(false), reloadTime);
  look().catch(reject);
  return promise.finally(() => {
    for (const listener of listening) listener.dispose();
    clearTimeout(limit);
  });
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
