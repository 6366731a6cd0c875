import * as vscode from 'vscode';
import { attachFile } from '../sources/attach.ts';
import type { ContextSource } from './source.ts';

/** A symbol of the workspace by its name: its code as it is when the question is sent, wherever it has moved to. */
export function symbolSource({ name, location }: vscode.SymbolInformation): ContextSource {
  const { uri, range } = location;
  return {
    key: `symbol:${uri.toString()}#${name}:${range.start.line}`,
    label: name,
    icon: 'symbol-method',
    async read() {
      const attachment = await attachFile(uri, (document) => rangeOf(document, name, range));
      return { attachments: [{ ...attachment, label: `${name} · ${attachment.label}` }] };
    },
  };
}

/** The symbols that the language extensions know by such a name. */
export async function findSymbols(query: string): Promise<readonly vscode.SymbolInformation[]> {
  const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    query,
  );
  return found ?? [];
}

/** All of the symbol with this name that is nearest to where it was; where none is known any more, the lines it had. */
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

/** Some say `total()` in one list and `total` in the other. */
function plain(name: string): string {
  return name.replace(/\(.*$/, '');
}
