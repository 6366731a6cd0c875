import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { MakeOptions } from '../../../../platform/sources/maker.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { isServiceError } from '../../../../util/errors.ts';
import { filesWithProblems, problemsSource } from '../../../context/vscode/problems.ts';
import { locate } from './place.ts';
import { aboutPath, defineTool, path, shown, text } from './tool.ts';

const t = vscode.l10n.t;

export const getProblems = defineTool({
  name: 'get_problems',
  description: 'Lists the errors and warnings that the editor shows for a file, or for all files.',
  fields: { path: text(z.optional(path), aboutPath) },
  title: () => t('Get problems'),
  does: () => t('Reads the errors and warnings of a file, or of all files.'),
  words: ({ path }) => (path === undefined ? t('read all problems') : t('read the problems in {0}', shown(path))),
  run: ({ path }) => problems(path),
});

/** The maximum number of files whose problems are listed. */
const maxFiles = 50;

/** Lists the problems that VS Code shows in workspace files that may be sent. */
async function problems(path: string | undefined): Promise<ToolOutput> {
  const options: MakeOptions = { outside: 'refuse', known: new Map() };
  const uris = path === undefined ? filesWithProblems().map(({ uri }) => uri) : [await locate(path)];
  const attachments: ToolOutput['attachments'][number][] = [];
  for (const uri of uris) {
    if (attachments.length === maxFiles) break;
    const read = await problemsSource(uri, options)
      .read()
      .catch((error: unknown) => {
        if (isServiceError(error) && error.code === 'nothing-there') return { attachments: [] };
        throw error;
      });
    for (const attachment of read.attachments) if (attachment.refused === undefined) attachments.push(attachment);
  }
  return { text: attachments.length === 0 ? ownText`There are no problems.` : ownText``, attachments };
}
