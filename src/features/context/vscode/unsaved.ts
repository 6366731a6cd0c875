import * as vscode from 'vscode';

/** Whether an editor has unsaved changes to this file. */
export function isUnsaved(uri: vscode.Uri): boolean {
  return unsavedText(uri) !== null || isUnsavedNotebook(uri);
}

function isUnsavedNotebook(uri: vscode.Uri): boolean {
  const text = uri.toString();
  return vscode.workspace.notebookDocuments.some((notebook) => notebook.isDirty && notebook.uri.toString() === text);
}

/** Returns the text of a file with the unsaved changes of an editor, or null if there are no such changes. */
export function unsavedText(uri: vscode.Uri): string | null {
  const text = uri.toString();
  const isChanged = (document: vscode.TextDocument): boolean => document.isDirty && document.uri.toString() === text;
  return vscode.workspace.textDocuments.find(isChanged)?.getText() ?? null;
}
