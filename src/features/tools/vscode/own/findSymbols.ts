import * as vscode from 'vscode';
import { type MakeOptions, makeContent } from '../../../../platform/sources/maker.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { findSymbols as symbolsNamed } from '../../../context/vscode/symbolSource.ts';
import { pathOf } from './place.ts';
import { type Row, rowsOf } from './rows.ts';
import { defineTool, shown, text, words } from './tool.ts';

const t = vscode.l10n.t;

export const findSymbols = defineTool({
  name: 'find_symbols',
  description: 'Finds classes, functions and other symbols of the workspace by their name, with the place of each.',
  fields: { query: text(words, 'The name, or part of it.') },
  title: () => t('Find symbols'),
  does: () => t('Finds functions, classes and other symbols by name.'),
  words: ({ query }) => t('find symbols named “{0}”', shown(query)),
  run: ({ query }) => find(query),
});

const maxSymbols = 100;

/** Finds symbols by a name with the language extensions, in workspace files that may be sent. */
async function find(query: string): Promise<ToolOutput> {
  const options: MakeOptions = { outside: 'refuse', known: new Map() };
  const rows: Row[] = [];
  for (const { name, kind, containerName, location } of await symbolsNamed(query)) {
    // One more than the maximum is read, to detect that there are more.
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
