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

/** The repositories of a scheme and machine, with the rules of their ignore files as long as they do not change. */
interface Place {
  readonly disk: Disk;
  readonly repositories: Repositories;
  readonly tree: IgnoreTree;
  readonly rules: KeptWhileSame<FolderRules>;
}

const places = new Map<string, Place>();

/** Files are on a disk with folders above the workspace folder, which VS Code can read. */
const onDisk = new Set(['file', 'vscode-remote']);

/**
 * Which rule of an ignore file, or of `files.exclude`, keeps a file from leaving; null where none does. The name is taken as
 * it is: links are the caller's affair. A path that ends with `/` is a folder. `lookups` is one for all questions of a
 * request: every ignore file is looked at once for it, so that one that has changed counts with the next request.
 */
export async function ruleFor(uri: vscode.Uri, lookups: Lookups): Promise<Exclusion | null> {
  const found = await ruleForName(uri, lookups);
  if (found !== null) return found;
  // macOS has the letters of a name and their marks apart, and git puts them together.
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
  // Only what is around the workspace would tell of a workspace folder itself.
  const roots = await workspaceFolders(lookups);
  if (roots.has(path) && (await workspaceFoldersAround(uri, folder, lookups)).length === 0) return null;
  const parent = await rulesIn(uri.with({ path: folder }), lookups);
  return parent(posix.basename(path), isFolder);
}

/** Answers for what is in a folder. */
export type FolderRules = (name: string, isFolder: boolean) => Exclusion | null;

/** The rules for what is in a folder: the same function as long as they are the same. */
export function rulesIn(folder: vscode.Uri, lookups: Lookups): Promise<FolderRules> {
  return once(lookups, `folder ${folder.scheme}://${folder.authority}${folder.path}`, () =>
    folderRules(folder, folder.path, lookups),
  );
}

/** Tells one set of workspace folders from another, and from the same names that lead elsewhere. */
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
  // Outside the workspace a file is still in its repository, if there is one.
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
  /** Where it is, by its name or by where that leads, spelled as in the folder that was asked about. */
  readonly root: string;
  readonly isFolded: boolean;
}

/** Every workspace folder that a folder is, or is in. */
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

/** The paths of all workspace folders, by their names and by where those lead. */
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
