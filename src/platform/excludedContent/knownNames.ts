import { posix } from 'node:path';
import * as vscode from 'vscode';
import { builtInDenial, builtInDenialIn } from '../../gate/denials.ts';
import type { Exclusion } from '../../gate/exclusions.ts';
import type { Lookups } from '../../gate/ignore/ignoreDisk.ts';
import { isPauseDue, pause } from '../../gate/secrets/pace.ts';
import { type FolderRules, ruleFor, rulesIn, workspaceNow } from '../sources/ignored/ignoreRules.ts';

/**
 * The reasons why a file is recognized, in the order of importance: it contains credentials, `.svcignore` lists it, git
 * ignores it.
 */
export const kinds = ['credentials', 'listed', 'ignored'] as const;
export type ExcludedKind = (typeof kinds)[number];

/**
 * The result of the rules for a file. `null`: the file is not excluded, or not recognized. `unknown`: its rules cannot be
 * read.
 */
export type KnownName =
  | { readonly kind: null }
  | { readonly kind: 'unknown' }
  | { readonly kind: ExcludedKind; readonly uri: vscode.Uri; readonly key: string };

interface KeptResult {
  readonly known: KnownName;
  /**
   * The rules of the folder. null for a name that has a second Unicode form, to which other rules may apply: the result is
   * then not reused.
   */
  readonly rules: FolderRules | null;
}

const allowed: KnownName = { kind: null };
const unknown: KnownName = { kind: 'unknown' };

/** The maximum number of files whose results are kept. Other files are examined again in each search. */
const maxKept = 100_000;
/** The maximum number of folders whose rules are checked for changes. */
const maxFolders = 2_000;

interface Folder {
  readonly uri: vscode.Uri;
  readonly rules: FolderRules;
  /** Whether the file of a name is certainly not excluded. */
  readonly isFree: (name: string) => boolean;
}

/**
 * Keeps the results of the rules for excluded files from one search to the next: a result stays the same while the rules of
 * the file's folder do. Most files of a search are found again, and there may be tens of thousands of them.
 */
export class KnownNames {
  #before: ReadonlyMap<string, KeptResult> = new Map();
  #now = new Map<string, KeptResult>();
  #workspace = '';
  #lookups: Lookups = new Map();
  /** The rules of the folder of the last file, because the files of a folder are examined one after the other. */
  #last: Folder | null = null;
  /** The folders of excluded files, and of ignore files, by their paths. */
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

  /** Whether the rules of any folder have changed since the last search. */
  async haveRulesChanged(): Promise<boolean> {
    const lookups: Lookups = new Map();
    if ((await workspaceNow(lookups)).key !== this.#workspace) return true;
    for (const { uri, rules } of this.#folders.values()) {
      if (isPauseDue()) await pause();
      if ((await rulesIn(uri, lookups)) !== rules) return true;
    }
    return false;
  }

  /** Watches the rules of a folder that may contain an ignore file. */
  async lookAtRules(base: vscode.Uri, path: string): Promise<void> {
    this.#watch(await this.#folderOf(base, `${base.path}/${path}`));
  }

  /**
   * Returns a synchronous function that tells, for a name in the folder of a path, whether the file is certainly not
   * excluded.
   */
  async freeAround(base: vscode.Uri, path: string): Promise<Folder['isFree']> {
    return (await this.#folderOf(base, `${base.path}/${path}`)).isFree;
  }

  /** Examines the file with a path below a folder. Results for files that are not excluded are not kept. */
  async look(base: vscode.Uri, path: string): Promise<KnownName> {
    const whole = `${base.path}/${path}`;
    const folder = await this.#folderOf(base, whole);
    const { rules } = folder;
    const before = this.#before.get(whole);
    if (before?.rules !== rules && folder.isFree(posix.basename(path))) return allowed;
    const kept = before?.rules === rules ? before : await this.#decide(base, path, rules);
    const { known } = kept;
    if (known.kind !== null) this.#watch(folder);
    if (known.kind !== null && this.#now.size < maxKept) this.#now.set(whole, kept);
    return known;
  }

  async #folderOf(base: vscode.Uri, path: string): Promise<Folder> {
    const folder = posix.dirname(path);
    if (this.#last?.uri.path === folder) return this.#last;
    const uri = base.with({ path: folder });
    const rules = await rulesIn(uri, this.#lookups);
    this.#last = { uri, rules, isFree: freeIn(folder, rules) };
    return this.#last;
  }

  #watch(folder: Folder): void {
    if (this.#folders.size < maxFolders) this.#folders.set(folder.uri.path, folder);
  }

  async #decide(base: vscode.Uri, path: string, rules: FolderRules): Promise<KeptResult> {
    const uri = vscode.Uri.joinPath(base, path);
    const rule = builtInDenial(uri.path) === null ? await ruleFor(uri, this.#lookups) : 'credentials';
    const kind = rule === 'credentials' ? rule : kindOf(rule);
    const isUnknown = kind !== null && kind !== 'credentials' && rule !== 'credentials' && rule?.why !== undefined;
    const known = isUnknown ? unknown : kind === null ? allowed : { uri, key: uri.toString(), kind };
    return { known, rules: isPlain(path) ? rules : null };
  }
}

function freeIn(folder: string, rules: FolderRules): Folder['isFree'] {
  const denial = builtInDenialIn(folder);
  const isFolderPlain = isPlain(folder);
  return (name) => {
    const hasOneForm = isAscii(name) ? isFolderPlain : isPlain(`${folder}/${name}`);
    return hasOneForm && denial(name) === null && rules(name, false) === null;
  };
}

/** Whether a name has no second Unicode form. */
function isPlain(name: string): boolean {
  return isAscii(name) || name.normalize('NFC') === name;
}

function isAscii(name: string): boolean {
  return /^[\0-\x7f]*$/.test(name);
}

export function kindOf(rule: Exclusion | null): ExcludedKind | null {
  // `files.exclude` lists what the explorer hides, which is rarely a secret.
  if (rule === null || rule.by === 'built-in' || rule.by === 'files.exclude') return null;
  return rule.by === '.svcignore' ? 'listed' : 'ignored';
}
