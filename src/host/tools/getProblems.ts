import type { ToolOutput } from '../../session/toolStep.ts';
import { isServiceError } from '../../util/errors.ts';
import type { WhyExcluded } from '../context/gather.ts';
import { filesWithProblems, problemsSource } from '../context/problems.ts';
import type { ReadFiles } from '../exclusions.ts';
import type { ToolInput } from './definitions.ts';
import { isInside, locate } from './place.ts';

/** The problems of more files than this are not listed. */
const maxFiles = 50;

/** What VS Code shows as problems, in files of the workspace that may leave. */
export async function getProblems({ path }: ToolInput<'get_problems'>, whyExcluded: WhyExcluded): Promise<ToolOutput> {
  const known: ReadFiles = new Map();
  const uris = path === undefined ? filesWithProblems().map(({ uri }) => uri) : [await locate(path, whyExcluded)];
  const attachments: ToolOutput['attachments'][number][] = [];
  for (const uri of uris) {
    if (attachments.length === maxFiles) break;
    if (!(await isInside(uri)) || (await whyExcluded(uri.toString(), known)) !== null) continue;
    const read = await problemsSource(uri)
      .read()
      .catch((error: unknown) => {
        if (isServiceError(error) && error.code === 'nothing-there') return { attachments: [] };
        throw error;
      });
    attachments.push(...read.attachments);
  }
  return { text: attachments.length === 0 ? 'There are no problems.' : '', attachments };
}
