import { posix } from 'node:path';
import * as vscode from 'vscode';
import { type Globs, globsOf } from '../../../gate/globs/globs.ts';
import type { Lookups } from '../../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import { Disk } from '../../../platform/files/disk.ts';
import { realUri } from '../../../platform/files/links.ts';
import { type Listing, listingOf } from '../../../platform/files/listings.ts';
import { type FoundRule, rulesIn } from '../../../platform/sources/ignored/ignoreRules.ts';
import { append } from '../../../util/append.ts';

/** A folder on the path from the root. */
interface Place {
  /** The path relative to the root: '', or `a/b/`. */
  readonly path: string;
  readonly uri: vscode.Uri;
  /** The path without links. */
  readonly real: string;
  readonly above: Place | null;
}

/** Folders that are never listed. */
const skipped = new Set(['node_modules', '.git']);
/** The maximum number of folders, because links can multiply folders endlessly. */
const maxFolders = 20_000;
/** The maximum number of folders that are listed in parallel. */
const maxParallel = 64;

/** The files of a workspace folder. The list may be incomplete. */
export interface LocalFiles {
  /** The paths relative to the folder, those of higher levels first. */
  readonly files: readonly string[];
  /** Whether the list is incomplete. */
  readonly isTruncated: boolean;
  /** The folders that were not entered, because a rule excludes everything in them. */
  readonly ignored: readonly string[];
}

/**
 * The files of a workspace folder as vscode.workspace.findFiles() finds them, level by level: without those that
 * `files.exclude` hides, and following links. Folders whose content must not be sent are not entered, because they
 * would fill the list with files that cannot be attached. This takes a fraction of the time, because it calls neither
 * the window nor another program, and shares the listings of folders with the search for ignore files. Returns null for
 * file systems that are not of this machine, and for folders that are unreadable or too large.
 */
export async function localFiles(root: vscode.Uri, max: number): Promise<LocalFiles | null> {
  if (root.scheme !== 'file') return null;
  const walk = new Walk(root);
  const real = await realUri(root);
  let level: readonly Place[] = real === null ? [] : [{ path: '', uri: root, real: real.path, above: null }];
  const files: string[] = [];
  const ignored: string[] = [];
  let isTruncated = false;
  for (let folders = 0; level.length > 0 && files.length < max; ) {
    const deeper: Place[] = [];
    for (let at = 0; at < level.length; at += maxParallel) {
      isTruncated = files.length >= max || folders >= maxFolders;
      if (isTruncated) break;
      const places = level.slice(at, at + maxParallel);
      folders += places.length;
      const listings = await Promise.all(places.map((place) => walk.list(place)));
      for (const [index, place] of places.entries()) {
        const listing = listings[index];
        if (!listing?.isLocal) return null;
        const one = await walk.look(place, listing);
        append(files, one.files);
        append(deeper, one.folders);
        append(ignored, one.ignored);
      }
    }
    level = isTruncated ? [] : deeper;
  }
  return { files: files.slice(0, max), isTruncated: isTruncated || level.length > 0 || files.length > max, ignored };
}

/** The contents of one folder. */
interface Level extends Omit<LocalFiles, 'isTruncated'> {
  readonly folders: readonly Place[];
}

/**
 * Whether a rule was found in a readable ignore file. If a file is unreadable, the files are listed, and each of them
 * then names it.
 */
function isKnownRule(found: FoundRule | null | undefined): boolean {
  return found !== null && found !== undefined && found.why === undefined;
}

class Walk {
  readonly #disk: Disk;
  readonly #hidden: Globs;
  readonly #followsLinks: boolean;
  /** Workspace folders inside this one. They are listed separately. */
  readonly #others: ReadonlySet<string>;
  readonly #lookups: Lookups = new Map();

  constructor(root: vscode.Uri) {
    this.#disk = new Disk(root);
    this.#hidden = hiddenIn(root);
    this.#followsLinks = vscode.workspace.getConfiguration('search', root).get('followSymlinks', true);
    this.#others = new Set((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.path));
  }

  list(place: Place): Promise<Listing | null> {
    return listingOf(place.uri.fsPath, this.#lookups);
  }

  /** Returns the contents of a folder, in slices. */
  async look(place: Place, listing: Listing): Promise<Level> {
    if (isPauseDue()) await pause();
    const shown = async (names: readonly string[]): Promise<readonly string[]> => {
      const found: string[] = [];
      for (const name of names) {
        if (isPauseDue()) await pause();
        if (this.#hidden.checkEntry(place.path + name) === null) found.push(name);
      }
      return found;
    };
    const files = (await shown(listing.files)).map((name) => place.path + name);
    const folders = await shown(listing.folders.filter((name) => !skipped.has(name)));
    const below = folders.map((name) => placeIn(place, name, `${place.real}/${name}`));
    for (const name of this.#followsLinks ? await shown(listing.links) : []) {
      const found = await this.#linked(place, name);
      if (found === 'file') files.push(place.path + name);
      else if (found !== null && !skipped.has(name)) below.push(found);
    }
    const subfolders = below.filter(({ uri }) => !this.#others.has(uri.path));
    const rules = subfolders.length === 0 ? null : await rulesIn(place.uri, this.#lookups);
    const entered: Place[] = [];
    const ignored: string[] = [];
    for (const one of subfolders) {
      if (isPauseDue()) await pause();
      if (isKnownRule(rules?.(posix.basename(one.uri.path), true))) ignored.push(one.path.slice(0, -1));
      else entered.push(one);
    }
    return { files, folders: entered, ignored };
  }

  /** Returns the target folder of a link, or null for a broken link and for a link to a folder that contains it. */
  async #linked(place: Place, name: string): Promise<Place | 'file' | null> {
    const uri = vscode.Uri.joinPath(place.uri, name);
    const kind = await this.#disk.kind(uri.path);
    if (kind !== 'folder') return kind === 'file' ? kind : null;
    const real = await realUri(uri);
    for (let around: Place | null = place; around !== null; around = around.above) {
      if (real === null || around.real === real.path) return null;
    }
    return real === null ? null : placeIn(place, name, real.path);
  }
}

function placeIn(above: Place, name: string, real: string): Place {
  return { path: `${above.path}${name}/`, uri: vscode.Uri.joinPath(above.uri, name), real, above };
}

/** The patterns of `files.exclude` without a condition. A pattern with a condition hides only some of the files. */
function hiddenIn(root: vscode.Uri): Globs {
  const setting = vscode.workspace.getConfiguration('files', root).get<Record<string, unknown>>('exclude', {});
  return globsOf(Object.fromEntries(Object.entries(setting).filter(([, value]) => value === true)), false);
}
