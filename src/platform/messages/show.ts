import * as vscode from 'vscode';
import { asText } from './asText.ts';

type Show = typeof vscode.window.showInformationMessage;
type ShowFunction = 'showInformationMessage' | 'showWarningMessage' | 'showErrorMessage';

/** Wraps a function of VS Code. Our messages contain no icons or links, so all of their text can be escaped: see asText(). */
function showing(functionName: ShowFunction): Show {
  const show = (message: string, ...rest: readonly unknown[]): unknown =>
    (vscode.window[functionName] as (message: string, ...rest: readonly unknown[]) => unknown)(
      asText(message),
      ...rest.map(withTextDetail),
    );
  return show as Show;
}

function withTextDetail(part: unknown): unknown {
  if (typeof part !== 'object' || part === null || !('detail' in part) || typeof part.detail !== 'string') return part;
  return { ...part, detail: asText(part.detail) };
}

/** The only functions that may show VS Code messages. They show their arguments as literal text. */
export const showInformation = showing('showInformationMessage');
export const showWarning = showing('showWarningMessage');
export const showError = showing('showErrorMessage');

/**
 * Shows an error that stays until the user closes it: VS Code keeps an error with a button. The button runs a command.
 */
export async function showLastingError(words: string, button: string, command: string): Promise<void> {
  if ((await showError(words, button)) === button) await vscode.commands.executeCommand(command);
}
