import * as vscode from 'vscode';

/** Whether an editor has a text for this file that is not saved. */
export function isUnsaved(uri: vscode.Uri): boolean {
  const text = uri.toString();
  return vscode.workspace.textDocuments.some((document) => document.isDirty && document.uri.toString() === text);
}
