import * as vscode from 'vscode';
import { isEnabledFor } from './enabled.ts';

/** Where code is written: not an output, a commit message, or one of our own documents. */
const schemes = ['file', 'untitled', 'vscode-notebook-cell', 'vscode-remote', 'vscode-vfs'];

/** Offers completions; where they are switched off, nothing of them is even made. */
export function registerInlineCompletions(
  completions: () => Promise<vscode.InlineCompletionItemProvider>,
): vscode.Disposable {
  const selector = schemes.map((scheme) => ({ scheme }));
  return vscode.languages.registerInlineCompletionItemProvider(selector, {
    async provideInlineCompletionItems(document, ...rest) {
      if (!isEnabledFor(document)) return [];
      return (await completions()).provideInlineCompletionItems(document, ...rest);
    },
  });
}
