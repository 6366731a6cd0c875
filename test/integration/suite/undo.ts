import * as vscode from 'vscode';
import { until } from './stage.ts';

/**
 * Undoes the last change of a document with one undo of the user, who sees it in the editor that is in front: it waits until that
 * is the document's, and until the text is another.
 */
export async function undo(document: vscode.TextDocument): Promise<void> {
  const isInFront = (): boolean => vscode.window.activeTextEditor?.document === document;
  await until(vscode.window.onDidChangeActiveTextEditor, isInFront);
  const { version } = document;
  const changed = until(vscode.workspace.onDidChangeTextDocument, () => document.version !== version);
  await vscode.commands.executeCommand('undo');
  await changed;
}
