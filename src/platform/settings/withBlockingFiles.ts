import { problemsOf, type RequestContext } from '../../gate/admit.ts';
import { placesOf } from '../../send/message/attachment.ts';
import type { Project } from '../../send/outgoing.ts';
import type { BlockingFile } from '../../util/errors.ts';
import { findBlockingFiles } from './blockingFiles.ts';
import { foldersAt } from './settingsReader.ts';

/** The project's instructions and the attachments in a request, if there are any. */
interface AddedFiles {
  readonly project: Project | undefined;
  readonly attached: Project | undefined;
}

type ContextOf = (folders: readonly string[]) => RequestContext;

/**
 * Returns the context of a request with the project's instructions that block it; if it is blocked without them too, with
 * the attachments of its question that block it. `contextOf` creates the context for other folders.
 */
export function withBlockingFiles(
  context: RequestContext,
  { project, attached }: AddedFiles,
  contextOf: ContextOf,
): RequestContext {
  if (!isBlocked(context)) return context;
  const instructions = project === undefined ? [] : blockingFilesIn(context, project, contextOf);
  if (instructions.length > 0) return { ...context, blockingFiles: { instructions } };
  const withoutInstructions = project === undefined ? context : contextOf(project.foldersWithout);
  const files = attached === undefined ? [] : blockingFilesIn(withoutInstructions, attached, contextOf);
  return files.length === 0 ? context : { ...context, blockingFiles: { attached: files } };
}

function isBlocked(context: RequestContext): boolean {
  const { settingsFiles } = context;
  const areFilesValid = settingsFiles === 'unread' || settingsFiles.length === 0;
  return !areFilesValid || problemsOf(context).length > 0;
}

function blockingFilesIn(
  context: RequestContext,
  { files, foldersWithout }: Project,
  contextOf: ContextOf,
): readonly BlockingFile[] {
  const present = foldersAt(foldersWithout);
  const added = files.map((file) => ({
    file: { label: file.label, uri: file.uri },
    folders: foldersAt(placesOf([file])).flatMap((one) => (present.includes(one) ? [] : [one.name])),
  }));
  return findBlockingFiles(added, context, contextOf(foldersWithout)).map(({ file }) => file);
}
