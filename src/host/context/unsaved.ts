import * as vscode from 'vscode';

/** Whether an editor has unsaved changes to this file. */
export function isUnsaved(uri: vscode.Uri): boolean {
  const text = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === text);
}
