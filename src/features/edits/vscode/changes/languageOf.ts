import * as vscode from 'vscode';

/**
 * Returns the language of a file by its open document. For a file that does not exist, VS Code does not tell it: then it is JSON
 * if it looks like JSON, so that its schemas are checked.
 */
export function languageOf(path: string, lines: readonly string[]): string {
  const open = vscode.workspace.textDocuments.find(({ uri }) => vscode.workspace.asRelativePath(uri) === path);
  if (open !== undefined) return open.languageId;
  const first = lines.find((line) => line.trim() !== '')?.trim() ?? '';
  return /\.json[c5l]?$/i.test(path) || /^(?:[{[]|\/[/*])/.test(first) ? 'json' : 'plaintext';
}
