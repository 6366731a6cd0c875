import { opendir, stat, statfs } from 'node:fs/promises';
import { type Lookups, once } from '../../gate/ignore/ignoreDisk.ts';
import { isSettled } from './settled.ts';

/** The entries of a local folder. */
export interface Listing {
  /** Whether there is a file or folder of exactly this name that is not a link. */
  isPlain(name: string): boolean;
  /**
   * Whether no entry can be opened by this name (ASCII, lower case), regardless of how the file system compares names.
   */
  lacks(name: string): boolean;
}

/** Larger folders are not listed completely: callers query the disk for each file. */
const maxEntries = 5_000;
const maxKeptEntries = 500_000;

interface Kept {
  readonly state: string;
  readonly entries: number;
  readonly listing: Listing | null;
}

const kept = new Map<string, Kept>();
let keptEntries = 0;

/**
 * Lists a folder once per request; null if it cannot be read or has too many entries. A listing is reused while the
 * folder's identity and times are the same, on file systems that update those with each entry.
 */
export function listingOf(path: string, lookups: Lookups): Promise<Listing | null> {
  return once(lookups, `listing ${path}`, () => look(path, lookups).catch(() => null));
}

async function look(path: string, lookups: Lookups): Promise<Listing | null> {
  const { dev, ino, mtimeMs, ctimeMs } = await stat(path);
  const state = `${dev} ${ino} ${mtimeMs} ${ctimeMs}`;
  const before = kept.get(path);
  if (before?.state === state) return before.listing;
  const entries = await read(path);
  const found = listing(entries);
  forget(path);
  if (isSettled(mtimeMs, ctimeMs) && (await once(lookups, `dates folders ${dev}`, () => datesFolders(path)))) {
    keep(path, { state, entries: entries.length, listing: found });
  }
  return found;
}

async function read(path: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  // Leaving the loop closes the folder.
  for await (const entry of await opendir(path, { bufferSize: 256 })) {
    entries.push({ name: entry.name, isPlain: entry.isFile() || entry.isDirectory() });
    if (entries.length > maxEntries) break;
  }
  return entries;
}

interface Entry {
  readonly name: string;
  readonly isPlain: boolean;
}

function listing(entries: readonly Entry[]): Listing | null {
  if (entries.length > maxEntries) return null;
  const plain = new Set(entries.filter(({ isPlain }) => isPlain).map(({ name }) => name));
  const folded = new Set(entries.map(({ name }) => name.toLowerCase()));
  // File systems differ in which non-ASCII letters they treat as equal to ASCII letters, and which they ignore.
  const isAscii = entries.every(({ name }) => /^[ -~]*$/.test(name));
  return { isPlain: (name) => plain.has(name), lacks: (name) => isAscii && !folded.has(name) };
}

function keep(path: string, one: Kept): void {
  if (keptEntries + one.entries > maxKeptEntries) {
    kept.clear();
    keptEntries = 0;
  }
  kept.set(path, one);
  keptEntries += one.entries + 1;
}

function forget(path: string): void {
  const before = kept.get(path);
  if (before === undefined) return;
  keptEntries -= before.entries + 1;
  kept.delete(path);
}

/**
 * statfs(2) types of ext, XFS, Btrfs, ZFS, F2FS, tmpfs and overlayfs on Linux. FAT is left out because it does not
 * update the times; so are network file systems.
 */
const linux = new Set([0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0x01021994, 0x794c7630]);
/** APFS. */
const darwin = new Set([0x1a]);

/** Whether a folder's times change whenever an entry is created, renamed or removed. False if unknown. */
async function datesFolders(path: string): Promise<boolean> {
  const known = process.platform === 'linux' ? linux : process.platform === 'darwin' ? darwin : null;
  return known?.has((await statfs(path)).type) ?? false;
}
