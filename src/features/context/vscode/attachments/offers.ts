import * as vscode from 'vscode';
import { isPauseDue, pause } from '../../../../gate/secrets/pace.ts';
import { relativePath } from '../../../../platform/files/relativePath.ts';
import { filesFor, type Listed, moreFiles, offerFiles, type WorkspaceFiles } from '../files.ts';
import { folderSource } from '../folderSource.ts';
import { eachOf, type WhyExcluded } from '../gather.ts';
import { filesWithProblems, problemsSource } from '../problems.ts';
import type { Offer } from '../source.ts';
import { findSymbols, symbolSource } from '../symbolSource.ts';
import { offerKinds } from './kinds.ts';
import { best } from './match.ts';

const t = vscode.l10n.t;
const maxOffered = 30;

/**
 * Returns the offers for `@`: all matches or, if the query begins with a kind such as `file:`, only matches of that kind.
 * Unavailable ones come last, with the reason.
 */
export async function offerContext(
  query: string,
  files: WorkspaceFiles,
  whyExcluded: WhyExcluded,
): Promise<readonly Offer[]> {
  const offers = await offersFor(query, files, whyExcluded);
  return [...offers.filter(({ isBlocked }) => !isBlocked), ...offers.filter(({ isBlocked }) => isBlocked)];
}

async function offersFor(query: string, files: WorkspaceFiles, whyExcluded: WhyExcluded): Promise<readonly Offer[]> {
  const [, word, rest = ''] = /^(folder|symbol|problems|file):(.*)$/.exec(query) ?? [];
  switch (word) {
    case 'folder':
      return offerFolders(rest, files, whyExcluded);
    case 'symbol':
      return offerSymbols(rest, whyExcluded);
    case 'problems':
      return offerProblems(rest, whyExcluded);
    case 'file':
      return offerFiles(rest, files, whyExcluded);
    default:
      return (await Promise.all([offerKinds(query), offerFiles(query, files, whyExcluded)])).flat();
  }
}

type Folders = readonly (readonly [name: string, uri: vscode.Uri])[];

/** A cache of the folders of each list of files: one list serves many key presses. */
const knownFolders = new WeakMap<Listed, Promise<Folders>>();

/** The folders to choose from, in the order of their names: those of the list, and those of the files that a search has found. */
async function foldersIn(list: Listed, found: Listed['files']): Promise<Folders> {
  const finding = knownFolders.get(list) ?? foldersOf(list.files).then(inOrder);
  knownFolders.set(list, finding);
  const [known, more] = [await finding, await foldersOf(found)];
  const names = new Set(known.map(([name]) => name));
  const isComplete = [...more.keys()].every((name) => names.has(name));
  return isComplete ? known : inOrder(new Map([...known, ...more]));
}

/** The workspace folders, and all folders that contain one of these files, by name. */
async function foldersOf(files: Listed['files']): Promise<ReadonlyMap<string, vscode.Uri>> {
  const folders = new Map<string, vscode.Uri>();
  for (const { uri, name } of vscode.workspace.workspaceFolders ?? []) folders.set(`${name}/`, uri);
  const seen = new Set<string>();
  for (const file of files) {
    if (isPauseDue()) await pause();
    const inFolder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
    if (seen.has(inFolder)) continue;
    seen.add(inFolder);
    const root = vscode.workspace.getWorkspaceFolder(file.uri)?.uri;
    const above = (uri: vscode.Uri): vscode.Uri => vscode.Uri.joinPath(uri, '..');
    for (let folder = above(file.uri); root !== undefined; folder = above(folder)) {
      const name = `${vscode.workspace.asRelativePath(folder)}/`;
      if (folder.path.length <= root.path.length || folders.has(name)) break;
      folders.set(name, folder);
    }
  }
  return folders;
}

function inOrder(folders: ReadonlyMap<string, vscode.Uri>): Folders {
  return [...folders].sort(([a], [b]) => (a < b ? -1 : 1));
}

async function offerFolders(query: string, files: WorkspaceFiles, whyExcluded: WhyExcluded): Promise<readonly Offer[]> {
  const { list, found, isTruncated } = await filesFor(query, files);
  const fitting = await best(query, await foldersIn(list, found), ([name]) => name.slice(0, -1), maxOffered);
  const offers = await eachOf(fitting, maxOffered, async ([name, uri]): Promise<Offer> => {
    const reason = await whyExcluded(vscode.Uri.joinPath(uri, 'file').toString());
    return reason === null
      ? { label: name, detail: '', icon: 'folder', source: () => folderSource(uri) }
      : excluded(name, reason);
  });
  return isTruncated ? [...offers, moreFiles()] : offers;
}

async function offerSymbols(query: string, whyExcluded: WhyExcluded): Promise<readonly Offer[]> {
  const found = await findSymbols(query);
  const fitting = await best(query, found, ({ name }) => name, maxOffered);
  return eachOf(fitting, maxOffered, async (symbol) => {
    const { uri, range } = symbol.location;
    const reason = await whyExcluded(uri.toString());
    if (reason !== null) return excluded(symbol.name, reason);
    const detail = `${vscode.workspace.asRelativePath(uri)}:${range.start.line + 1}`;
    return { label: symbol.name, detail, icon: 'symbol-method', source: () => symbolSource(symbol) };
  });
}

async function offerProblems(query: string, whyExcluded: WhyExcluded): Promise<readonly Offer[]> {
  const nameOf = (uri: vscode.Uri): string => relativePath(uri);
  const fitting = await best(query, filesWithProblems(), ({ uri }) => nameOf(uri), maxOffered);
  return eachOf(fitting, maxOffered, async ({ uri, count }) => {
    const reason = await whyExcluded(uri.toString());
    return reason === null
      ? { label: nameOf(uri), detail: t('problems: {0}', count), icon: 'warning', source: () => problemsSource(uri) }
      : excluded(nameOf(uri), reason);
  });
}

function excluded(label: string, reason: string): Offer {
  return { label, detail: t('excluded by {0}', reason), icon: 'circle-slash', isBlocked: true };
}
