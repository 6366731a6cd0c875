import * as vscode from 'vscode';
import { showError } from '../messages.ts';

/**
 * Shows an error that stays until the user closes it: VS Code keeps an error with a button. The button runs a command.
 */
export async function showLastingError(words: string, button: string, command: string): Promise<void> {
  if ((await showError(words, button)) === button) await vscode.commands.executeCommand(command);
}
