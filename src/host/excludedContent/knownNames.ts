import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial } from '../../gate/denials.ts';
import type { Exclusion } from '../../gate/exclusions.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { type FolderRules, ruleFor, rulesIn, workspaceNow } from '../sources/ignored/ignoreRules.ts';

/** Why a file is recognized, in the order of importance: it holds credentials, `.svcignore` lists it, git ignores it. */
export const kinds = ['credentials', 'listed', 'ignored'] as const;
export type ExcludedKind = (typeof kinds)[number];

/** What the rules say of a file. */
export interface KnownName {
  readonly uri: vscode.Uri;
  readonly key: string;
  /** null for a file that is not excluded, or that is not recognized. */
  readonly kind: ExcludedKind | null;
}

interface Kept extends KnownName {
  /** null for a name that has a second form, to which other rules may apply: it is not kept. */
  readonly rules: FolderRules | null;
}

/** The names of more files than this are looked at again in each search. */
const mostKept = 100_000;
/** Of so many folders it is known at once that their rules have changed. */
const mostFolders = 2_000;

interface Folder {
  readonly uri: vscode.Uri;
  readonly rules: FolderRules;
}

/**
 * What the rules say of the excluded files, from one search to the next one: it stays the same while the rules of their folders
 * do. Most of the files of a search are found again, and there may be tens of thousands of them.
 */
export class KnownNames {
  #before: ReadonlyMap<string, Kept> = new Map();
  #now = new Map<string, Kept>();
  #workspace = '';
  #lookups: Lookups = new Map();
  /** The rules of the folder of the last file: the files of one follow each other. */
  #last: Folder | null = null;
  /** The folders of the files that were looked at, and of ignore files, by their URIs. */
  #folders = new Map<string, Folder>();

  /** Begins a search. */
  async begin(lookups: Lookups): Promise<void> {
    const { key } = await workspaceNow(lookups);
    this.#before = key === this.#workspace ? this.#now : new Map();
    this.#workspace = key;
    this.#now = new Map();
    this.#lookups = lookups;
    this.#last = null;
    this.#folders = new Map();
  }

  /** Whether the rules of a folder are not what they were in the last search. */
  async haveRulesChanged(): Promise<boolean> {
    const lookups: Lookups = new Map();
    if ((await workspaceNow(lookups)).key !== this.#workspace) return true;
    for (const { uri, rules } of this.#folders.values()) {
      if (isPauseDue()) await pause();
      if ((await rulesIn(uri, lookups)) !== rules) return true;
    }
    return false;
  }

  /** Looks at the rules of a folder in which there may be an ignore file. */
  async lookAtRules(base: vscode.Uri, path: string): Promise<void> {
    await this.#rulesAround(base, `${base.path}/${path}`);
  }

  /** The file with a path below a folder. */
  async look(base: vscode.Uri, path: string): Promise<KnownName> {
    const whole = `${base.path}/${path}`;
    const rules = await this.#rulesAround(base, whole);
    const before = this.#before.get(whole);
    const known = before?.rules === rules ? before : await this.#decide(base, path, rules);
    if (known.kind !== null && this.#now.size < mostKept) this.#now.set(whole, known);
    return known;
  }

  async #rulesAround(base: vscode.Uri, path: string): Promise<FolderRules> {
    const folder = posix.dirname(path);
    if (this.#last?.uri.path === folder) return this.#last.rules;
    const uri = base.with({ path: folder });
    this.#last = { uri, rules: await rulesIn(uri, this.#lookups) };
    if (this.#folders.size < mostFolders) this.#folders.set(uri.toString(), this.#last);
    return this.#last.rules;
  }

  async #decide(base: vscode.Uri, path: string, rules: FolderRules): Promise<Kept> {
    const uri = vscode.Uri.joinPath(base, path);
    const isCredential = builtInDenial(uri.path) !== null;
    const kind = isCredential ? 'credentials' : kindOf(await ruleFor(uri, this.#lookups));
    return { uri, key: uri.toString(), kind, rules: path.normalize('NFC') === path ? rules : null };
  }
}

export function kindOf(rule: Exclusion | null): ExcludedKind | null {
  // `files.exclude` lists what the explorer hides, which is rarely a secret.
  if (rule === null || rule.by === 'built-in' || rule.by === 'files.exclude') return null;
  return rule.by === '.svcignore' ? 'listed' : 'ignored';
}
