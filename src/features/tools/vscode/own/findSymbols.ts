import * as vscode from 'vscode';
import { type MakeOptions, makeContent } from '../../../../platform/sources/maker.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { findSymbols as symbolsNamed } from '../../../context/vscode/symbolSource.ts';
import type { ToolInput } from '../definitions.ts';
import { pathOf } from './place.ts';
import { type Row, rowsOf } from './rows.ts';

const maxSymbols = 100;

/** Symbols that the language extensions find by a name, in workspace files that may leave. */
export async function findSymbols({ query }: ToolInput<'find_symbols'>): Promise<ToolOutput> {
  const options: MakeOptions = { outside: 'refuse', known: new Map() };
  const rows: Row[] = [];
  for (const { name, kind, containerName, location } of await symbolsNamed(query)) {
    // One more than is shown, to detect that there are more.
    if (rows.length > maxSymbols) break;
    const { uri, range } = location;
    const where = `${pathOf(uri)}:${range.start.line + 1}`;
    const inside = containerName === '' || containerName === undefined ? '' : ` in ${containerName}`;
    const word = (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase();
    const made = await makeContent([uri], () => `${where}: ${word} ${name}${inside}`, options);
    if (made.ok) rows.push({ uri, content: made.content });
  }
  return rowsOf(`symbols "${query}"`, rows, maxSymbols, []);
}
