import * as vscode from 'vscode';
import type { Attachment } from '../session/conversation.ts';
import { folderOf } from './settingsReader.ts';

/** The selection, or the symbol at the cursor, or the whole file. */
export async function attachCode({ document, selection }: vscode.TextEditor): Promise<Attachment> {
  const range = selection.isEmpty ? await symbolAt(document, selection.active) : selection;
  return attachRange(document, range);
}

/** Part of a document (or all of it) under a name that says which part. */
export function attachRange(document: vscode.TextDocument, range: vscode.Range | undefined): Attachment {
  const path = document.isUntitled ? document.fileName : vscode.workspace.asRelativePath(document.uri);
  return {
    label: range === undefined ? path : `${path}:${linesOf(range)}`,
    uri: document.uri.toString(),
    firstLine: (range?.start.line ?? 0) + 1,
    languageId: document.languageId,
    text: document.getText(range),
    folder: folderOf(document.uri),
  };
}

/** `3-12`, counted from 1; a selection that ends at the start of a line does not have that line. */
function linesOf({ start, end }: vscode.Range): string {
  const last = end.character === 0 && end.line > start.line ? end.line : end.line + 1;
  return start.line + 1 === last ? String(last) : `${start.line + 1}-${last}`;
}

/** The innermost symbol around a position that is more than a variable. */
export async function symbolAt(
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<vscode.Range | undefined> {
  const found = await vscode.commands.executeCommand<readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[]>(
    'vscode.executeDocumentSymbolProvider',
    document.uri,
  );
  let symbols = (found ?? []).filter((symbol): symbol is vscode.DocumentSymbol => 'children' in symbol);
  let range: vscode.Range | undefined;
  for (;;) {
    const around = symbols.find((symbol) => symbol.range.contains(position));
    if (around === undefined) return range;
    if (whole.has(around.kind)) range = around.range;
    symbols = around.children;
  }
}

const whole = new Set([
  vscode.SymbolKind.Class,
  vscode.SymbolKind.Constructor,
  vscode.SymbolKind.Enum,
  vscode.SymbolKind.Function,
  vscode.SymbolKind.Interface,
  vscode.SymbolKind.Method,
  vscode.SymbolKind.Module,
  vscode.SymbolKind.Namespace,
  vscode.SymbolKind.Struct,
]);
