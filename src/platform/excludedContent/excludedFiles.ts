import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { isBelow } from '../files/links.ts';
import { gitStateNow } from '../git/api.ts';
import { ruleFor } from '../sources/ignored/ignoreRules.ts';
import { isBuiltFolder, isInBuiltFolder } from './builtFolders.ts';
import { entriesOf, isFileLink, nameOf } from './folderEntries.ts';
import { GitCandidates } from './gitCandidates.ts';
import { type ExcludedKind, KnownNames, kindOf, kinds } from './knownNames.ts';

export interface ExcludedFile {
  readonly uri: vscode.Uri;
  readonly kind: ExcludedKind;
  /** The name of the folder that git ignores as a whole, if the file is in such a folder. */
  readonly below?: string;
}

/** A folder in which not all files were found. */
export interface Unsearched {
  readonly folder: string;
  readonly why: 'unreadable' | 'tooLarge';
}

/** The excluded files of the workspace. */
export interface ExcludedFiles {
  /** The files by their URIs, the most important first. */
  readonly files: ReadonlyMap<string, ExcludedFile>;
  /** The number of other files in ignored folders of built or installed files, which are not read. */
  readonly built: number;
  readonly unsearched: readonly Unsearched[];
}

/** The folders of version control systems, which contain no files of the workspace. */
const versionControlFolders = new Set(['.git', '.hg', '.svn']);

/** The limits of the search in folders that git does not list. */
const limits = { folders: 5_000, builtFolders: 50_000, filesInOne: 20_000, ms: 20_000 };

/** The data that one search keeps for the next search in the same window. */
export class SearchMemory {
  readonly names = new KnownNames();
  readonly candidates: GitCandidates;

  /** `gitMs` is the time limit for git, which tests set. */
  constructor(gitMs?: number) {
    this.candidates = new GitCandidates(gitMs);
  }
}

/** Finds the excluded files of all workspace folders. Files with a name in `moved` are also read in folders of built files. */
export async function findExcludedFiles(
  memory = new SearchMemory(),
  moved: ReadonlySet<string> = new Set(),
): Promise<ExcludedFiles> {
  const lookups: Lookups = new Map();
  await memory.names.begin(lookups);
  const search = new Search(memory, lookups, moved);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const root of await rootsIn(uri)) await search.in(root);
  }
  const files = new Map<string, ExcludedFile>();
  for (const kind of kinds) {
    for (const { key, ...file } of search.found[kind]) {
      if (isPauseDue()) await pause();
      files.set(key, file);
    }
  }
  return { files, built: search.built, unsearched: search.unsearched };
}

/** Returns a workspace folder, and the repositories in it that the git extension knows. */
async function rootsIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  if (folder.scheme !== 'file') return [folder];
  const git = await gitStateNow();
  const roots = git.is === 'ready' ? git.repositories.map(({ rootUri }) => rootUri) : [];
  return [folder, ...roots.filter((root) => root.scheme === 'file' && isBelow(folder.path, root.path))];
}

/** A folder to search. */
interface Place {
  readonly folder: vscode.Uri;
  /** The name of the folder that git ignores as a whole, as in ExcludedFile; null if there is none. */
  readonly below: string | null;
  readonly isBuilt: boolean;
}

interface Found extends ExcludedFile {
  /** The URI of the file as text. */
  readonly key: string;
}

class Search {
  readonly found: Readonly<Record<ExcludedKind, Found[]>> = { credentials: [], listed: [], ignored: [] };
  readonly unsearched: Unsearched[] = [];
  built = 0;
  readonly #memory: SearchMemory;
  readonly #lookups: Lookups;
  readonly #moved: ReadonlySet<string>;
  readonly #roots = new Set<string>();
  readonly #visited = new Set<string>();
  /** The end of the time limit for folders that git does not list; null before the first of these folders. */
  #until: number | null = null;
  #folders = 0;
  #builtFolders = 0;
  #count = 0;
  /** Whether there may be a `.svcignore` for the files that are being examined. */
  #mayBeListed = false;

  constructor(memory: SearchMemory, lookups: Lookups, moved: ReadonlySet<string>) {
    this.#memory = memory;
    this.#lookups = lookups;
    this.#moved = moved;
  }

  async in(root: vscode.Uri): Promise<void> {
    if (this.#roots.has(root.path)) return;
    this.#roots.add(root.path);
    await this.#memory.names.lookAtRules(root, '.gitignore');
    const candidates = await this.#memory.candidates.in(root);
    this.#mayBeListed = candidates === null || candidates.mayBeListed;
    if (candidates === null) return this.#walk([{ folder: root, below: null, isBuilt: false }]);
    const { tracked, untracked, ignored } = candidates;
    const [folders, repositories]: [string[], string[]] = [[], []];
    // All files are examined, because git reads some lists of rules in another way, or not at all, and knows no rules from
    // outside a repository.
    for (const paths of [tracked, untracked]) await this.#lookAtAll(root, paths, repositories);
    for (const path of ignored) {
      if (isFile(path)) await this.#look(root, path, null);
      else folders.push(path);
    }
    await this.#walk(
      folders.map((path) => {
        const folder = vscode.Uri.joinPath(root, path.slice(0, -1));
        return { folder, below: relative(folder), isBuilt: isInBuiltFolder(`${path}file`) };
      }),
    );
    // Nested repositories, which the git extension may not know.
    for (const path of repositories) await this.in(vscode.Uri.joinPath(root, path.slice(0, -1)));
  }

  /** Examines all files of the paths. Nested repositories among the paths are added to `repositories`. */
  async #lookAtAll(root: vscode.Uri, paths: readonly string[], repositories: string[]): Promise<void> {
    const { names } = this.#memory;
    // The files of a folder are listed one after the other.
    let folder = '';
    let isFree = await names.freeAround(root, 'file');
    for (const path of paths) {
      if (isPauseDue()) await pause();
      if (!isFile(path)) {
        repositories.push(path);
        continue;
      }
      const slash = path.lastIndexOf('/') + 1;
      if (folder.length !== slash || !path.startsWith(folder)) {
        folder = path.slice(0, slash);
        isFree = await names.freeAround(root, path);
      }
      if (isIgnoreFile(path)) await names.lookAtRules(root, path);
      if (!isFree(path.slice(slash))) await this.#look(root, path, null);
    }
  }

  /** Adds a file if a rule excludes it. */
  async #look(folder: vscode.Uri, path: string, below: string | null, isBuilt = false): Promise<void> {
    if (isPauseDue()) await pause();
    const known = await this.#memory.names.look(folder, path);
    if (known.kind === null) return;
    // Reading everything that an unreadable list may exclude could mean reading the whole workspace.
    if (known.kind === 'unknown') return this.#miss(folder, 'unreadable');
    const isIgnored = known.kind === 'ignored' && !this.#moved.has(posix.basename(path));
    if (isIgnored && (isBuilt || isInBuiltFolder(path))) this.built += 1;
    else this.#put(known, below);
  }

  #put({ uri, key, kind }: Found, below: string | null): void {
    this.#count += 1;
    this.found[kind].push({ uri, key, kind, ...(kind === 'ignored' && below !== null ? { below } : {}) });
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
      const before = this.#count;
      for (let at = 0; at < places.length; at += 1) {
        const place = places[at];
        if (place === undefined) continue;
        const isFull = root.below !== null && this.#count - before > limits.filesInOne;
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
    this.#until ??= performance.now() + limits.ms;
    return (
      this.#folders <= limits.folders && this.#builtFolders <= limits.builtFolders && performance.now() <= this.#until
    );
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
      const isCounted = isBuilt && below !== null && !this.#mayBeListed && !this.#moved.has(name);
      if (isCounted && builtInDenial(`${folder.path}/${name}`) === null) this.built += 1;
      else await this.#look(folder, name, below, isBuilt);
    }
    for (const name of links) {
      if (isPauseDue()) await pause();
      const isCounted = isBuilt && !this.#mayBeListed;
      if (isCounted && builtInDenial(`${folder.path}/${name}`) === null) continue;
      const known = await this.#memory.names.look(folder, name);
      if (known.kind === 'unknown') this.#miss(folder, 'unreadable');
      if (known.kind === null || known.kind === 'unknown' || (known.kind === 'ignored' && isBuilt)) continue;
      if (await isFileLink(known.uri)) this.#put(known, below);
    }
    for (const name of folders) {
      if (versionControlFolders.has(name)) continue;
      const inner = vscode.Uri.joinPath(folder, name);
      places.push({
        folder: inner,
        below: below ?? (await this.#ignored(inner)),
        isBuilt: isBuilt || isBuiltFolder(name),
      });
    }
  }

  /** Returns the name of a folder if git would ignore it as a whole, otherwise null. */
  async #ignored(folder: vscode.Uri): Promise<string | null> {
    const rule = await ruleFor(folder.with({ path: `${folder.path}/` }), this.#lookups);
    return kindOf(rule) === 'ignored' ? relative(folder) : null;
  }
}

function isIgnoreFile(path: string): boolean {
  return path.endsWith('ignore') && /(?:^|\/)\.(?:git|svc)ignore$/.test(path);
}

function isFile(path: string): boolean {
  return !path.endsWith('/');
}

function relative(folder: vscode.Uri): string {
  const name = vscode.workspace.asRelativePath(folder);
  // For a workspace folder itself, VS Code returns the whole path.
  return name === '' || name === folder.fsPath ? nameOf(folder) : name;
}
