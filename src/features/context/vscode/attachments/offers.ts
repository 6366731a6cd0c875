import * as vscode from 'vscode';
import { isPauseDue, pause } from '../../../../gate/secrets/pace.ts';
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
 * The offers for `@`: all matches, or the matches of the kind before a colon. Unavailable ones come last, with the
 * reason.
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

/** The folders of each list of files. The list is the same for many key presses. */
const knownFolders = new WeakMap<Listed, Promise<ReadonlyMap<string, vscode.Uri>>>();

/** The workspace folders, and all folders that contain a listed file, in the order of their names. */
async function foldersIn({ files }: Listed): Promise<ReadonlyMap<string, vscode.Uri>> {
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
  const names = [...folders.keys()].sort();
  return new Map(names.map((name) => [name, folders.get(name) as vscode.Uri]));
}

async function offerFolders(query: string, files: WorkspaceFiles, whyExcluded: WhyExcluded): Promise<readonly Offer[]> {
  const listed = await filesFor(query, files);
  const finding = knownFolders.get(listed) ?? foldersIn(listed);
  knownFolders.set(listed, finding);
  const fitting = await best(query, [...(await finding)], ([name]) => name.slice(0, -1), maxOffered);
  const offers = await eachOf(fitting, maxOffered, async ([name, uri]): Promise<Offer> => {
    const reason = await whyExcluded(vscode.Uri.joinPath(uri, 'file').toString());
    return reason === null
      ? { label: name, detail: '', icon: 'folder', source: () => folderSource(uri) }
      : excluded(name, reason);
  });
  return listed.isTruncated ? [...offers, moreFiles()] : offers;
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
  const nameOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri);
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
