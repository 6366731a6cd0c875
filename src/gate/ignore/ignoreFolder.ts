import { textOf } from './bytes.ts';
import type { GitReading, PatternList } from './patternList.ts';
import { askedBytes, type Unread } from './patterns.ts';
import type { Work } from './wildmatch.ts';

/** The kind of an ignore file. */
export type IgnoreFileKind = '.gitignore' | '.svcignore' | 'info/exclude' | 'core.excludesFile';

/** The rules of one ignore file. */
export interface IgnoreRules {
  readonly by: IgnoreFileKind;
  /** The path of the file. */
  readonly source: string;
  readonly patterns: PatternList;
}

/** The deciding pattern. */
export interface IgnoredBy {
  readonly by: IgnoreFileKind;
  readonly source: string;
  readonly line: number;
  readonly pattern: string;
}

/** The reason why a file is excluded: a pattern, or that the rules that may exclude it are not known. */
export type Ignored =
  | IgnoredBy
  | { readonly by: IgnoreFileKind; readonly source: string; readonly line: null; readonly why: Unread };

/**
 * The maximum number of steps for one name in all ignore files and readings, which take about 20 ms. Fifty thousand ordinary
 * patterns take less; only hostile patterns exceed it.
 */
export const maxSteps = 1_000_000;

/** Returns what a name may cost. All ignore files and readings that are asked about it share one such object. */
export function workForName(): Work {
  return { left: maxSteps };
}

/** A cached answer. Its steps are charged again each time, so that no answer depends on what was asked before. */
interface Answer {
  readonly ignored: Ignored | null;
  readonly steps: number;
}

/**
 * A folder of a repository with its own rules and, through `above`, its parents' rules. Follows git: the innermost file with a
 * match decides, in it the last pattern, and nothing below an ignored folder is included again. Answers are cached: changed
 * rules make new folders.
 */
export class IgnoreFolder {
  readonly #above: IgnoreFolder | null;
  readonly #rules: readonly IgnoreRules[];
  readonly #reading: GitReading;
  /** The path relative to the root: '', or `a/b/` as a byte string. */
  readonly #path: string;
  readonly #name: string;
  /** Whether the folder itself is ignored with everything in it; null as long as that is not known. */
  #self: Answer | null;
  /** Whether there are no rules in this folder or above. */
  readonly #isWithoutRules: boolean;
  readonly #answers = new Map<string, Answer>();

  /** Creates the root. `rules` has the strongest first: `.gitignore`, then the files for the whole repository. */
  static root(rules: readonly IgnoreRules[], reading: GitReading): IgnoreFolder {
    return new IgnoreFolder(null, '', rules, reading);
  }

  private constructor(above: IgnoreFolder | null, name: string, rules: readonly IgnoreRules[], reading: GitReading) {
    this.#above = above;
    this.#name = name;
    this.#rules = rules;
    this.#reading = reading;
    this.#path = above === null ? '' : `${above.#path}${askedBytes(name, reading)}/`;
    this.#isWithoutRules = rules.length === 0 && (above === null || above.#isWithoutRules);
    this.#self = above === null ? { ignored: null, steps: 0 } : null;
  }

  /** Returns a subfolder with its own rules. */
  folder(name: string, rules: readonly IgnoreRules[]): IgnoreFolder {
    return new IgnoreFolder(this, name, rules, this.#reading);
  }

  /** Returns the pattern that ignores the folder itself, or null. `work` is what remains for it in all ignore files. */
  askItself(work: Work): Ignored | null {
    const known = this.#self;
    if (known !== null && known.steps <= work.left) {
      work.left -= known.steps;
      return known.ignored;
    }
    const before = work.left;
    const ignored = this.#above?.ask(this.#name, true, work) ?? null;
    if (work.left >= 0) this.#self = { ignored, steps: before - work.left };
    return ignored;
  }

  /**
   * Returns the pattern that ignores a file or subfolder, or null. `work` is what remains for the name in all ignore files; the
   * folder itself has its own. An answer for want of work is not cached: other files used it, and they may change.
   */
  ask(name: string, isFolder: boolean, work = workForName()): Ignored | null {
    if (this.#isWithoutRules) return null;
    const itself = this.#self === null ? this.askItself(workForName()) : this.#self.ignored;
    if (itself !== null) return itself;
    const key = isFolder ? `${name}/` : name;
    const known = this.#answers.get(key);
    if (known !== undefined && known.steps <= work.left) {
      work.left -= known.steps;
      return known.ignored;
    }
    const before = work.left;
    const ignored = this.#decide(askedBytes(name, this.#reading), isFolder, work);
    if (work.left < 0) return ignored;
    // A caller with very many names asks about each name only once.
    if (this.#answers.size >= maxAnswers) this.#answers.clear();
    this.#answers.set(key, { ignored, steps: before - work.left });
    return ignored;
  }

  #decide(name: string, isFolder: boolean, work: Work): Ignored | null {
    const whole = this.#path + name;
    for (let folder: IgnoreFolder | null = this; folder !== null; folder = folder.#above) {
      if (folder.#rules.length === 0) continue;
      const asked = { path: whole.slice(folder.#path.length), name, isFolder, reading: this.#reading, work };
      for (const { by, source, patterns } of folder.#rules) {
        const found = patterns.lastMatch(asked);
        if (work.left < 0) return { by, source, line: null, why: 'tooManyRules' };
        if (found === null) continue;
        return found.isNegated ? null : { by, source, line: found.line, pattern: textOf(found.written) };
      }
    }
    return null;
  }
}

/** The number of cached answers of a folder from which the cache is cleared. */
const maxAnswers = 20_000;
