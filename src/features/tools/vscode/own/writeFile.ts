import * as vscode from 'vscode';
import { aboutPath, code, defineTool, path, shown, text } from './tool.ts';

const t = vscode.l10n.t;

export const writeFile = defineTool({
  name: 'write_file',
  description:
    'Proposes a new file, or the whole new text of a short file that you have read completely. For anything else, use edit_file. Nothing is written until the user accepts.',
  fields: {
    path: text(path, aboutPath),
    content: text(code, 'The whole text of the file.'),
  },
  title: () => t('Propose files'),
  does: () => t('Proposes a new file, or the whole text of a short one. You decide whether it is written.'),
  words: ({ path }) => t('propose the text of {0}', shown(path)),
  proposes: true,
  run: ({ path, content }, _, proposed) => proposed.write(path, content),
});
