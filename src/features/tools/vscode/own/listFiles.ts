import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { folderSource } from '../../../context/vscode/folderSource.ts';
import { locate, pathOf } from './place.ts';
import { defineTool, shown, text } from './tool.ts';

const t = vscode.l10n.t;

export const listFiles = defineTool({
  name: 'list_files',
  description: 'Lists the files of a folder of the workspace, at any depth.',
  fields: {
    path: text(
      z.optional(z.string().check(z.maxLength(4_096))),
      'A folder below the workspace folder; the whole workspace without it.',
    ),
  },
  title: () => t('List files'),
  does: () => t('Lists the files in a folder of the workspace.'),
  words: ({ path = '' }) =>
    path === '' ? t('list the files of the workspace') : t('list the files in {0}', shown(path)),
  run: ({ path = '' }) => list(path),
});

/** Lists the entries of a folder, or of all workspace folders, by the paths that the other tools accept. */
async function list(path: string): Promise<ToolOutput> {
  const isAll = path === '' || path === '.' || path === './';
  const folders = isAll ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [await locate(path)];
  const read = await Promise.all(folders.map((folder) => folderSource(folder, { outside: 'refuse' }, pathOf).read()));
  return { text: ownText``, attachments: read.flatMap(({ attachments }) => attachments) };
}
