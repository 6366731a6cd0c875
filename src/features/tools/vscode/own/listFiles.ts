import * as vscode from 'vscode';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { folderSource } from '../../../context/vscode/folderSource.ts';
import type { ToolInput } from '../definitions.ts';
import { locate, pathOf } from './place.ts';

/** The entries of a folder, or of all workspace folders, by the paths that the other tools take. */
export async function listFiles({ path = '' }: ToolInput<'list_files'>): Promise<ToolOutput> {
  const isAll = path === '' || path === '.' || path === './';
  const folders = isAll ? (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri) : [await locate(path)];
  const read = await Promise.all(folders.map((folder) => folderSource(folder, { outside: 'refuse' }, pathOf).read()));
  return { text: ownText``, attachments: read.flatMap(({ attachments }) => attachments) };
}
