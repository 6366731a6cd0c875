import { foldCase } from '../util/foldCase.ts';
import { addTo } from '../util/groups.ts';
import { anyNamePattern, escaped, namePattern } from '../util/namePattern.ts';
import { copyEndings, credentialFiles } from './credentialFiles.ts';

interface Rule {
  readonly name: string;
  readonly matches: RegExp;
  readonly except: RegExp | null;
}

/** Finds the rule for a name. Almost every rule is a whole name, an extension or a prefix: faster than a regular expression. */
class Names {
  readonly #whole = new Map<string, Rule>();
  /** The rules for extensions, which begin with a dot. */
  readonly #extensions = new Map<string, Rule>();
  /** Rules are found by the first character of a name, or by the last one if they begin with a wildcard. */
  readonly #byFirst = new Map<string, Rule[]>();
  readonly #byLast = new Map<string, Rule[]>();

  add(rule: Rule): void {
    const { name } = rule;
    if (!name.includes('*')) this.#whole.set(name, rule);
    else if (/^\*\.[^*]+$/.test(name)) this.#extensions.set(name.slice(1), rule);
    else if (!name.startsWith('*')) addTo(this.#byFirst, name.charAt(0), rule);
    else if (!name.endsWith('*')) addTo(this.#byLast, name.slice(-1), rule);
    else throw new Error(`no place for ${name}`);
  }

  find(name: string): Rule | null {
    const whole = this.#whole.get(name);
    if (whole !== undefined && counts(whole, name)) return whole;
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      const suffix = this.#extensions.get(name.slice(dot));
      if (suffix !== undefined && counts(suffix, name)) return suffix;
    }
    return matchAmong(this.#byFirst.get(name.charAt(0)), name) ?? matchAmong(this.#byLast.get(name.slice(-1)), name);
  }
}

function matchAmong(rules: readonly Rule[] | undefined, name: string): Rule | null {
  if (rules === undefined) return null;
  for (const rule of rules) if (rule.matches.test(name) && counts(rule, name)) return rule;
  return null;
}

function counts(rule: Rule, name: string): boolean {
  return rule.except?.test(name) !== true;
}

const names = new Names();
const places: Rule[] = [];
for (const { names: written, except = [] } of credentialFiles) {
  for (const name of written) {
    const rule = { name, matches: namePattern(name), except: except.length === 0 ? null : anyNamePattern(except) };
    if (name.includes('/')) places.push(rule);
    else names.add(rule);
  }
}

/** The maximum length of a name; no file system has longer ones. */
const maxName = 1_000;

/**
 * Returns the built-in rule that keeps a file from being sent, ignoring case, or null. Accepts any path. No ignore file,
 * setting or user can include such a file; its text is recognized whatever its source is (fingerprints/).
 */
export function builtInDenial(path: string): string | null {
  const folded = foldCase(path.replaceAll('\\', '/'));
  const folder = folded.slice(0, folded.lastIndexOf('/') + 1);
  return denialOf(folded.slice(folder.length), mayHavePlaces(folder) ? folder : null);
}

/** Like builtInDenial(), for the files of one folder, by their names. */
export function builtInDenialIn(path: string): (name: string) => string | null {
  const folder = foldCase(`${path.replaceAll('\\', '/')}/`);
  const places = mayHavePlaces(folder) ? folder : null;
  return (name) => (name.includes('\\') ? builtInDenial(`${path}/${name}`) : denialOf(foldCase(name), places));
}

/** Whether a rule with a folder may match: each such rule has a folder that begins with a dot. */
function mayHavePlaces(folder: string): boolean {
  return folder.startsWith('.') || folder.includes('/.');
}

/** `folder` is null if no rule with a folder can match. */
function denialOf(whole: string, folder: string | null): string | null {
  if (whole.length > maxName) return '…';
  for (const opened of namesOpenedBy(whole)) {
    for (const name of originalsOf(opened)) {
      const found = names.find(name) ?? (folder === null ? null : placeOf(folder, name));
      if (found !== null) return found.name;
    }
  }
  return null;
}

function placeOf(folder: string, name: string): Rule | null {
  const whole = folder + name;
  return places.find(({ matches, except }) => matches.test(whole) && except?.test(name) !== true) ?? null;
}

/** The names of the file that a name opens: Windows opens `.env.`, `.env ` and `.env::$DATA` as `.env`. */
function namesOpenedBy(whole: string): readonly string[] {
  const parts = whole.includes(':') ? [whole, whole.replace(/:.*$/, ''), whole.replace(/^[^:]*:/, '')] : [whole];
  return parts.map((name) => (name.endsWith('.') || name.endsWith(' ') ? name.replace(/[. ]+$/, '') : name));
}

/** The maximum number of names that are examined for one file: a copy can be the copy of a copy. */
const maxNames = 8;
const suffix = new RegExp(`(?:(?:${copyEndings.map(escaped).join('|')})[._-]?\\d{0,14}|\\.\\d{1,4})$`);
/** The end of a name such as `.env.~1~`, which Emacs makes. */
const numbered = /\.~\d{1,9}~$/;
/** The text to remove from `credentials (1).json`, `credentials copy.json` and `credentials - Copy (2).json`. */
const inserted = / (?:(?:- )?(?:copy|kopie)(?: \(?\d{1,4}\)?)?|\(\d{1,4}\))(?=(?:\.[^.]*)?$)/;
const beginning = /^(?:\.?#|\.~lock\.|copy of |kopie von )/;
const mayBeCopy = /[~#)\d_]$| \(|^[.#]|cop|kop|\.(?:bak|old|ori|sav|tmp|tem|rej|rpm|dpk|sw|un|kat|bac|loc)/;

/**
 * Returns the name, and the names of the files that it may be a copy of: `.id_rsa.swp`, `#.env#`, `.#key.pem`,
 * `key.pem.bak.1`.
 */
function originalsOf(name: string): readonly string[] {
  if (!mayBeCopy.test(name)) return [name];
  const found = [name];
  const add = (original: string): void => {
    if (original !== '' && found.length < maxNames && !found.includes(original)) found.push(original);
  };
  for (const copy of found) {
    for (const part of [numbered, suffix, inserted, beginning]) {
      const original = copy.replace(part, '');
      if (original === copy) continue;
      add(original);
      // Vim adds a dot before the name of a copy unless it has one.
      if (part === suffix && original.startsWith('.')) add(original.slice(1));
    }
  }
  return found;
}
