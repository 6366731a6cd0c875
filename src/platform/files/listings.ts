import { type Dirent, opendirSync, promises, statSync } from 'node:fs';
import { type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';

/** The entries of a local folder. */
export interface Listing {
  /** Whether there is a file or folder of exactly this name that is not a link. */
  isPlain(name: string): boolean;
  /** True only if no entry can have this name (ASCII, lower case), however the file system compares names. */
  certainlyLacks(name: string): boolean;
  /** Whether the folder is on a local file system that updates the times of folders: see updatesFolderTimes(). */
  readonly isLocal: boolean;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The names of links, whatever their target is. */
  readonly links: readonly string[];
}

/** The maximum number of entries of a folder that is listed. For a larger folder, callers query the disk for each file. */
const maxEntries = 5_000;
const maxCachedEntries = 500_000;

interface CachedListing {
  readonly state: string;
  readonly entries: number;
  readonly listing: Listing | null;
}

const cache = new Map<string, CachedListing>();
let cachedEntries = 0;

/**
 * Lists a folder once per request. Returns null if it cannot be read or has too many entries. A listing is reused while the
 * folder's identity and times are the same, on file systems that update the times with each entry.
 */
export function listingOf(path: string, lookups: Lookups): Promise<Listing | null> {
  return once(lookups, `listing ${path}`, () => look(path, lookups).catch(() => null));
}

async function look(path: string, lookups: Lookups): Promise<Listing | null> {
  const before = cache.get(path);
  // Synchronous on purpose: a cached listing is from a local file system, and the thread pool would take longer than the call.
  const { dev, ino, mtimeMs, ctimeMs } = before === undefined ? await promises.stat(path) : statSync(path);
  const state = `${dev} ${ino} ${mtimeMs} ${ctimeMs}`;
  if (before?.state === state) return before.listing;
  const isLocal = await updatesFolderTimes(path, dev, lookups);
  if (isPauseDue()) await pause();
  const entries = isLocal ? readLocal(path) : await read(path);
  const found = listing(entries, isLocal);
  removeFromCache(path);
  if (isLocal && isSettled(mtimeMs, ctimeMs)) addToCache(path, { state, entries: entries.length, listing: found });
  return found;
}

async function read(path: string): Promise<readonly Dirent[]> {
  const entries: Dirent[] = [];
  // Leaving the loop closes the folder.
  for await (const entry of await promises.opendir(path, { bufferSize: 256 })) {
    entries.push(entry);
    if (entries.length > maxEntries) break;
  }
  return entries;
}

/** Like read(), but for a local file system. Synchronous on purpose: four round trips to the thread pool take longer than the read. */
function readLocal(path: string): readonly Dirent[] {
  const entries: Dirent[] = [];
  const folder = opendirSync(path, { bufferSize: 256 });
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      entries.push(entry);
      if (entries.length > maxEntries) break;
    }
  } finally {
    folder.closeSync();
  }
  return entries;
}

function listing(entries: readonly Dirent[], isLocal: boolean): Listing | null {
  if (entries.length > maxEntries) return null;
  const files: string[] = [];
  const folders: string[] = [];
  const links: string[] = [];
  const plain = new Set<string>();
  /** All names in lower case, except the plain ones without a capital letter. */
  const lowerCaseNames = new Set<string>();
  // File systems differ in which non-ASCII letters they treat as equal to ASCII letters, and which they ignore.
  let isAscii = true;
  for (const entry of entries) {
    const { name } = entry;
    const names = entry.isFile() ? files : entry.isDirectory() ? folders : entry.isSymbolicLink() ? links : null;
    names?.push(name);
    const isPlain = names === files || names === folders;
    if (isPlain) plain.add(name);
    if (isPlain && /^[ -@[-~]*$/.test(name)) continue;
    lowerCaseNames.add(name.toLowerCase());
    isAscii &&= /^[ -~]*$/.test(name);
  }
  return {
    isPlain: (name) => plain.has(name),
    certainlyLacks: (name) => isAscii && !plain.has(name) && !lowerCaseNames.has(name),
    isLocal,
    files,
    folders,
    links,
  };
}

function addToCache(path: string, one: CachedListing): void {
  if (cachedEntries + one.entries > maxCachedEntries) {
    cache.clear();
    cachedEntries = 0;
  }
  cache.set(path, one);
  cachedEntries += one.entries + 1;
}

function removeFromCache(path: string): void {
  const before = cache.get(path);
  if (before === undefined) return;
  cachedEntries -= before.entries + 1;
  cache.delete(path);
}

/**
 * The statfs(2) types of ext, XFS, Btrfs, ZFS, F2FS, tmpfs and overlayfs on Linux. FAT is not included because it does not
 * update the times, and neither are network file systems.
 */
const linux = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630]);
/** The statfs(2) type of APFS on macOS. */
const darwin = new Set([0x1a]);

/**
 * Whether a folder is on a local file system that changes the folder's times whenever an entry is created, renamed or removed.
 * Returns false if that is unknown.
 */
export function updatesFolderTimes(folder: string, dev: number, lookups: Lookups): Promise<boolean> {
  const known = process.platform === 'linux' ? linux : process.platform === 'darwin' ? darwin : null;
  return once(
    lookups,
    `updates folder times ${dev}`,
    async () => known?.has((await promises.statfs(folder)).type) ?? false,
  );
}

/** The age in milliseconds from which a timestamp is reliable: some file systems store times in units of two seconds. */
const settledMs = 3_000;

/** Whether the next change would get different timestamps from these (in milliseconds since the epoch). */
export function isSettled(mtime: number, ctime: number): boolean {
  const now = Date.now();
  return Math.abs(now - mtime) > settledMs && Math.abs(now - ctime) > settledMs;
}
