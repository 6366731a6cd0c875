import { foldCase } from '../util/foldCase.ts';
import { anyNamePattern, escaped, namePattern } from '../util/namePattern.ts';
import { copyEndings, credentialFiles } from './credentialFiles.ts';

interface Rule {
  readonly name: string;
  readonly matches: RegExp;
  readonly except: RegExp | null;
}

/** Almost every rule is a whole name, an ending or a beginning, which take less time than a regular expression. */
class Names {
  readonly #whole = new Map<string, Rule>();
  /** Each begins with a dot. */
  readonly #endings = new Map<string, Rule>();
  readonly #beginnings: (readonly [string, Rule])[] = [];
  readonly #others: Rule[] = [];

  add(rule: Rule): void {
    const { name } = rule;
    if (!name.includes('*')) this.#whole.set(name, rule);
    else if (/^\*\.[^*]+$/.test(name)) this.#endings.set(name.slice(1), rule);
    else if (/^[^*]+\*$/.test(name)) this.#beginnings.push([name.slice(0, -1), rule]);
    else this.#others.push(rule);
  }

  find(name: string): Rule | null {
    const is = (rule: Rule | undefined): rule is Rule => rule !== undefined && rule.except?.test(name) !== true;
    const whole = this.#whole.get(name);
    if (is(whole)) return whole;
    for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1)) {
      const ending = this.#endings.get(name.slice(dot));
      if (is(ending)) return ending;
    }
    for (const [beginning, rule] of this.#beginnings) if (name.startsWith(beginning) && is(rule)) return rule;
    return this.#others.find((rule) => rule.matches.test(name) && is(rule)) ?? null;
  }
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

/** No file system has longer names. */
const maxName = 1_000;

/**
 * Returns the built-in rule that keeps a file from leaving, ignoring case; null if there is none. Accepts any path. No
 * ignore file, setting or user can include such a file; its text is recognized whatever way it comes (fingerprints/).
 */
export function builtInDenial(path: string): string | null {
  const folded = foldCase(path.replaceAll('\\', '/'));
  const folder = folded.slice(0, folded.lastIndexOf('/') + 1);
  const whole = folded.slice(folder.length);
  if (whole.length > maxName) return '…';
  // Every place has a folder that begins with a dot.
  const mayBePlace = folder.startsWith('.') || folder.includes('/.');
  for (const opened of namesOpenedBy(whole)) {
    for (const name of originalsOf(opened)) {
      const found = names.find(name) ?? (mayBePlace ? placeOf(folder, name) : null);
      if (found !== null) return found.name;
    }
  }
  return null;
}

function placeOf(folder: string, name: string): Rule | null {
  const whole = folder + name;
  return places.find(({ matches, except }) => matches.test(whole) && except?.test(name) !== true) ?? null;
}

/** Windows opens `.env.` and `.env ` as `.env`, and `.env::$DATA` too; elsewhere a colon is part of a name. */
function namesOpenedBy(whole: string): readonly string[] {
  const parts = whole.includes(':') ? [whole, whole.replace(/:.*$/, ''), whole.replace(/^[^:]*:/, '')] : [whole];
  return parts.map((name) => (name.endsWith('.') || name.endsWith(' ') ? name.replace(/[. ]+$/, '') : name));
}

/** A copy of a copy is looked at, too. */
const mostNames = 8;
const ending = new RegExp(`(?:(?:${copyEndings.map(escaped).join('|')})[._-]?\\d{0,14}|\\.\\d{1,4})$`);
/** Such as `.env.~1~`, which Emacs makes. */
const numbered = /\.~\d{1,9}~$/;
/** Such as `credentials (1).json`, `credentials copy.json` and `credentials - Copy (2).json`. */
const inserted = / (?:(?:- )?(?:copy|kopie)(?: \(?\d{1,4}\)?)?|\(\d{1,4}\))(?=(?:\.[^.]*)?$)/;
const beginning = /^(?:\.?#|\.~lock\.|copy of |kopie von )/;
const mayBeCopy = /[~#)\d_]$| \(|^[.#]|cop|kop|\.(?:bak|old|ori|sav|tmp|tem|rej|rpm|dpk|sw|un|kat|bac|loc)/;

/** The name, and the names of the files that it may be a copy of: `.id_rsa.swp`, `#.env#`, `.#key.pem`, `key.pem.bak.1`. */
function originalsOf(name: string): readonly string[] {
  if (!mayBeCopy.test(name)) return [name];
  const found = [name];
  const add = (original: string): void => {
    if (original !== '' && found.length < mostNames && !found.includes(original)) found.push(original);
  };
  for (const copy of found) {
    for (const part of [numbered, ending, inserted, beginning]) {
      const original = copy.replace(part, '');
      if (original === copy) continue;
      add(original);
      // Vim hides the copy of a file whose name begins with no dot.
      if (part === ending && original.startsWith('.')) add(original.slice(1));
    }
  }
  return found;
}
