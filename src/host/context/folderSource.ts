import * as vscode from 'vscode';
import type { Covered } from '../../gate/content.ts';
import type { ReadFiles } from '../exclusions.ts';
import { folderOf } from '../settingsReader.ts';
import { unreadable } from './fileSource.ts';
import { coveredBy, nothingIn, type WhyExcluded } from './gather.ts';
import type { ContextSource } from './source.ts';

const t = vscode.l10n.t;

/** A listing has no more names than this. */
const maxNames = 1_000;

/** A folder as the names of what is in it, at any depth; names of what may not leave are left out, and are said to be. */
export function folderSource(uri: vscode.Uri, whyExcluded: WhyExcluded): ContextSource {
  const name = `${vscode.workspace.asRelativePath(uri).replace(/\/$/, '')}/`;
  return {
    key: `folder:${uri.toString()}`,
    label: name,
    icon: 'folder',
    async read() {
      const { files, leftOut, isCut } = await listed(uri, whyExcluded);
      if (files.length === 0 && leftOut === 0) throw nothingIn(name);
      const base = uri.path.replace(/\/$/, '').length + 1;
      const lines = [
        ...files.map((file) => file.path.slice(base)),
        ...(leftOut === 0 ? [] : [`[left out: ${leftOut} files and folders that may not leave]`]),
        ...(isCut ? [`[cut after ${maxNames} names]`] : []),
      ];
      const covers: readonly Covered[] = files.map(coveredBy);
      const note = [
        leftOut === 0 ? undefined : t('{0} left out', leftOut),
        isCut ? t('the first {0} names', maxNames) : undefined,
      ].filter((part) => part !== undefined);
      const attachment = {
        label: name,
        uri: uri.toString(),
        firstLine: 1,
        languageId: 'plaintext',
        text: lines.join('\n'),
        folder: folderOf(uri),
        covers,
      };
      return { attachments: [attachment], ...(note.length === 0 ? {} : { note: note.join(', ') }) };
    },
  };
}

interface Listing {
  readonly files: readonly vscode.Uri[];
  readonly leftOut: number;
  readonly isCut: boolean;
}

/** The files of a folder, level by level, so that a cut takes the deepest. */
async function listed(root: vscode.Uri, whyExcluded: WhyExcluded): Promise<Listing> {
  const files: vscode.Uri[] = [];
  const known: ReadFiles = new Map();
  let leftOut = 0;
  let level: readonly vscode.Uri[] = [root];
  while (level.length > 0) {
    const deeper: vscode.Uri[] = [];
    for (const folder of level) {
      for (const [name, type] of (await readFolder(folder)).sort(byName)) {
        const entry = vscode.Uri.joinPath(folder, name);
        const isFolder = (type & vscode.FileType.Directory) !== 0;
        // What is linked to lies somewhere else, or higher up: it is named, and not gone into.
        const isLink = (type & vscode.FileType.SymbolicLink) !== 0;
        // A folder is asked about as if for a file in it: ignore files exclude what is in a folder with it.
        const asked = isFolder ? vscode.Uri.joinPath(entry, 'file') : entry;
        if ((await whyExcluded(asked.toString(), known)) !== null) leftOut += 1;
        else if (isFolder && !isLink) deeper.push(entry);
        else if (files.length === maxNames) return { files, leftOut, isCut: true };
        else files.push(entry);
      }
    }
    level = deeper;
  }
  return { files, leftOut, isCut: false };
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
