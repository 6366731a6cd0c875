import { constants } from 'node:fs';
import { access, type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { join, parse, resolve, sep } from 'node:path';
import type { ManagedProblem } from '../../policy/managed/fileValues.ts';

/**
 * Whether a user who is not an administrator can change the item at this path. Links are not followed: each is checked.
 */
export type IsOpenToUser = (path: string) => Promise<boolean>;

/** The content of a file that only an administrator can change, or the reason why it cannot be used; null if there is no file. */
type Guarded = Buffer | ManagedProblem | null;

/** Reads a file, and checks that only an administrator can change or remove it. */
export async function readGuarded(path: string, maxBytes: number, isOpen: IsOpenToUser): Promise<Guarded> {
  let handle: FileHandle | undefined;
  try {
    const { names, folder, isThere, isLinked } = await wayTo(path);
    if (!isThere) {
      // A user who can write the folder can have removed the file, and one who can write a folder on a link's path can
      // have redirected it. Without links, only an administrator can have created the place.
      return await unlessOpen(isLinked ? names : folder === null ? [] : [folder], isOpen, null);
    }
    // The file is opened without blocking: opening a pipe would never return.
    handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const facts = await handle.stat();
    if (!facts.isFile()) return unreadable(facts.isDirectory() ? 'EISDIR' : 'EINVAL');
    if (facts.size > maxBytes) return unreadable('EFBIG');
    const bytes = await handle.readFile();
    // The folders matter as much as the file: a user who can write its folder can replace it.
    return await unlessOpen(names, isOpen, bytes);
  } catch (error) {
    return unreadable((error as NodeJS.ErrnoException).code ?? 'unknown');
  } finally {
    await handle?.close();
  }
}

function unreadable(detail: string): Guarded {
  return { reason: 'unreadable', detail };
}

async function unlessOpen(names: readonly string[], isOpen: IsOpenToUser, found: Guarded): Promise<Guarded> {
  for (const name of names) if (await isOpen(name)) return { reason: 'writable', detail: name };
  return found;
}

interface Way {
  /** Each existing folder, link and file on the path, outermost first. */
  readonly names: readonly string[];
  /** The folder of the file, even if the file is missing; null if the folder is missing too. */
  readonly folder: string | null;
  readonly isThere: boolean;
  /** Whether any part of the path is a link. */
  readonly isLinked: boolean;
}

const maxLinks = 40;

/**
 * Resolves a path name by name, because every link on it and every folder on a link's path decide which file it
 * is. Throws ENOENT for a broken link: its creator meant a file to exist.
 */
export async function wayTo(path: string): Promise<Way> {
  // On Windows, only the file is checked.
  if (process.platform === 'win32') return wayOnWindows(path);
  const names = new Set<string>(['/']);
  const rest = namesIn(path);
  let at = '/';
  let links = 0;
  // While at least this many names are left, we are inside the target of a link.
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

/** The result of stat for a path. */
interface PathFacts {
  readonly uid: number;
  readonly mode: number;
  readonly isLink: boolean;
  readonly isFolder: boolean;
}

/**
 * Whether owner and mode bits open a path, on Linux and macOS. A path is open if it belongs to this user (or, if this user is
 * root, to anyone else), or if its group or everyone may write it. The bits do not open a sticky folder such as /tmp:
 * users cannot replace other users' files there, and its files are checked separately. The bits of a link mean
 * nothing.
 */
export function isOpenByFacts({ uid, mode, isLink, isFolder }: PathFacts, self: number): boolean {
  if (self === 0 ? uid !== 0 : uid === self) return true;
  if (isLink) return false;
  const isSticky = isFolder && (mode & 0o1000) !== 0;
  return (mode & 0o022) !== 0 && !isSticky;
}

/**
 * On Linux and macOS, checks owner and mode bits and, because there may be an access list too, whether this user has
 * write access (except root, who has it to everything). On Windows, checks whether this user can open the file for
 * writing. `access` is useless there: it checks only the read-only attribute, and reports every folder as writable
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

/** Whether this user can open a file for writing. Opening does not change the file or its times. */
async function opensForWriting(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'r+');
    await handle.close();
    return true;
  } catch {
    return false;
  }
}
