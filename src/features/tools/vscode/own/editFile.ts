import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { aboutPath, code, defineTool, flag, path, shown, text } from './tool.ts';

const t = vscode.l10n.t;

export const editFile = defineTool({
  name: 'edit_file',
  description:
    'Proposes to replace text in a file. oldString is copied exactly from the file, as whole lines, with enough of them to occur there once, and without the line numbers of read_file. A later edit of the file applies to the proposed text, which read_file shows. Nothing is written until the user accepts.',
  fields: {
    path: text(path, aboutPath),
    oldString: text(code, 'The text to replace, as the file has it.'),
    newString: text(code, 'The text in its place.'),
    replaceAll: flag(
      z.optional(z.boolean()),
      'Whether to replace every occurrence of oldString (case-sensitive), even within a line or a word.',
    ),
  },
  title: () => t('Propose edits'),
  does: () => t('Proposes to change the text of a file. You decide whether it is written.'),
  words: ({ path }) => t('propose an edit of {0}', shown(path)),
  proposes: true,
  run: (edit, _, proposed) => proposed.edit(edit),
});
