import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Exclusion, leadsElsewhere } from '../../../gate/exclusions.ts';
import { type CheckName, globWorkForName } from '../../../gate/globs/globs.ts';
import { IdentityCache } from '../../../gate/ignore/identityCache.ts';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import { workForName } from '../../../gate/ignore/ignoreFolder.ts';
import { type AskedFolder, IgnoreTree, type Top } from '../../../gate/ignore/ignoreTree.ts';
import type { Unread } from '../../../gate/ignore/patterns.ts';
import { spelledRoot } from '../../../gate/ignore/spelledRoot.ts';
import { inSlices, isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import { Disk } from '../../files/disk.ts';
import { realFolder } from '../../files/links.ts';
import { filesExclude } from './filesExclude.ts';
import { ignoresCase } from './letterCase.ts';
import { Repositories } from './repositories.ts';

/** The repositories of one scheme and machine, with the cached rules of their ignore files. */
interface Place {
  readonly disk: Disk;
  readonly repositories: Repositories;
  readonly tree: IgnoreTree;
  readonly rules: IdentityCache<FolderRules>;
}

const places = new Map<string, Place>();

/** Schemes whose files are on a disk and whose folders above the workspace folder VS Code can read. */
const onDisk = new Set(['file', 'vscode-remote']);

/**
 * Returns the rule of an ignore file, or of `files.exclude`, that prevents a file from being sent; null if there is none.
 * The name is used literally: the caller resolves links. A path that ends with `/` is a folder. All checks of a request
 * share one `lookups`: every ignore file is read once per request, so that a changed file takes effect with the next
 * request.
 */
export async function ruleFor(uri: vscode.Uri, lookups: Lookups): Promise<FoundRule | null> {
  const found = await ruleForName(uri, lookups);
  if (found !== null) return found;
  // macOS stores letters and combining marks separately (NFD); git composes them (NFC).
  const path = uri.path.normalize('NFC');
  return path === uri.path ? null : ruleForName(uri.with({ path }), lookups);
}

async function ruleForName(uri: vscode.Uri, lookups: Lookups): Promise<FoundRule | null> {
  const isFolder = uri.path.endsWith('/') && uri.path !== '/';
  const path = isFolder ? uri.path.slice(0, -1) : uri.path;
  if (path === '/' || path === '') return null;
  if (leadsElsewhere(path) || (process.platform === 'win32' && path.includes('\\'))) {
    return { by: 'built-in', pattern: 'outside' };
  }
  const folder = posix.dirname(path);
  // For a workspace folder itself, only rules from outside the workspace could apply.
  const workspace = await workspaceNow(lookups);
  if (workspace.paths.has(path) && foldersAround(workspace, uri, folder).length === 0) return null;
  const parent = await rulesIn(uri.with({ path: folder }), lookups);
  if (isPauseDue()) await pause();
  return parent(posix.basename(path), isFolder);
}

/** A rule that excludes a file. `why` is set for an ignore file whose rules could not be read. */
export type FoundRule = Exclusion & { readonly why?: Unread };

/** Applies the rules to the entries of a folder. */
export type FolderRules = (name: string, isFolder: boolean) => FoundRule | null;

/** Returns the rules for the entries of a folder; the same function while the rules are unchanged. */
export function rulesIn(folder: vscode.Uri, lookups: Lookups): Promise<FolderRules> {
  return once(lookups, `folder ${folder.scheme}://${folder.authority}${folder.path}`, () =>
    folderRules(folder, folder.path, lookups),
  );
}

async function folderRules(base: vscode.Uri, folder: string, lookups: Lookups): Promise<FolderRules> {
  const place = placeOf(base);
  const around = foldersAround(await workspaceNow(lookups), base, folder);
  const tops = new Set<string>();
  for (const { root } of around) {
    const top = onDisk.has(base.scheme) ? await place.repositories.rootAround(root, lookups) : null;
    tops.add(top ?? root);
  }
  // A file outside the workspace may still be in a repository.
  if (around.length === 0 && base.scheme === 'file') {
    const top = await place.repositories.rootAround(folder, lookups);
    if (top !== null) tops.add(top);
  }
  const trees = [...tops].map((top) => ({ folder: top, governedBy: top }));
  const otherTrees = await otherTops(base, folder, tops, lookups);
  const asked: readonly AskedFolder[] = await Promise.all(
    [...trees, ...otherTrees].map((top) => place.tree.folder(top, folder, lookups)),
  );
  const globs = await Promise.all(
    around.map(async ({ uri, root, isFolded }) => {
      const below = folder === root ? '' : `${folder.slice(root === '/' ? 1 : root.length + 1)}/`;
      const key = `files.exclude ${isFolded} ${uri.toString()}`;
      return { below, globs: await once(lookups, key, async () => filesExclude(uri, isFolded)) };
    }),
  );
  const key = `${base.scheme}://${base.authority}${folder}`;
  const parts = [...asked, null, ...globs.flatMap((one) => [one.below, one.globs])];
  const known = place.rules.find(key, parts);
  if (known !== undefined) return known;
  const checks = await Promise.all(globs.map(({ below, globs: settings }) => inSlices(settings.checkIn(below))));
  const rules: FolderRules = (name, isFolder) => ruleAmong(asked, name, isFolder) ?? globAmong(checks, name);
  return place.rules.get(key, parts, () => rules);
}

function ruleAmong(asked: readonly AskedFolder[], name: string, isFolder: boolean): FoundRule | null {
  const work = workForName();
  for (const one of asked) {
    const found = one.ask(name, isFolder, work);
    if (found === null) continue;
    const { by, source } = found;
    if (found.line === null) return { by, source, rule: null, why: found.why };
    return { by, source, rule: { line: found.line, pattern: found.pattern } };
  }
  return null;
}

function globAmong(checks: readonly CheckName[], name: string): FoundRule | null {
  const work = globWorkForName();
  for (const check of checks) {
    const glob = check(name, work);
    if (glob !== null) return { by: 'files.exclude', glob };
  }
  return null;
}

/** Returns the work trees around a folder whose repositories are in other folders: above it, or around a workspace folder. */
async function otherTops(
  base: vscode.Uri,
  folder: string,
  tops: ReadonlySet<string>,
  lookups: Lookups,
): Promise<readonly Top[]> {
  if (base.scheme !== 'file') return [];
  const { disk, repositories } = placeOf(base);
  const found = await Promise.all([
    ofWorkspaceFolders(lookups),
    ...[...tops].map((top) => repositories.otherTops(top, folder, lookups)),
  ]);
  const all = found.flat();
  if (all.length === 0) return [];
  const spelled = await Promise.all(
    all.map(async ({ folder: tree, governedBy }): Promise<readonly Top[]> => {
      const root = spelledRoot(folder, tree, (await ignoresCase(disk, tree)) === true);
      return root === null ? [] : [{ folder: root, governedBy }];
    }),
  );
  const byKey = new Map(spelled.flat().map((top) => [`${top.folder}\0${top.governedBy}`, top]));
  return [...byKey.values()];
}

function ofWorkspaceFolders(lookups: Lookups): Promise<readonly Top[]> {
  return once(lookups, 'work trees of workspace folders', async () => {
    const { folders } = await workspaceNow(lookups);
    const found = folders.flatMap(({ uri, real }) => [uri, real ?? uri].filter(({ scheme }) => scheme === 'file'));
    const ofEach = found.map(async (uri) => {
      const { repositories } = placeOf(uri);
      const root = trimmed(uri.path);
      const top = await repositories.rootAround(root, lookups);
      return top === null ? [] : repositories.otherTops(top, root, lookups);
    });
    return (await Promise.all(ofEach)).flat();
  });
}

function placeOf(uri: vscode.Uri): Place {
  const key = `${uri.scheme}://${uri.authority}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const disk = new Disk(uri);
  const repositories = new Repositories(disk);
  const place = { disk, repositories, tree: new IgnoreTree(repositories), rules: new IdentityCache<FolderRules>() };
  places.set(key, place);
  return place;
}

/** The workspace folders at the time of a request. */
export interface WorkspaceNow {
  readonly folders: readonly WorkspaceFolder[];
  /** The paths of all workspace folders, both by name and by link target. */
  readonly paths: ReadonlySet<string>;
  /** A cache key that changes with the folders. */
  readonly key: string;
}

interface WorkspaceFolder {
  readonly uri: vscode.Uri;
  /** The URI with links resolved; null if it cannot be determined. */
  readonly real: vscode.Uri | null;
  readonly isFolded: boolean;
}

export function workspaceNow(lookups: Lookups): Promise<WorkspaceNow> {
  return once(lookups, 'workspace', async () => {
    const folders = await Promise.all(
      (vscode.workspace.workspaceFolders ?? []).map(async ({ uri }): Promise<WorkspaceFolder> => {
        const [real, folds] = await Promise.all([
          realFolder(uri, lookups),
          ignoresCase(placeOf(uri).disk, trimmed(uri.path)),
        ]);
        return { uri, real, isFolded: folds !== false };
      }),
    );
    return {
      folders,
      paths: new Set(folders.flatMap(({ uri, real }) => [uri, real ?? uri].map(({ path }) => trimmed(path)))),
      key: folders.map(({ uri, real, isFolded }) => `${uri.toString()} ${real?.toString()} ${isFolded}`).join('\0'),
    };
  });
}

interface ContainingFolder {
  readonly uri: vscode.Uri;
  /** The path, by name or by link target, with the same letter case as the given folder. */
  readonly root: string;
  readonly isFolded: boolean;
}

/** Returns every workspace folder that is or contains a folder. */
function foldersAround({ folders }: WorkspaceNow, base: vscode.Uri, folder: string): readonly ContainingFolder[] {
  const found: ContainingFolder[] = [];
  for (const { uri, real, isFolded } of folders) {
    if (uri.scheme !== base.scheme || uri.authority !== base.authority) continue;
    for (const root of new Set([trimmed(uri.path), trimmed((real ?? uri).path)])) {
      const spelled = spelledRoot(folder, root, isFolded);
      if (spelled !== null) found.push({ uri, root: spelled, isFolded });
    }
  }
  return found;
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
