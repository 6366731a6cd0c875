import type { MakeOptions } from '../../../../platform/sources/maker.ts';
import { ownText } from '../../../../session/tools/ownText.ts';
import type { ToolOutput } from '../../../../session/tools/toolStep.ts';
import { isServiceError } from '../../../../util/errors.ts';
import { filesWithProblems, problemsSource } from '../../../context/vscode/problems.ts';
import type { ToolInput } from '../definitions.ts';
import { locate } from './place.ts';

/** The maximum number of files whose problems are listed. */
const maxFiles = 50;

/** The problems that VS Code shows, in workspace files that may leave. */
export async function getProblems({ path }: ToolInput<'get_problems'>): Promise<ToolOutput> {
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
