import { problemsOf, type RequestContext } from '../../gate/admit.ts';
import type { LayerRef } from '../../policy/requestPolicy.ts';

/** A reason in the settings that blocks a request. */
interface Block {
  readonly id: string;
  /** Whether the settings of the workspace folder with this name contribute to it. */
  readonly concerns: (folder: string) => boolean;
}

/**
 * Returns the files (instructions, or attachments) without which the settings would not block a request. `all` is the
 * context of the request, and `without` is the context of the same request without the files; `folders` are the names of the
 * workspace folders whose settings apply only because of the file. The order of the files does not matter: if two files
 * conflict, both are returned.
 */
export function findBlockingFiles<T extends { readonly folders: readonly string[] }>(
  files: readonly T[],
  all: RequestContext,
  without: RequestContext,
): readonly T[] {
  const own = new Set(files.flatMap(({ folders }) => folders));
  const before = new Set(blocksIn(without, own).map(({ id }) => id));
  const added = blocksIn(all, own).filter(({ id }) => !before.has(id));
  return files.filter(({ folders }) => folders.some((name) => added.some(({ concerns }) => concerns(name))));
}

/** Returns the reasons that block a request. `own` are the folders whose settings apply only because of these files. */
function blocksIn(context: RequestContext, own: ReadonlySet<string>): readonly Block[] {
  const files = context.settingsFiles === 'unread' ? [] : context.settingsFiles;
  return [
    // If there are several folders, VS Code begins the path of a file with the name of its folder.
    ...files.map(({ file }) => ({ id: `file ${file}`, concerns: (folder: string) => file.startsWith(`${folder}/`) })),
    ...problemsOf(context).map(({ reason, key, found }) => {
      const isOwn = ({ layer, name = '' }: LayerRef): boolean => layer === 'folder' && own.has(name);
      const otherValues = found.filter((item) => !isOwn(item)).map(({ value }) => value);
      // A folder that agrees with the rest of the request does not block it.
      const conflicting = found.filter((item) => isOwn(item) && !otherValues.includes(item.value));
      return { id: `${reason} ${key}`, concerns: (folder: string) => conflicting.some(({ name }) => name === folder) };
    }),
  ];
}
