import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../../gate/denials.ts';
import { type Lookups, once } from '../../../gate/ignore/ignoreDisk.ts';
import { ruleNames } from '../../../gate/ignore/ignoreTree.ts';
import { isPauseDue, pause } from '../../../gate/secrets/pace.ts';
import { filesIn, isBelow, isInWorkspace } from '../../files/links.ts';
import { type Listing, listingOf } from '../../files/listings.ts';
import { describeExclusion, outsideRule } from './describeExclusion.ts';
import { type FolderRules, rulesIn, type WorkspaceNow, workspaceNow } from './ignoreRules.ts';

/** A name of the folder, and the rules for its entries under that name. */
interface Name {
  readonly folder: vscode.Uri;
  readonly rules: FolderRules;
}

const maxReasons = 5_000;

/**
 * Knows why the files of one local folder may not be sent, without an asynchronous call for each file. For a file that is
 * not a link, the reason depends only on its name and on the data in this object.
 */
class FolderAnswers {
  readonly #path: string;
  readonly #listing: Listing;
  readonly #workspace: WorkspaceNow;
  /** The resolved folder, then the name by which the folder was opened if that differs. */
  readonly #names: readonly Name[];
  readonly #real: vscode.Uri;
  readonly #isInside: boolean;
  readonly #reasons = new Map<string, string | null>();

  constructor(path: string, listing: Listing, workspace: WorkspaceNow, names: readonly [Name, ...Name[]]) {
    this.#path = path;
    this.#listing = listing;
    this.#workspace = workspace;
    this.#names = names;
    this.#real = names[0].folder;
    this.#isInside = isInside(path, names[0].folder, workspace);
  }

  /** Returns the reason as text, or null if the file may be sent, or undefined for a URI that needs a full check. */
  why(uri: string): string | null | undefined {
    const known = this.#reasons.get(uri);
    if (known !== undefined) return known;
    const name = this.#nameIn(uri);
    const isPlain = name !== null && this.#listing.isPlain(name);
    if (!isPlain || [this.#path, this.#real.path].some((path) => this.#workspace.paths.has(`${path}/${name}`))) {
      return undefined;
    }
    const reason = this.#decide(name);
    if (reason === undefined) return undefined;
    if (this.#reasons.size >= maxReasons) this.#reasons.clear();
    this.#reasons.set(uri, reason);
    return reason;
  }

  /** Returns the name of the file in the folder, or null for a URI with an encoded slash, a query, or `..`. */
  #nameIn(uri: string): string | null {
    const written = uri.slice(uri.lastIndexOf('/') + 1);
    if (/^[\w.-]+$/.test(written)) return written;
    const { path, query, fragment } = vscode.Uri.parse(uri, true);
    const name = posix.basename(path);
    const isName = path === `${this.#path}/${name}` && name.normalize('NFC') === name;
    return isName && query === '' && fragment === '' ? name : null;
  }

  /** undefined if a full check, which pauses between the names of the folder, has to decide. */
  #decide(name: string): string | null | undefined {
    for (const [index, { folder, rules }] of this.#names.entries()) {
      if (index > 0 && isPauseDue()) return undefined;
      const path = `${folder.path}/${name}`;
      const denied = builtInDenial(path);
      const found = denied === null ? rules(name, false) : { by: 'built-in' as const, pattern: denied };
      if (found !== null) return describeExclusion(found, folder.with({ path }));
    }
    return this.#isInside ? null : outsideRule(`${this.#real.path}/${name}`);
  }
}

/** Whether the files of a folder are in the workspace; `path` is the name by which it was opened. */
function isInside(path: string, real: vscode.Uri, { folders }: WorkspaceNow): boolean {
  // In a window without a folder, the files that the user opened are the workspace, except for link targets.
  if (folders.length === 0) return real.path === path;
  return folders.some(
    (one) =>
      one.real?.scheme === real.scheme &&
      one.real.authority === real.authority &&
      isBelow(one.real.path, `${real.path}/file`),
  );
}

interface CachedAnswers {
  /** All inputs of the answers; the same objects while nothing changes. */
  readonly parts: readonly unknown[];
  readonly answers: FolderAnswers;
  readonly fsPath: string;
  /**
   * The answers for the parent folder, if the folder has no rules of its own. While they are the same, all parts except the
   * listing are the same.
   */
  readonly above: FolderAnswers | null;
}

const cache = new Map<string, CachedAnswers>();
const maxFolders = 5_000;

/**
 * Returns the answers for the folder of a URI; the same object while nothing changes. Returns null if its files need a full
 * check.
 */
export async function answersAround(uri: string, lookups: Lookups): Promise<FolderAnswers | null> {
  const folder = parentOf(uri);
  if (!/^file:\/\/\/[^?#]+$/.test(folder)) return null;
  return once(lookups, `answers ${folder}`, () => answersIn(folder, lookups));
}

/**
 * Returns the results of why() for the URIs, in the same order. A thousand calls of answersAround() would take several times
 * as long.
 */
export async function answersFor(
  uris: readonly string[],
  lookups: Lookups,
): Promise<readonly (string | null | undefined)[]> {
  const folders = uris.map(parentOf);
  const answers = new Map<string, FolderAnswers | null>();
  const look = async (folder: string): Promise<void> => {
    answers.set(folder, await answersAround(`${folder}/`, lookups));
  };
  await Promise.all([...new Set(folders)].map(look));
  const reasons: (string | null | undefined)[] = [];
  for (const [index, uri] of uris.entries()) {
    // Many slow rules take some milliseconds for a name.
    if (isPauseDue()) await pause();
    reasons.push(answers.get(folders[index] ?? '')?.why(uri));
  }
  return reasons;
}

function parentOf(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/'));
}

async function answersIn(text: string, lookups: Lookups): Promise<FolderAnswers | null> {
  const before = cache.get(text);
  if (before !== undefined && before.above !== null) {
    const [above, listing] = await Promise.all([answersAround(text, lookups), listingOf(before.fsPath, lookups)]);
    if (above === before.above && listing === before.parts[0]) return before.answers;
  }
  const folder = vscode.Uri.parse(text, true);
  if (!isCanonical(folder.path)) return null;
  const { real, listing } = await filesIn(folder, lookups);
  if (real === null || listing === null || !isCanonical(real.path)) return null;
  const isReal = real.path === folder.path;
  const [workspace, rules, realRules] = await Promise.all([
    workspaceNow(lookups),
    rulesIn(folder, lookups),
    isReal ? null : rulesIn(real, lookups),
  ]);
  const hasNoOwnRules =
    isReal &&
    isInWorkspace(folder) &&
    !isRoot(folder, workspace) &&
    ruleNames.every((name) => listing.certainlyLacks(name));
  const above = hasNoOwnRules ? await answersAround(text, lookups) : null;
  const parts = [listing, real.path, workspace.key, rules, realRules];
  const isSame = before?.parts.every((part, index) => part === parts[index]) === true;
  const named = { folder, rules };
  const names: [Name, ...Name[]] = realRules === null ? [named] : [{ folder: real, rules: realRules }, named];
  const answers = isSame ? before.answers : new FolderAnswers(folder.path, listing, workspace, names);
  if (cache.size >= maxFolders) cache.clear();
  cache.set(text, { parts, answers, fsPath: folder.fsPath, above });
  return answers;
}

/** Whether a folder is a workspace folder, which has its own settings. On some file systems, case does not matter. */
function isRoot(folder: vscode.Uri, { paths }: WorkspaceNow): boolean {
  const path = folder.path.toLowerCase();
  return [...paths].some((one) => one.toLowerCase() === path);
}

/** Whether there is only one way to write a folder's path. */
function isCanonical(path: string): boolean {
  const isNormal = posix.normalize(path) === path && path.normalize('NFC') === path && !path.endsWith('/');
  return isNormal && !(process.platform === 'win32' && path.includes('\\'));
}
