import * as vscode from 'vscode';
import { aboutPath, defineTool, path, shown, text } from './tool.ts';

const t = vscode.l10n.t;

export const renameFile = defineTool({
  name: 'rename_file',
  description:
    'Proposes to rename or move a file. Change what imports it, and its own relative imports, with edit_file. Nothing is written until the user accepts.',
  fields: { from: text(path, aboutPath), to: text(path, 'The new path.') },
  title: () => t('Propose new names'),
  does: () => t('Proposes to rename or move a file. You decide whether it is moved.'),
  words: ({ from, to }) => t('propose to rename {0} to {1}', shown(from), shown(to)),
  proposes: true,
  run: ({ from, to }, _, proposed) => proposed.rename(from, to),
});
