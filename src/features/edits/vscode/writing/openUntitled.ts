import * as vscode from 'vscode';

/**
 * Opens a new untitled document. VS Code gives it the name of a document that was just closed, and sometimes still has
 * the text of that document, which is then replaced.
 */
export async function openUntitled(content: string, language: string): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument({ content, language });
  const lines = (text: string): string => text.replaceAll('\r\n', '\n');
  const isCrlf = content.includes('\r\n') && !/(?:^|[^\r])\n/.test(content);
  const hasLineEndings = !isCrlf || document.eol === vscode.EndOfLine.CRLF;
  if (hasLineEndings && lines(document.getText()) === lines(content)) return document;
  const edit = new vscode.WorkspaceEdit();
  // A replacement gets the line endings of the text before it.
  const lineEndings = isCrlf ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
  edit.set(document.uri, [
    vscode.TextEdit.replace(new vscode.Range(0, 0, document.lineCount, 0), content),
    vscode.TextEdit.setEndOfLine(lineEndings),
  ]);
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new Error('VS Code did not replace the text of an untitled document.');
  return vscode.languages.setTextDocumentLanguage(document, language);
}
