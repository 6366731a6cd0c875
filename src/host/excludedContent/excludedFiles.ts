import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import type { Exclusion } from '../../gate/exclusions.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { gitProgram, gitStateNow } from '../git/api.ts';
import { type GitListing, listFiles, trackedBut, trackedIgnored } from '../git/listings.ts';
import { ruleFor } from '../sources/ignored/ignoreRules.ts';
import { isBelow } from '../sources/links.ts';
import { isBuiltFolder, isInBuiltFolder } from './builtFolders.ts';
import { entriesOf, isFileLink, nameOf } from './folderEntries.ts';

/** Why a file is recognized, in the order of importance: it holds credentials, `.svcignore` lists it, git ignores it. */
const kinds = ['credentials', 'listed', 'ignored'] as const;
type ExcludedKind = (typeof kinds)[number];

export interface ExcludedFile {
  readonly uri: vscode.Uri;
  readonly kind: ExcludedKind;
  /** The name of the folder that git ignores as a whole, if the file is in one. */
  readonly below?: string;
}

/** A folder of which not all files were found. */
export interface Unsearched {
  readonly folder: string;
  readonly why: 'unreadable' | 'tooLarge';
}

/** The excluded files of the workspace. */
export interface ExcludedFiles {
  /** By their URIs, the most important first. */
  readonly files: ReadonlyMap<string, ExcludedFile>;
  /** The number of further files in ignored folders of what was built or installed: they are not read. */
  readonly built: number;
  readonly unsearched: readonly Unsearched[];
}

/** Folders of version control: no file in them is one of the workspace. */
const ofVersionControl = new Set(['.git', '.hg', '.svn']);

/** Limits of the search in folders that git does not list. */
const most = { folders: 5_000, builtFolders: 50_000, filesInOne: 20_000, ms: 20_000 };

/** Finds the excluded files of all workspace folders. `moved`: files of these names are read in built folders, too. */
export async function findExcludedFiles(moved: ReadonlySet<string> = new Set()): Promise<ExcludedFiles> {
  const search = new Search(moved);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const root of await rootsIn(uri)) await search.in(root);
  }
  const files = new Map<string, ExcludedFile>();
  for (const kind of kinds) {
    for (const file of search.found) {
      if (isPauseDue()) await pause();
      if (file.kind === kind) files.set(file.uri.toString(), file);
    }
  }
  return { files, built: search.built, unsearched: search.unsearched };
}

/** A workspace folder, and the repositories in it that the git extension knows. */
async function rootsIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  if (folder.scheme !== 'file') return [folder];
  const git = await gitStateNow();
  const roots = git.is === 'ready' ? git.repositories.map(({ rootUri }) => rootUri) : [];
  return [folder, ...roots.filter((root) => root.scheme === 'file' && isBelow(folder.path, root.path))];
}

/** A folder to search. */
interface Place {
  readonly folder: vscode.Uri;
  /** As in ExcludedFile. */
  readonly below: string | null;
  readonly isBuilt: boolean;
}

class Search {
  readonly found: ExcludedFile[] = [];
  readonly unsearched: Unsearched[] = [];
  built = 0;
  readonly #lookups: Lookups = new Map();
  readonly #roots = new Set<string>();
  readonly #visited = new Set<string>();
  readonly #until = performance.now() + most.ms;
  #folders = 0;
  #builtFolders = 0;
  /** There may be a `.svcignore` for the files that are looked at now. */
  #mayBeListed = false;
  readonly #moved: ReadonlySet<string>;

  constructor(moved: ReadonlySet<string>) {
    this.#moved = moved;
  }

  async in(root: vscode.Uri): Promise<void> {
    if (this.#roots.has(root.path)) return;
    this.#roots.add(root.path);
    const listing = root.scheme === 'file' ? await listingOf(root) : null;
    this.#mayBeListed = listing === null || hasList(listing) || (await hasListAbove(root));
    if (listing === null) return this.#walk([{ folder: root, below: null, isBuilt: false }]);
    const { tracked, untracked, ignored } = listing;
    for (const path of [...tracked, ...untracked, ...ignored].filter(isFile)) {
      if (isPauseDue()) await pause();
      if (builtInDenial(`${root.path}/${path}`) !== null) this.#put(vscode.Uri.joinPath(root, path), 'credentials');
    }
    // Git lists the candidates; our own rules decide about each.
    const listed = this.#mayBeListed
      ? [...(await this.#tracked(root, (place) => trackedBut(place, '.svcignore'))), ...untracked]
      : [];
    const kept = await this.#tracked(root, trackedIgnored);
    for (const path of new Set([...ignored, ...kept, ...listed].filter(isFile))) {
      const uri = vscode.Uri.joinPath(root, path);
      if (builtInDenial(uri.path) === null) await this.#look(uri, null, isInBuiltFolder(path));
    }
    await this.#walk(
      ignored
        .filter((path) => !isFile(path))
        .map((path) => {
          const folder = vscode.Uri.joinPath(root, path.slice(0, -1));
          return { folder, below: relative(folder), isBuilt: isInBuiltFolder(`${path}file`) };
        }),
    );
    // Other repositories in this one, of which the git extension may know nothing.
    for (const path of [...tracked, ...untracked].filter((path) => !isFile(path))) {
      await this.in(vscode.Uri.joinPath(root, path.slice(0, -1)));
    }
  }

  #put(uri: vscode.Uri, kind: ExcludedKind, below: string | null = null): void {
    this.found.push({ uri, kind, ...(below === null ? {} : { below }) });
  }

  /** Adds a file without credentials if a rule excludes it. */
  async #look(uri: vscode.Uri, below: string | null, isBuilt: boolean): Promise<void> {
    if (isPauseDue()) await pause();
    const kind = kindOf(await ruleFor(uri, this.#lookups));
    if (kind === 'ignored' && isBuilt && !this.#moved.has(nameOf(uri))) this.built += 1;
    else if (kind !== null) this.#put(uri, kind, kind === 'ignored' ? below : null);
  }

  async #tracked(root: vscode.Uri, list: typeof trackedIgnored): Promise<readonly string[]> {
    const program = await gitProgram();
    if (program === null) return [];
    return list({ program, folder: root.fsPath }).catch(() => {
      this.#miss(root, 'unreadable');
      return [];
    });
  }

  #miss(folder: vscode.Uri, why: Unsearched['why']): void {
    const name = relative(folder);
    if (!this.unsearched.some((one) => one.folder === name)) this.unsearched.push({ folder: name, why });
  }

  /** Searches folders level by level. Links are not followed. */
  async #walk(roots: readonly Place[]): Promise<void> {
    for (const root of roots) {
      const mayBeListed = this.#mayBeListed;
      const places = [root];
      const before = this.found.length;
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at];
        if (place === undefined) continue;
        const isFull = root.below !== null && this.found.length - before > most.filesInOne;
        if (isFull || !this.#hasRoom(place)) {
          this.#miss(root.below === null ? place.folder : root.folder, 'tooLarge');
          break;
        }
        await this.#visit(place, places);
      }
      this.#mayBeListed = mayBeListed;
    }
  }

  #hasRoom({ isBuilt }: Place): boolean {
    if (isBuilt) this.#builtFolders += 1;
    else this.#folders += 1;
    return this.#folders <= most.folders && this.#builtFolders <= most.builtFolders && performance.now() <= this.#until;
  }

  async #visit({ folder, below, isBuilt }: Place, places: Place[]): Promise<void> {
    if (this.#visited.has(folder.path)) return;
    this.#visited.add(folder.path);
    const entries = await entriesOf(folder, this.#lookups);
    if (entries === null) return this.#miss(folder, 'unreadable');
    const { files, links, folders } = entries;
    this.#mayBeListed ||= files.includes('.svcignore') || links.includes('.svcignore');
    for (const name of files) {
      if (isPauseDue()) await pause();
      const uri = vscode.Uri.joinPath(folder, name);
      if (builtInDenial(uri.path) !== null) this.#put(uri, 'credentials');
      else if (isBuilt && below !== null && !this.#mayBeListed && !this.#moved.has(name)) this.built += 1;
      else await this.#look(uri, below, isBuilt);
    }
    for (const name of links) {
      if (isPauseDue()) await pause();
      const uri = vscode.Uri.joinPath(folder, name);
      const isCredential = builtInDenial(uri.path) !== null;
      if (!isCredential && isBuilt && !this.#mayBeListed) continue;
      const kind = isCredential ? 'credentials' : kindOf(await ruleFor(uri, this.#lookups));
      if (kind === null || (kind === 'ignored' && isBuilt) || !(await isFileLink(uri))) continue;
      this.#put(uri, kind, kind === 'ignored' ? below : null);
    }
    for (const name of folders) {
      if (ofVersionControl.has(name)) continue;
      const inner = vscode.Uri.joinPath(folder, name);
      places.push({
        folder: inner,
        below: below ?? (await this.#ignored(inner)),
        isBuilt: isBuilt || isBuiltFolder(name),
      });
    }
  }

  /** The name of a folder that git would ignore as a whole; null for another one. */
  async #ignored(folder: vscode.Uri): Promise<string | null> {
    const rule = await ruleFor(folder.with({ path: `${folder.path}/` }), this.#lookups);
    return kindOf(rule) === 'ignored' ? relative(folder) : null;
  }
}

function isFile(path: string): boolean {
  return !path.endsWith('/');
}

function relative(folder: vscode.Uri): string {
  const name = vscode.workspace.asRelativePath(folder);
  // VS Code returns the whole path of a workspace folder.
  return name === '' || name === folder.fsPath ? nameOf(folder) : name;
}

function kindOf(rule: Exclusion | null): ExcludedKind | null {
  // `files.exclude` lists what the explorer hides, which is rarely a secret.
  if (rule === null || rule.by === 'built-in' || rule.by === 'files.exclude') return null;
  return rule.by === '.svcignore' ? 'listed' : 'ignored';
}

/** null if the folder is not in a repository, or there is no git. */
async function listingOf(root: vscode.Uri): Promise<GitListing | null> {
  const program = await gitProgram();
  if (program === null) return null;
  return listFiles({ program, folder: root.fsPath }).catch(() => null);
}

function hasList({ tracked, untracked, ignored }: GitListing): boolean {
  return [tracked, untracked, ignored].some((paths) => paths.some((path) => posix.basename(path) === '.svcignore'));
}

/** Whether there may be a `.svcignore` that git ignores, or that is above the folder. */
async function hasListAbove(root: vscode.Uri): Promise<boolean> {
  for (let at = root; ; at = vscode.Uri.joinPath(at, '..')) {
    const file = vscode.Uri.joinPath(at, '.svcignore');
    if (
      await vscode.workspace.fs.stat(file).then(
        () => true,
        () => false,
      )
    )
      return true;
    if (at.path === '/' || /^\/[a-z]:\/?$/i.test(at.path)) return false;
  }
}
