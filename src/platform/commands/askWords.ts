import * as vscode from 'vscode';
import { type Failure, notAsked } from '../messages/withErrorReporting.ts';

/**
 * The input that the user typed for commands that then failed, by name. It is kept in memory only, so that it is never
 * written to the disk.
 */
const failedInputs = new Map<string, string>();

/**
 * Asks the user for a text and passes it to `use`. If that fails, the next input box of the same name is prefilled with the
 * text, so that the user need not type it again.
 */
export async function askWords<T extends { readonly ok: boolean }>(
  name: string,
  options: vscode.InputBoxOptions,
  use: (text: string) => PromiseLike<T>,
): Promise<T | Failure> {
  const value = failedInputs.get(name) ?? options.value ?? '';
  const text = await vscode.window.showInputBox({ ...options, value, ignoreFocusOut: true });
  if (text === undefined) return notAsked();
  failedInputs.delete(name);
  if (text.trim() === '') return notAsked();
  failedInputs.set(name, text);
  const result = await use(text);
  if (result.ok && failedInputs.get(name) === text) failedInputs.delete(name);
  return result;
}

export function forgetWords(): void {
  failedInputs.clear();
}
