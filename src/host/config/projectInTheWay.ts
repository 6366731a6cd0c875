import { problemsOf, type RequestContext } from '../../gate/admit.ts';
import type { Project } from '../../session/dispatch/outgoing.ts';
import { instructionsInTheWay } from './instructionsInTheWay.ts';
import { foldersAt } from './settingsReader.ts';

/** The context of a request, with the project's instructions that are in its way. `contextOf` makes it for other folders. */
export function withInstructionsInTheWay(
  context: RequestContext,
  { files, foldersWithout }: Project,
  contextOf: (folders: readonly string[]) => RequestContext,
): RequestContext {
  const { settingsFiles } = context;
  const areFilesWhole = settingsFiles === 'unread' || settingsFiles.length === 0;
  if (areFilesWhole && problemsOf(context).length === 0) return context;
  const present = foldersAt(foldersWithout);
  const added = files.map(({ label, uri, folder }) => ({
    file: { label, uri },
    folders: foldersAt([folder ?? uri]).flatMap((one) => (present.includes(one) ? [] : [one.name])),
  }));
  const found = instructionsInTheWay(added, context, contextOf(foldersWithout)).map(({ file }) => file);
  return found.length === 0 ? context : { ...context, instructionsInTheWay: found };
}
