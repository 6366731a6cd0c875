import { constants } from 'node:fs';
import { access, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join, parse, resolve, sep } from 'node:path';

/** Can somebody who is no administrator change what is at this path? Links are not followed: each is asked about. */
export type IsOpenToUser = (path: string) => Promise<boolean>;

export interface Way {
  /** Each folder, link and file that is looked up on the way, outermost first; as far as there is one. */
  readonly names: readonly string[];
  /** The folder that has the file, or would have it; null where that folder is missing too. */
  readonly folder: string | null;
  readonly isThere: boolean;
  /** A link was followed, wherever it stands on the way. */
  readonly isLinked: boolean;
}

const maxLinks = 40;

/**
 * Goes to a file name by name, because every link on the way and every folder that one leads through decides which
 * file it is. Throws ENOENT for a link that leads nowhere: somebody meant a file to be there.
 */
export async function wayTo(path: string): Promise<Way> {
  // Windows: what is checked there is the file alone.
  if (process.platform === 'win32') return wayOnWindows(path);
  const names = new Set<string>(['/']);
  const rest = namesIn(path);
  let at = '/';
  let links = 0;
  // While as many names as this are left, we are inside of what a link stands for.
  let restBehindLink = Number.POSITIVE_INFINITY;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    if (rest.length < restBehindLink) restBehindLink = Number.POSITIVE_INFINITY;
    const next = join(at, name);
    const facts = await lstat(next).catch((error: NodeJS.ErrnoException) => {
      const isMissing = error.code === 'ENOENT' || error.code === 'ENOTDIR';
      if (!isMissing || restBehindLink !== Number.POSITIVE_INFINITY) throw error;
      return null;
    });
    if (facts === null) {
      return { names: [...names], folder: rest.length === 0 ? at : null, isThere: false, isLinked: links > 0 };
    }
    names.add(next);
    if (!facts.isSymbolicLink()) {
      at = next;
      continue;
    }
    links += 1;
    if (links > maxLinks) throw Object.assign(new Error('Too many links.'), { code: 'ELOOP' });
    restBehindLink = Math.min(restBehindLink, rest.length);
    rest.unshift(...namesIn(resolve(at, await readlink(next))));
    at = '/';
  }
  return { names: [...names], folder: parse(at).dir, isThere: true, isLinked: links > 0 };
}

async function wayOnWindows(path: string): Promise<Way> {
  const { dir } = parse(path);
  try {
    return { names: [await realpath(path)], folder: dir, isThere: true, isLinked: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { names: [], folder: dir, isThere: false, isLinked: false };
  }
}

function namesIn(path: string): string[] {
  return path.split(sep).filter((name) => name !== '');
}

/** What stat says of a path. */
export interface PathFacts {
  readonly uid: number;
  readonly mode: number;
  readonly isLink: boolean;
  readonly isFolder: boolean;
}

/**
 * What owner and mode bits say, on Linux and macOS. It is open where it belongs to this user (where this user is root:
 * to anybody else), or where its group or everybody may write it. A sticky folder such as /tmp is not open by its bits:
 * nobody replaces another's files there, and its files are looked at themselves. The bits of a link mean nothing.
 */
export function isOpenByFacts({ uid, mode, isLink, isFolder }: PathFacts, self: number): boolean {
  if (self === 0 ? uid !== 0 : uid === self) return true;
  if (isLink) return false;
  const isSticky = isFolder && (mode & 0o1000) !== 0;
  return (mode & 0o022) !== 0 && !isSticky;
}

/**
 * On Linux and macOS by owner and mode bits and, because there may be an access list besides, by asking whether this
 * user may write it (unless that is root, who may write everything). On Windows: can this user open the file for
 * writing? `access` says nothing there: it looks at the read-only attribute alone, and calls every folder writable
 * (https://github.com/nodejs/node/issues/36922).
 */
export const isOpenToUser: IsOpenToUser = async (path) => {
  const facts = await lstat(path);
  const isFolder = facts.isDirectory();
  if (process.platform === 'win32') return !isFolder && (await opensForWriting(path));
  const self = process.getuid?.() ?? -1;
  const isLink = facts.isSymbolicLink();
  if (isOpenByFacts({ uid: facts.uid, mode: facts.mode, isLink, isFolder }, self)) return true;
  const isSticky = isFolder && (facts.mode & 0o1000) !== 0;
  return self !== 0 && !isLink && !isSticky && (await mayWrite(path));
};

async function mayWrite(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Opening changes nothing in the file, nor its times. */
async function opensForWriting(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r+');
    await handle.close();
    return true;
  } catch {
    return false;
  }
}
