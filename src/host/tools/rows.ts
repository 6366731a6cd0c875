import * as vscode from 'vscode';
import type { Covered } from '../../gate/content.ts';
import type { ToolOutput } from '../../session/toolStep.ts';

/** A line of a result, and the file it tells of. */
export interface Row {
  readonly covered: Covered;
  readonly text: string;
}

/** Rows as one attachment, which may leave as long as all the files it tells of may. */
export function rowsOf(label: string, rows: readonly Row[], limit: number, notes: readonly string[]): ToolOutput {
  const shown = rows.slice(0, limit);
  const more = rows.length - shown.length;
  const text = [...notes, ...(more === 0 ? [] : [`[cut: ${more} more]`])].join('\n');
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.toString() ?? null;
  const [first] = shown;
  if (first === undefined) return { text: ['Nothing was found.', text].join('\n').trim(), attachments: [] };
  const covers = [...new Map(shown.map(({ covered }) => [covered.uri, covered])).values()];
  const attachment = {
    label,
    uri: first.covered.uri,
    firstLine: 1,
    languageId: 'plaintext',
    text: shown.map((row) => row.text).join('\n'),
    folder: first.covered.folder ?? folder,
    covers,
  };
  return { text, attachments: [attachment] };
}
