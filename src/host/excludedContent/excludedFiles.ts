import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import type { Exclusion } from '../../gate/exclusions.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { gitProgram, gitStateNow } from '../git/api.ts';
import { type GitListing, listFiles, trackedBut } from '../git/listings.ts';
import { ruleFor } from '../sources/ignored/ignoreRules.ts';
import { isBelow } from '../sources/links.ts';

/** Why a file is recognized, in the order of importance: it holds credentials, `.svcignore` lists it, git ignores it. */
const kinds = ['credentials', 'listed', 'ignored'] as const;
type ExcludedKind = (typeof kinds)[number];

export interface ExcludedFile {
  readonly uri: vscode.Uri;
  readonly kind: ExcludedKind;
}

/** The excluded files of the workspace. */
export interface ExcludedFiles {
  /** By their URIs, the most important first. */
  readonly files: ReadonlyMap<string, ExcludedFile>;
  /** Some folders were not searched: there are too many, or they cannot be read. */
  readonly isPartial: boolean;
}

/** Folders that are never searched: they contain other projects' code, or build results. */
const skipped = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', 'bower_components', 'vendor', '.venv', 'venv', 'site-packages'],
  ...['dist', 'build', 'out', 'target', '.gradle', '.cache', '__pycache__', '.next', '.nuxt', 'coverage'],
]);

const goneCodes = new Set(['FileNotFound', 'FileNotADirectory']);

/** Limits of a search without git, and of one in folders that git ignores as a whole. */
const most = { folders: 5_000, ms: 10_000 };
const mostIgnored = { folders: 500, ms: 1_000 };

/** Finds the excluded files of all workspace folders. */
export async function findExcludedFiles(): Promise<ExcludedFiles> {
  const search = new Search();
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const root of await rootsIn(uri)) await search.in(root);
  }
  const files = kinds.flatMap((kind) => search.found.filter((file) => file.kind === kind));
  return { files: new Map(files.map((file) => [file.uri.toString(), file])), isPartial: search.isPartial };
}

/** A workspace folder, and the repositories in it that the git extension knows. */
async function rootsIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  if (folder.scheme !== 'file') return [folder];
  const git = await gitStateNow();
  const roots = git.is === 'ready' ? git.repositories.map(({ rootUri }) => rootUri) : [];
  return [folder, ...roots.filter((root) => root.scheme === 'file' && isBelow(folder.path, root.path))];
}

class Search {
  readonly found: ExcludedFile[] = [];
  isPartial = false;
  readonly #lookups: Lookups = new Map();

  async in(root: vscode.Uri): Promise<void> {
    const listing = root.scheme === 'file' ? await listingOf(root) : null;
    if (listing === null) return this.#walk([root], most, true);
    const { tracked, untracked, ignored } = listing;
    const isFile = (path: string): boolean => !path.endsWith('/');
    for (const path of [...tracked, ...untracked, ...ignored].filter(isFile)) {
      if (isPauseDue()) await pause();
      if (builtInDenial(`${root.path}/${path}`) !== null) this.#put(root, path, 'credentials');
    }
    // Git lists the candidates; our own rules decide about each.
    const isListing = [...tracked, ...untracked, ...ignored].some((path) => posix.basename(path) === '.svcignore');
    const listed = isListing || (await hasListAbove(root)) ? [...(await this.#trackedListed(root)), ...untracked] : [];
    for (const path of [...ignored, ...listed].filter(isFile)) await this.#look(root, path);
    const folders = [...untracked, ...ignored].filter((path) => !isFile(path));
    const inside = folders.map((path) => path.slice(0, -1)).filter((path) => !skipped.has(posix.basename(path)));
    await this.#walk(
      inside.map((path) => vscode.Uri.joinPath(root, path)),
      mostIgnored,
      false,
    );
  }

  #put(root: vscode.Uri, path: string, kind: ExcludedKind): void {
    this.found.push({ uri: vscode.Uri.joinPath(root, path), kind });
  }

  /** Adds a file if a rule excludes it; one with credentials was added before. */
  async #look(root: vscode.Uri, path: string): Promise<void> {
    if (isPauseDue()) await pause();
    const uri = vscode.Uri.joinPath(root, path);
    if (builtInDenial(uri.path) !== null) return;
    const kind = kindOf(await ruleFor(uri, this.#lookups));
    if (kind !== null) this.found.push({ uri, kind });
  }

  async #trackedListed(root: vscode.Uri): Promise<readonly string[]> {
    const program = await gitProgram();
    if (program === null) return [];
    return trackedBut({ program, folder: root.fsPath }, '.svcignore').catch(() => this.#unread());
  }

  async #entries(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
    try {
      return await vscode.workspace.fs.readDirectory(folder);
    } catch (error) {
      // A folder that was removed meanwhile has no files.
      const isGone = error instanceof vscode.FileSystemError && goneCodes.has(error.code);
      return isGone ? [] : this.#unread();
    }
  }

  #unread(): [] {
    this.isPartial = true;
    return [];
  }

  /** Searches folders level by level. Links are not followed. `all`: not only files with credentials. */
  async #walk(roots: readonly vscode.Uri[], limits: typeof most, all: boolean): Promise<void> {
    const until = performance.now() + limits.ms;
    const folders = [...roots];
    for (let at = 0; at < folders.length; at += 1) {
      const folder = folders[at];
      if (folder === undefined) continue;
      if (at >= limits.folders || performance.now() > until) {
        this.isPartial = true;
        return;
      }
      const entries = await this.#entries(folder);
      for (const [name, type] of entries) {
        if (isPauseDue()) await pause();
        const isFolder = (type & vscode.FileType.Directory) !== 0;
        if (isFolder && (type & vscode.FileType.SymbolicLink) === 0 && !skipped.has(name)) {
          folders.push(vscode.Uri.joinPath(folder, name));
        } else if (!isFolder && builtInDenial(`${folder.path}/${name}`) !== null)
          this.#put(folder, name, 'credentials');
        else if (!isFolder && all) await this.#look(folder, name);
      }
    }
  }
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
