import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ownText } from '../../../../session/tools/ownText.ts';
import { diffSource } from '../../../context/vscode/gitDiff.ts';
import { defineTool, flag } from './tool.ts';

const t = vscode.l10n.t;

export const gitDiff = defineTool({
  name: 'git_diff',
  description: 'Shows what differs from the last commit in git.',
  fields: { staged: flag(z.optional(z.boolean()), 'Only what the next commit would hold.') },
  title: () => t('Read Git changes'),
  does: () => t('Reads the changes since the last commit.'),
  words: ({ staged }) =>
    staged === true ? t('read the staged Git changes') : t('read the Git changes since the last commit'),
  run: async ({ staged }) => {
    const { attachments } = await diffSource(staged === true ? 'staged' : 'all').read();
    return { text: ownText``, attachments };
  },
});
