import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Exclusion, leadsElsewhere } from '../../../gate/exclusions.ts';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import { type AskedFolder, IgnoreTree } from '../../../gate/ignore/ignoreTree.ts';
import { KeptWhileSame } from '../../../gate/ignore/keptWhileSame.ts';
import { spelledRoot } from '../../../gate/ignore/spelledRoot.ts';
import { Disk } from '../disk.ts';
import { realFolder } from '../links.ts';
import { filesExclude } from './filesExclude.ts';
import { ignoresCase } from './letterCase.ts';
import { Repositories } from './repositories.ts';

/** The repositories of a scheme and machine, with the cached rules of their ignore files. */
interface Place {
  readonly disk: Disk;
  readonly repositories: Repositories;
  readonly tree: IgnoreTree;
  readonly rules: KeptWhileSame<FolderRules>;
}

const places = new Map<string, Place>();

/** Schemes whose files are on a disk and whose folders above the workspace folder VS Code can read. */
const onDisk = new Set(['file', 'vscode-remote']);

/**
 * The rule of an ignore file, or of `files.exclude`, that keeps a file from leaving; null if there is none. The name is
 * taken literally: the caller resolves links. A path that ends with `/` is a folder. All checks of a request share one
 * `lookups`: every ignore file is read once per request, so that a changed file takes effect with the next request.
 */
export async function ruleFor(uri: vscode.Uri, lookups: Lookups): Promise<Exclusion | null> {
  const found = await ruleForName(uri, lookups);
  if (found !== null) return found;
  // macOS stores letters and combining marks separately (NFD); git composes them (NFC).
  const path = uri.path.normalize('NFC');
  return path === uri.path ? null : ruleForName(uri.with({ path }), lookups);
}

async function ruleForName(uri: vscode.Uri, lookups: Lookups): Promise<Exclusion | null> {
  const isFolder = uri.path.endsWith('/') && uri.path !== '/';
  const path = isFolder ? uri.path.slice(0, -1) : uri.path;
  if (path === '/' || path === '') return null;
  if (leadsElsewhere(path) || (process.platform === 'win32' && path.includes('\\'))) {
    return { by: 'built-in', pattern: 'outside' };
  }
  const folder = posix.dirname(path);
  // For a workspace folder itself, only rules from outside the workspace could apply.
  const roots = await workspaceFolders(lookups);
  if (roots.has(path) && (await workspaceFoldersAround(uri, folder, lookups)).length === 0) return null;
  const parent = await rulesIn(uri.with({ path: folder }), lookups);
  return parent(posix.basename(path), isFolder);
}

/** Applies the rules to the entries of a folder. */
export type FolderRules = (name: string, isFolder: boolean) => Exclusion | null;

/** The rules for the entries of a folder. Returns the same function while the rules are unchanged. */
export function rulesIn(folder: vscode.Uri, lookups: Lookups): Promise<FolderRules> {
  return once(lookups, `folder ${folder.scheme}://${folder.authority}${folder.path}`, () =>
    folderRules(folder, folder.path, lookups),
  );
}

/** A key for the set of workspace folders and their link targets. */
export function workspaceKey(lookups: Lookups): Promise<string> {
  return once(lookups, 'workspace key', async () => [...(await workspaceFolders(lookups))].join('\0'));
}

async function folderRules(base: vscode.Uri, folder: string, lookups: Lookups): Promise<FolderRules> {
  const place = placeOf(base);
  const around = await workspaceFoldersAround(base, folder, lookups);
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
  const asked: readonly AskedFolder[] = await Promise.all(
    [...tops].map((top) => place.tree.folder(top, folder, lookups)),
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
  return place.rules.get(key, parts, () => (name, isFolder) => {
    for (const one of asked) {
      const found = one.ask(name, isFolder);
      if (found === null) continue;
      const { by, source } = found;
      return { by, source, rule: found.line === null ? null : { line: found.line, pattern: found.pattern } };
    }
    for (const { below, globs: settings } of globs) {
      const pattern = settings.check(below + name);
      if (pattern !== null) return { by: 'files.exclude', pattern };
    }
    return null;
  });
}

function placeOf(uri: vscode.Uri): Place {
  const key = `${uri.scheme}://${uri.authority}`;
  const known = places.get(key);
  if (known !== undefined) return known;
  const disk = new Disk(uri);
  const repositories = new Repositories(disk);
  const place = { disk, repositories, tree: new IgnoreTree(repositories), rules: new KeptWhileSame<FolderRules>() };
  places.set(key, place);
  return place;
}

interface Around {
  readonly uri: vscode.Uri;
  /** Its path, by its name or by its link target, spelled like the folder that was passed in. */
  readonly root: string;
  readonly isFolded: boolean;
}

/** Every workspace folder that is or contains a folder. */
async function workspaceFoldersAround(base: vscode.Uri, folder: string, lookups: Lookups): Promise<readonly Around[]> {
  const found: Around[] = [];
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== base.scheme || uri.authority !== base.authority) continue;
    const isFolded = (await ignoresCase(placeOf(base).disk, trimmed(uri.path))) !== false;
    const real = (await realFolder(uri, lookups)) ?? uri;
    for (const root of new Set([trimmed(uri.path), trimmed(real.path)])) {
      const spelled = spelledRoot(folder, root, isFolded);
      if (spelled !== null) found.push({ uri, root: spelled, isFolded });
    }
  }
  return found;
}

/** The paths of all workspace folders, by name and by link target. */
function workspaceFolders(lookups: Lookups): Promise<ReadonlySet<string>> {
  return once(lookups, 'workspace folders', async () => {
    const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    const real = await Promise.all(uris.map(async (uri) => (await realFolder(uri, lookups)) ?? uri));
    return new Set([...uris, ...real].map(({ path }) => trimmed(path)));
  });
}

function trimmed(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
