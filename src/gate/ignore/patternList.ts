import { foldBytes } from './bytes.ts';
import { Pairs } from './pairs.ts';
import type { Work } from './wildmatch.ts';

/** The way in which a machine's git reads patterns. */
export interface GitReading {
  /** The setting `core.ignoreCase`: ASCII letters match in either case. */
  readonly ignoresCase: boolean;
  /**
   * Set for git 2.52 and later: the `**` in `a/b**` is not treated as being between slashes. Earlier versions ignored the text
   * before it.
   */
  readonly looksBack: boolean;
}

/** A path for matching: a byte string, in lower case if case is ignored. */
export interface AskedPath {
  /** The path relative to the folder of the ignore file. */
  readonly path: string;
  /** The last name of the path. */
  readonly name: string;
  readonly isFolder: boolean;
  readonly reading: GitReading;
  /** The remaining work. No answer counts after it is used up. */
  readonly work: Work;
}

/** A path for which patterns are tried. */
export interface SearchedPath extends AskedPath {
  readonly namePairs: Pairs;
  readonly pathPairs: Pairs;
}

/**
 * The text that a path must have for a pattern to match, in lower case: a whole name or path, the end of a name, or only the
 * first byte of either or the last byte of both.
 */
export interface Needed {
  readonly at: 'name' | 'path' | 'end' | 'first of name' | 'first of path' | 'last';
  readonly text: string;
}

export interface IgnorePattern {
  /** The original bytes without trailing white space. */
  readonly written: string;
  /** The line in the file, counted from 1. */
  readonly line: number;
  /** Whether the pattern begins with `!`: matching files are included again. */
  readonly isNegated: boolean;
  /** A precondition on a path; null if there is none. */
  readonly needs: Needed | null;
  matches(asked: SearchedPath): boolean;
}

/** Indexes into the list, ascending, by what each pattern needs. */
type Places = Map<string, number[]>;

/**
 * The patterns of one ignore file, in order. For a path, tries only patterns that can match: tens of thousands of names cost
 * as little as a few.
 */
export class PatternList {
  readonly #patterns: IgnorePattern[] = [];
  readonly #by: Readonly<Record<Needed['at'], Places>> = {
    name: new Map(),
    path: new Map(),
    end: new Map(),
    'first of name': new Map(),
    'first of path': new Map(),
    last: new Map(),
  };
  /** The lengths of the ends of names. */
  readonly #lengths = new Set<number>();
  /** The indexes of the patterns that need nothing. */
  readonly #always: number[] = [];

  get count(): number {
    return this.#patterns.length;
  }

  add(pattern: IgnorePattern): void {
    const place = this.#patterns.push(pattern) - 1;
    const { needs } = pattern;
    const places = needs === null ? this.#always : this.#by[needs.at].get(needs.text);
    if (places !== undefined) places.push(place);
    else if (needs !== null) this.#by[needs.at].set(needs.text, [place]);
    if (needs?.at === 'end') this.#lengths.add(needs.text.length);
  }

  /** Returns the last pattern that matches, which decides, or null. */
  lastMatch(given: AskedPath): IgnorePattern | null {
    const { ignoresCase } = given.reading;
    const [path, name] = ignoresCase ? [given.path, given.name] : [foldBytes(given.path), foldBytes(given.name)];
    const asked = { ...given, namePairs: new Pairs(name), pathPairs: new Pairs(path) };
    // The cost of folding case, collecting pairs, and looking up the ends of the name.
    given.work.left -= 2 * path.length + 30 * this.#lengths.size;
    const by = this.#by;
    let last = this.#lastOf(this.#always, asked, -1);
    last = this.#lastOf(by.name.get(name), asked, last);
    last = this.#lastOf(by.path.get(path), asked, last);
    for (const length of this.#lengths) {
      if (length <= name.length) last = this.#lastOf(by.end.get(name.slice(name.length - length)), asked, last);
    }
    last = this.#lastOf(by['first of name'].get(name[0] ?? ''), asked, last);
    last = this.#lastOf(by['first of path'].get(path[0] ?? ''), asked, last);
    last = this.#lastOf(by.last.get(name.at(-1) ?? ''), asked, last);
    return this.#patterns[last] ?? null;
  }

  /** Returns the last index of a pattern that matches, or `before` if no later pattern matches. */
  #lastOf(places: readonly number[] | undefined, asked: SearchedPath, before: number): number {
    if (places === undefined) return before;
    for (let index = places.length - 1; index >= 0; index -= 1) {
      const place = places[index] ?? -1;
      if (place <= before || asked.work.left < 0) break;
      asked.work.left -= 3;
      if (this.#patterns[place]?.matches(asked)) return place;
    }
    return before;
  }
}
