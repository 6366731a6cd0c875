import * as vscode from 'vscode';
import { until } from './stage.ts';

/**
 * Undoes the last change of a document with one undo, as the user does in the active editor: waits until that editor
 * shows the document, and until the text has changed.
 */
export async function undo(document: vscode.TextDocument): Promise<void> {
  const isInFront = (): boolean => vscode.window.activeTextEditor?.document === document;
  await until(vscode.window.onDidChangeActiveTextEditor, isInFront);
  const { version } = document;
  const changed = until(vscode.workspace.onDidChangeTextDocument, () => document.version !== version);
  await vscode.commands.executeCommand('undo');
  await changed;
}
