import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { isServiceError } from '../../../../util/errors.ts';
import { folderSource } from '../../../context/vscode/folderSource.ts';
import { locate, pathOf } from './place.ts';
import { withProposed } from './proposedRows.ts';
import { defineTool, type ProposedFiles, shown, text } from './tool.ts';

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
  run: ({ path = '' }, _, proposed) => list(path, proposed),
});

/** Lists the entries of a folder, or of all workspace folders, by the paths that the other tools accept. */
async function list(path: string, proposed: ProposedFiles): Promise<ToolOutput> {
  const isAll = path === '' || path === '.' || path === './';
  const folders = isAll ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [await locate(path)];
  const inside = proposed.list().filter(({ uri, from }) => folders.some((folder) => isIn(folder, uri, from?.uri)));
  // The paths of files do not contain the name of an only workspace folder.
  const heading = isAll && folders.length === 1 ? '.' : undefined;
  const read = await Promise.all(folders.map((folder) => contentOf(folder, inside.length > 0, heading)));
  return withProposed({ text: ownText``, attachments: read.flat() }, inside);
}

/** Lists a folder. A folder that will have files is empty until they are written. */
async function contentOf(
  folder: vscode.Uri,
  willHaveFiles: boolean,
  heading: string | undefined,
): Promise<ToolOutput['attachments']> {
  try {
    return (await folderSource(folder, { outside: 'refuse' }, pathOf, heading).read()).attachments;
  } catch (error) {
    const isEmpty = isServiceError(error) && (error.code === 'nothing-there' || error.code === 'gone');
    if (willHaveFiles && isEmpty) return [];
    throw error;
  }
}

function isIn(folder: vscode.Uri, ...files: readonly (vscode.Uri | undefined)[]): boolean {
  const base = `${folder.path.replace(/\/$/, '')}/`;
  return files.some((file) => file?.path.startsWith(base));
}
