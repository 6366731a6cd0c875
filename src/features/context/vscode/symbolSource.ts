import * as vscode from 'vscode';
import { attachFile } from '../../../platform/sources/attach.ts';
import { symbolNamed } from '../../../platform/sources/symbols.ts';
import type { ContextSource } from './source.ts';
import { isUnsaved } from './unsaved.ts';

/**
 * The source of a symbol of the workspace, by its name. It reads the code when the question is sent, even if the symbol
 * has moved.
 */
export function symbolSource({ name, location }: vscode.SymbolInformation): ContextSource {
  const { uri, range } = location;
  return {
    key: `symbol:${uri.toString()}#${name}:${range.start.line}`,
    label: name,
    icon: 'symbol-method',
    isUnsaved: () => isUnsaved(uri),
    async read() {
      const attachment = await attachFile(uri, (document) => symbolNamed(document, name, range));
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
