import * as vscode from 'vscode';
import { type Content, joinOf } from '../../../gate/content.ts';
import { isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import { attachmentOf } from '../../../platform/sources/attach.ts';
import { type MakeOptions, makeContent } from '../../../platform/sources/maker.ts';
import { unreadable } from '../../../platform/sources/open.ts';
import { nothingIn } from './gather.ts';
import type { ContextSource } from './source.ts';

const t = vscode.l10n.t;

/** The maximum number of names in a listing. */
const maxNames = 1_000;

/**
 * A folder as a list of the names in it, at any depth. Excluded names are left out, and the attachment states how many.
 * `nameOf` names a file in the folder; by default, it is the path below the folder. `heading` names the folder.
 */
export function folderSource(
  uri: vscode.Uri,
  options: MakeOptions = { outside: 'ask' },
  nameOf = below(uri),
  heading = nameOfFolder(uri),
): ContextSource {
  const name = `${heading.replace(/\/$/, '')}/`;
  return {
    key: `folder:${uri.toString()}`,
    label: name,
    icon: 'folder',
    async read() {
      const folder = await makeContent([uri], () => '', options);
      if (!folder.ok) return { attachments: [attachmentOf(folder, { label: name, uri, languageId: 'plaintext' })] };
      const { names, leftOut, isTruncated } = await listed(uri, options, nameOf);
      if (names.length === 0 && leftOut === 0) throw nothingIn(name);
      const notes = [
        ...(leftOut === 0 ? [] : [`[left out: ${leftOut} files and folders that may not be sent]`]),
        ...(isTruncated ? [`[cut after ${maxNames} names]`] : []),
      ];
      const note = [
        leftOut === 0 ? undefined : t('{0} left out', leftOut),
        isTruncated ? t('the first {0} names', maxNames) : undefined,
      ].filter((part) => part !== undefined);
      const content = joinOf([...names, ...notes].flatMap((line, index) => (index === 0 ? [line] : ['\n', line])));
      const attachment = attachmentOf({ ...folder, content }, { label: name, uri, languageId: 'plaintext' });
      return { attachments: [attachment], ...(note.length === 0 ? {} : { note: note.join(', ') }) };
    },
  };
}

/** VS Code returns the whole path of a workspace folder itself, which may contain the user's name. */
function nameOfFolder(uri: vscode.Uri): string {
  const path = uri.path.replace(/\/$/, '');
  const root = vscode.workspace.workspaceFolders?.find((folder) => folder.uri.path.replace(/\/$/, '') === path);
  return root?.name ?? vscode.workspace.asRelativePath(uri);
}

type NameOf = (file: vscode.Uri) => string;

function below({ path }: vscode.Uri): NameOf {
  const base = path.replace(/\/$/, '').length + 1;
  return (file) => file.path.slice(base);
}

interface Listing {
  readonly names: readonly Content[];
  readonly leftOut: number;
  readonly isTruncated: boolean;
}

/** The files of a folder, level by level, so that the limit drops the deepest. */
async function listed(root: vscode.Uri, options: MakeOptions, nameOf: NameOf): Promise<Listing> {
  const names: Content[] = [];
  const inFolder: MakeOptions = { outside: options.outside === 'refuse' ? 'refuse' : 'agreed', known: new Map() };
  let leftOut = 0;
  let level: readonly vscode.Uri[] = [root];
  while (level.length > 0) {
    const deeper: vscode.Uri[] = [];
    for (const folder of level) {
      for (const [name, type] of (await readFolder(folder)).sort(byName)) {
        if (isPauseDue()) await pause();
        const entry = vscode.Uri.joinPath(folder, name);
        const isFolder = (type & vscode.FileType.Directory) !== 0;
        // A link may lead elsewhere or to a parent folder, so it is listed but not followed.
        const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
        // A folder is checked like a file in it, because ignore files exclude the contents of a folder with it.
        const asked = isFolder ? vscode.Uri.joinPath(entry, 'file') : entry;
        const made = await makeContent([asked], () => (isFolder && !isLink ? '' : nameOf(entry)), inFolder);
        if (!made.ok) leftOut += 1;
        else if (isFolder && !isLink) deeper.push(entry);
        else if (names.length === maxNames) return { names, leftOut, isTruncated: true };
        else names.push(made.content);
      }
    }
    level = deeper;
  }
  return { names, leftOut, isTruncated: false };
}

async function readFolder(folder: vscode.Uri): Promise<[string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch {
    throw await unreadable(folder);
  }
}

function byName([a]: [string, vscode.FileType], [b]: [string, vscode.FileType]): number {
  return a < b ? -1 : 1;
}
