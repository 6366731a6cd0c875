import * as vscode from 'vscode';
import { isEnabledFor } from './enabled.ts';

/** Documents that contain code. Excludes outputs, commit messages and our own documents. */
const schemes = ['file', 'untitled', 'vscode-notebook-cell', 'vscode-remote', 'vscode-vfs'];

/** Registers inline completions. While they are switched off, the provider is not created. */
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
