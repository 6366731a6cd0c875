import * as vscode from 'vscode';
import { isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import type { ReadFiles } from '../../../platform/sources/ignored/exclusions.ts';
import { isImageName } from '../../../platform/sources/images.ts';
import { showsUserCode } from '../../../platform/sources/ownDocuments.ts';
import { best } from './attachments/match.ts';
import { nameGlob, withoutFolders } from './attachments/nameGlob.ts';
import { fileSource } from './fileSource.ts';
import type { WhyExcluded } from './gather.ts';
import { localFiles } from './localFiles.ts';
import type { Offer } from './source.ts';

const t = vscode.l10n.t;

/** The maximum number of workspace files that are listed. */
const maxFound = 10_000;
/** The maximum number of files that a search for the typed text returns. */
const maxSearched = 1_000;
const maxOffered = 30;
/** The age in milliseconds after which the list of files is refreshed. */
const staleMs = 10_000;

/** A file with its display name, which includes the workspace folder if there are several. */
interface NamedFile {
  readonly uri: vscode.Uri;
  readonly name: string;
}

/** The workspace files that can be offered. The list may be incomplete. */
export interface Listed {
  readonly files: readonly NamedFile[];
  /** Whether the list is incomplete. Then filesFor() also searches all file names for the query. */
  readonly isTruncated: boolean;
  /** Folders, relative to a workspace folder, that were skipped because nothing in them may be sent. */
  readonly ignored: readonly string[];
}

/** The files to choose from for a query. */
interface Choice extends Listed {
  /** The list, which is the same for many key presses, and what a search has found besides. */
  readonly list: Listed;
  readonly found: Listed['files'];
}

/**
 * The files of the workspace by name. The popup asks at each key press and gets the current list, and an old list is
 * refreshed in the background.
 */
export class WorkspaceFiles {
  readonly #max: number;
  readonly #staleMs: number;
  #listed: Promise<Listed> | null = null;
  #at = 0;
  #isListing = false;

  constructor(max = maxFound, ageMs = staleMs) {
    this.#max = max;
    this.#staleMs = ageMs;
  }

  list(): Promise<Listed> {
    const isStale = Date.now() - this.#at > this.#staleMs;
    if (this.#isListing || (this.#listed !== null && !isStale)) return this.#listed ?? this.#begin();
    const next = this.#begin();
    this.#listed ??= next;
    return this.#listed;
  }

  #begin(): Promise<Listed> {
    this.#isListing = true;
    return namedFiles(this.#max)
      .then((files) => {
        this.#listed = Promise.resolve(files);
        this.#at = Date.now();
        return files;
      })
      .finally(() => {
        this.#isListing = false;
      });
  }
}

/** Lists the files by name. Files excluded by git or the settings are checked one by one when they are offered. */
async function namedFiles(max: number): Promise<Listed> {
  const roots = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  const local = await Promise.all(roots.map((root) => localFiles(root, max)));
  if (!local.every((one) => one !== null)) return foundByVsCode('**/*', [], max);
  const files = roots.flatMap((root, index) => namedBelow(root, local[index]?.files ?? []));
  return {
    files: files.sort(byName),
    isTruncated: local.some(({ isTruncated }) => isTruncated),
    // VS Code's search applies an exclusion to every workspace folder, so only paths ignored in all of them can be
    // excluded.
    ignored: (local[0]?.ignored ?? []).filter((path) => local.every(({ ignored }) => ignored.includes(path))),
  };
}

function byName(a: NamedFile, b: NamedFile): number {
  return a.name < b.name ? -1 : 1;
}

/** Searches with VS Code's own search. It finds nothing if the file system of the workspace does not support search. */
async function foundByVsCode(glob: string, ignored: readonly string[], max: number): Promise<Listed> {
  const found = await vscode.workspace.findFiles(glob, withoutFolders(ignored), max);
  const folders = new Map<string, string>();
  const files: NamedFile[] = [];
  for (const uri of found) {
    if (isPauseDue()) await pause();
    files.push(namedIn(folders, uri));
  }
  return { files: files.sort(byName), isTruncated: found.length >= max, ignored };
}

/**
 * Returns the files to choose from for a query. If the list is incomplete, they include the files that a search of all
 * names finds.
 */
export async function filesFor(query: string, files: WorkspaceFiles): Promise<Choice> {
  const list = await files.list();
  if (!list.isTruncated || query === '') return { ...list, list, found: [] };
  const searched = await foundByVsCode(nameGlob(query), list.ignored, maxSearched).catch(() => null);
  if (searched === null) return { ...list, list, found: [] };
  const known = new Set(list.files.map(({ name }) => name));
  const found = searched.files.filter(({ name }) => !known.has(name));
  return { ...list, files: [...list.files, ...found], isTruncated: searched.isTruncated, list, found };
}

/** The last item of an incomplete list. It cannot be chosen. */
export function moreFiles(): Offer {
  return {
    label: t('There are more files'),
    detail: t('Type more of a name to find them'),
    icon: 'info',
    isBlocked: true,
  };
}

/** Names files by their `paths` relative to a workspace folder. VS Code adds its name if there are several. */
function namedBelow(root: vscode.Uri, paths: readonly string[]): readonly NamedFile[] {
  const before = vscode.workspace.asRelativePath(vscode.Uri.joinPath(root, 'file')).slice(0, -'file'.length);
  return paths.map((path) => new FileBelow(before + path, root, path));
}

/** A file that creates its URI on demand, because only the few files that are offered need one. */
class FileBelow implements NamedFile {
  readonly name: string;
  readonly #root: vscode.Uri;
  readonly #path: string;

  constructor(name: string, root: vscode.Uri, path: string) {
    this.name = name;
    this.#root = root;
    this.#path = path;
  }

  get uri(): vscode.Uri {
    return vscode.Uri.joinPath(this.#root, this.#path);
  }
}

/** Like named(), but with one call of VS Code per folder. `folders` maps the folder of a URI to its name. */
function namedIn(folders: Map<string, string>, uri: vscode.Uri): NamedFile {
  const at = uri.path.lastIndexOf('/') + 1;
  const folder = `${uri.scheme}://${uri.authority}${uri.path.slice(0, at)}`;
  const file = uri.path.slice(at);
  const known = folders.get(folder);
  if (known !== undefined) return { uri, name: known + file };
  const one = named(uri);
  if (one.name.endsWith(`/${file}`) || one.name === file) folders.set(folder, one.name.slice(0, -file.length));
  return one;
}

function named(uri: vscode.Uri): NamedFile {
  return { uri, name: vscode.workspace.asRelativePath(uri) };
}

/** Returns matching files, open ones first; excluded ones come last, with the reason. */
export async function offerFiles(
  query: string,
  files: WorkspaceFiles,
  whyExcluded: WhyExcluded,
): Promise<readonly Offer[]> {
  // One shared cache, so that each ignore file is read once. The ignore files at the root are read while VS Code lists
  // the files.
  const known: ReadFiles = new Map();
  const roots = vscode.workspace.workspaceFolders ?? [];
  const reading = roots.map(({ uri }) => whyExcluded(vscode.Uri.joinPath(uri, 'file').toString(), known));
  const [listed] = await Promise.all([filesFor(query, files), ...reading]);
  const open = openFiles().map(named);
  const isOpen = new Set(open.map(({ uri }) => uri.toString()));
  const nameOf = ({ name }: NamedFile): string => name;
  const others = await best(query, listed.files, nameOf, maxOffered + open.length);
  const fitting = [
    ...(await best(query, open, nameOf, maxOffered)),
    ...others.filter(({ uri }) => !isOpen.has(uri.toString())),
  ].slice(0, maxOffered);
  const offers = await Promise.all(fitting.map((file) => offerFile(file, (uri) => whyExcluded(uri, known))));
  return [
    ...offers.filter(({ isBlocked }) => isBlocked !== true),
    ...offers.filter(({ isBlocked }) => isBlocked),
    ...(listed.isTruncated ? [moreFiles()] : []),
  ];
}

async function offerFile({ uri, name: path }: NamedFile, whyExcluded: WhyExcluded): Promise<Offer> {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const reason = await whyExcluded(uri.toString());
  if (reason !== null)
    return { label: name, detail: t('excluded by {0}', reason), icon: 'circle-slash', isBlocked: true };
  if (isImageName(name)) {
    return { label: name, detail: t('an image: Svc models accept only text'), icon: 'circle-slash', isBlocked: true };
  }
  const folder = path.slice(0, -name.length - 1);
  return { label: name, detail: folder, icon: 'file', source: () => fileSource(uri) };
}

/** The files of all editors, the active one first. */
export function openFiles(): readonly vscode.Uri[] {
  const { all, activeTabGroup } = vscode.window.tabGroups;
  const groups = [activeTabGroup, ...all.filter((group) => group !== activeTabGroup)];
  const tabs = groups.flatMap((group) => [...group.tabs].sort((a, b) => Number(b.isActive) - Number(a.isActive)));
  const uris = tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : []));
  return [...new Map(uris.filter(showsUserCode).map((uri) => [uri.toString(), uri])).values()];
}
