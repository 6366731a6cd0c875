import * as vscode from 'vscode';
import { aboutPath, defineTool, path, shown, text } from './tool.ts';

const t = vscode.l10n.t;

export const deleteFile = defineTool({
  name: 'delete_file',
  description: 'Proposes to delete a file. Nothing is deleted until the user accepts.',
  fields: { path: text(path, aboutPath) },
  title: () => t('Propose deletions'),
  does: () => t('Proposes to delete a file. You decide whether it is deleted.'),
  words: ({ path }) => t('propose to delete {0}', shown(path)),
  proposes: true,
  run: ({ path }, _, proposed) => proposed.delete(path),
});
