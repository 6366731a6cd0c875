import * as vscode from 'vscode';
import { attachFile } from '../sources/attach.ts';
import type { ContextSource } from './source.ts';
import { isUnsaved } from './unsaved.ts';

/** A symbol of the workspace by its name: its code when the question is sent, even if it has moved. */
export function symbolSource({ name, location }: vscode.SymbolInformation): ContextSource {
  const { uri, range } = location;
  return {
    key: `symbol:${uri.toString()}#${name}:${range.start.line}`,
    label: name,
    icon: 'symbol-method',
    isUnsaved: () => isUnsaved(uri),
    async read() {
      const attachment = await attachFile(uri, (document) => rangeOf(document, name, range));
      return { attachments: [{ ...attachment, label: `${name} · ${attachment.label}` }] };
    },
  };
}

/** The symbols that language extensions find for a query. */
export async function findSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return found ?? [];
}

/** The range of the symbol with this name nearest to its old position; the old range where there is none. */
async function rangeOf(document: vscode.TextDocument, name: string, was: vscode.Range): Promise<vscode.Range> {
  const found = await vscode.commands.executeCommand<
    readonly (vscode.DocumentSymbol | vscode.SymbolInformation)[] | undefined
  >('vscode.executeDocumentSymbolProvider', document.uri);
  const ranges = (found ?? []).flatMap((symbol) => named(symbol, plain(name)));
  const distance = (range: vscode.Range): number => Math.abs(range.start.line - was.start.line);
  const [nearest] = ranges.sort((a, b) => distance(a) - distance(b));
  return nearest ?? document.validateRange(new vscode.Range(was.start.line, 0, was.end.line + 1, 0));
}

function named(symbol: vscode.DocumentSymbol | vscode.SymbolInformation, name: string): vscode.Range[] {
  if (!('children' in symbol)) return plain(symbol.name) === name ? [symbol.location.range] : [];
  const own = plain(symbol.name) === name ? [symbol.range] : [];
  return [...own, ...symbol.children.flatMap((child) => named(child, name))];
}

/** Some providers return `total()` in one list and `total` in the other. */
function plain(name: string): string {
  return name.replace(/\(.*$/, '');
}
