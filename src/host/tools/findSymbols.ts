import * as vscode from 'vscode';
import type { ToolOutput } from '../../session/toolStep.ts';
import { coveredBy, type WhyExcluded } from '../context/gather.ts';
import { findSymbols as symbolsNamed } from '../context/symbolSource.ts';
import type { ReadFiles } from '../exclusions.ts';
import type { ToolInput } from './definitions.ts';
import { isInside } from './place.ts';
import { type Row, rowsOf } from './rows.ts';

const maxSymbols = 100;

/** What the language extensions know by a name, in files of the workspace that may leave. */
export async function findSymbols({ query }: ToolInput<'find_symbols'>, whyExcluded: WhyExcluded): Promise<ToolOutput> {
  const known: ReadFiles = new Map();
  const rows: Row[] = [];
  for (const { name, kind, containerName, location } of await symbolsNamed(query)) {
    // One more than is shown, so that it is known that there are more.
    if (rows.length > maxSymbols) break;
    const { uri, range } = location;
    if (!(await isInside(uri)) || (await whyExcluded(uri.toString(), known)) !== null) continue;
    const where = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
    const inside = containerName === '' || containerName === undefined ? '' : ` in ${containerName}`;
    const word = (vscode.SymbolKind[kind] ?? 'symbol').toLowerCase();
    rows.push({ covered: coveredBy(uri), text: `${where}: ${word} ${name}${inside}` });
  }
  return rowsOf(`symbols "${query}"`, rows, maxSymbols, []);
}
