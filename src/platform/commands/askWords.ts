import * as vscode from 'vscode';
import { type Failure, notAsked } from '../messages/withErrorReporting.ts';

/** What the user typed for a command that did not succeed with it. In memory only, so that it can never be on the disk. */
const unused = new Map<string, string>();

/**
 * Asks the user for words and uses them. If that fails, the next question of the same name begins with these words, so
 * that the user need not type them again.
 */
export async function askWords<T extends { readonly ok: boolean }>(
  name: string,
  options: vscode.InputBoxOptions,
  use: (words: string) => PromiseLike<T>,
): Promise<T | Failure> {
  const value = unused.get(name) ?? options.value ?? '';
  const words = await vscode.window.showInputBox({ ...options, value, ignoreFocusOut: true });
  if (words === undefined) return notAsked();
  unused.delete(name);
  if (words.trim() === '') return notAsked();
  unused.set(name, words);
  const used = await use(words);
  if (used.ok && unused.get(name) === words) unused.delete(name);
  return used;
}

export function forgetWords(): void {
  unused.clear();
}
