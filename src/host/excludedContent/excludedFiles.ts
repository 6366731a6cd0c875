import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { gitProgram, gitStateNow } from '../git/api.ts';
import { listFiles } from '../git/listings.ts';
import { isBelow } from '../sources/links.ts';

/** The excluded files of the workspace. */
export interface ExcludedFiles {
  /** Files whose purpose is to hold credentials, by URI. */
  readonly credentials: ReadonlyMap<string, vscode.Uri>;
  /** Some folders were not searched: there are too many, or they cannot be read. */
  readonly isPartial: boolean;
}

/** Folders that are never searched: what is in them comes from elsewhere, or is made from the sources. */
const skipped = new Set([
  ...['.git', '.hg', '.svn', 'node_modules', 'bower_components', 'vendor', '.venv', 'venv', 'site-packages'],
  ...['dist', 'build', 'out', 'target', '.gradle', '.cache', '__pycache__', '.next', '.nuxt', 'coverage'],
]);

/** Limits of a search without git. */
const most = { folders: 5_000, ms: 10_000 };
/** In folders that git ignores as a whole. */
const mostIgnored = { folders: 500, ms: 1_000 };

/** Finds the excluded files of all workspace folders. */
export async function findExcludedFiles(): Promise<ExcludedFiles> {
  const credentials = new Map<string, vscode.Uri>();
  let isPartial = false;
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    for (const root of await rootsIn(uri)) isPartial = !(await findIn(root, credentials)) || isPartial;
  }
  return { credentials, isPartial };
}

/** A workspace folder, and the repositories in it that the git extension knows. */
async function rootsIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
  if (folder.scheme !== 'file') return [folder];
  const git = await gitStateNow();
  const roots = git.is === 'ready' ? git.repositories.map(({ rootUri }) => rootUri) : [];
  return [folder, ...roots.filter((root) => root.scheme === 'file' && isBelow(folder.path, root.path))];
}

/** Returns whether everything was searched. */
async function findIn(root: vscode.Uri, found: Map<string, vscode.Uri>): Promise<boolean> {
  const listing = root.scheme === 'file' ? await listed(root) : null;
  if (listing === null) return walk([root], most, found);
  const folders: string[] = [];
  for (const path of [...listing.known, ...listing.ignored]) {
    if (isPauseDue()) await pause();
    if (path.endsWith('/')) folders.push(path.slice(0, -1));
    else add(root, path, found);
  }
  const inside = folders.filter((path) => !skipped.has(posix.basename(path)));
  return walk(
    inside.map((path) => vscode.Uri.joinPath(root, path)),
    mostIgnored,
    found,
  );
}

/** null if the folder is not in a repository, or there is no git. */
async function listed(root: vscode.Uri) {
  const program = await gitProgram();
  if (program === null) return null;
  return listFiles({ program, folder: root.fsPath }).catch(() => null);
}

function add(root: vscode.Uri, path: string, found: Map<string, vscode.Uri>): void {
  if (builtInDenial(`${root.path}/${path}`) === null) return;
  const uri = vscode.Uri.joinPath(root, path);
  found.set(uri.toString(), uri);
}

/** Searches folders level by level. Returns false if a limit was reached. Links are not followed. */
async function walk(
  roots: readonly vscode.Uri[],
  limits: typeof most,
  found: Map<string, vscode.Uri>,
): Promise<boolean> {
  const until = performance.now() + limits.ms;
  const folders = [...roots];
  for (let at = 0; at < folders.length; at += 1) {
    const folder = folders[at];
    if (folder === undefined) continue;
    if (at >= limits.folders || performance.now() > until) return false;
    if (isPauseDue()) await pause();
    const entries = await vscode.workspace.fs.readDirectory(folder).then(undefined, () => []);
    for (const [name, type] of entries) {
      if ((type & vscode.FileType.Directory) === 0) add(folder, name, found);
      else if ((type & vscode.FileType.SymbolicLink) === 0 && !skipped.has(name)) {
        folders.push(vscode.Uri.joinPath(folder, name));
      }
    }
  }
  return true;
}
