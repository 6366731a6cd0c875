import * as vscode from 'vscode';
import type { Lookups } from '../../../../gate/ignore/ignoreDisk.ts';
import { isBelow, resolvedPath } from '../../../../platform/files/links.ts';
import { listingOf } from '../../../../platform/files/listings.ts';
import { isGuarded } from './answerPath.ts';

/** A link whose name is guarded, and what it leads to, as paths of URIs. */
interface GuardedLink {
  readonly link: string;
  readonly target: string;
}

/** Folders are listed this many levels below a workspace folder; `found` is the maximum number of links and folders. */
const limits = { levels: 3, found: 500, ms: 1_000 };

/** Folders of packages, whose links lead to the packages of the workspace, and git's own data. */
const skipped = /(?:^|\/)node_modules$|^(?:\.?venv|\.tox)$|^\.git\/(?!hooks|info)/;

let recent = { key: '', until: 0, links: Promise.resolve<readonly GuardedLink[]>([]) };

/** Returns the guarded names that links give a file. Its path has no links. */
export async function guardedNames({ scheme, path }: vscode.Uri): Promise<readonly string[]> {
  if (scheme !== 'file') return [];
  const links = (await guardedLinks()).filter(({ target }) => path === target || isBelow(target, path));
  return links.map(({ link, target }) => link + path.slice(target.length));
}

/** The links are kept for a second, for the files that are accepted together. */
function guardedLinks(): Promise<readonly GuardedLink[]> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const key = folders.map(({ uri }) => uri.path).join('\0');
  const now = performance.now();
  if (recent.key !== key || now >= recent.until) {
    const links = Promise.all(folders.map(({ uri }) => linksIn(uri))).then((found) => found.flat());
    recent = { key, until: now + limits.ms, links };
  }
  return recent.links;
}

async function linksIn(folder: vscode.Uri): Promise<readonly GuardedLink[]> {
  const root = await resolvedPath(folder.fsPath);
  if (root === null) return [];
  const lookups: Lookups = new Map();
  const links: GuardedLink[] = [];
  const places = [{ names: '', level: 0 }];
  for (const { names, level } of places) {
    const listing = await listingOf(vscode.Uri.joinPath(root, names).fsPath, lookups);
    for (const name of listing === null ? [] : [...listing.links, ...listing.folders]) {
      const below = `${names}${name}`;
      const isFolder = isGuarded(`${below}/x`);
      if (skipped.test(below) || !(isFolder || isGuarded(below))) continue;
      if (links.length + places.length > limits.found) return links;
      const link = vscode.Uri.joinPath(root, below);
      const target = listing?.links.includes(name) ? await resolvedPath(link.fsPath) : link;
      // A link to a folder above it would give each file of the workspace a guarded name.
      if (target === null || isBelow(target.path, link.path)) continue;
      if (target !== link) links.push({ link: link.path, target: target.path });
      if (isFolder && level < limits.levels) places.push({ names: `${below}/`, level: level + 1 });
    }
  }
  return links;
}
