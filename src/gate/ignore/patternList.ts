/** A path for matching: a byte string, in lower case if case is ignored. */
export interface AskedPath {
  /** Relative to the folder of the ignore file. */
  readonly path: string;
  /** The last name of the path. */
  readonly name: string;
  readonly isFolder: boolean;
}

export interface IgnorePattern {
  /** The original text without trailing white space. */
  readonly text: string;
  /** The line in the file, counted from 1. */
  readonly line: number;
  /** `!`: matching files are included again. */
  readonly isNegated: boolean;
  /**
   * A precondition on a path: `name x` and `path x` require it to begin with that byte; `end x`, to end with it; ''
   * requires nothing.
   */
  readonly key: string;
  matches(asked: AskedPath): boolean;
}

/** The patterns of one ignore file, in order. For a path, tries only those whose first or last byte fits. */
export class PatternList {
  readonly #patterns: readonly IgnorePattern[];
  /** Indexes into the list, ascending. */
  readonly #byKey = new Map<string, number[]>();

  constructor(patterns: readonly IgnorePattern[]) {
    this.#patterns = patterns;
    for (const [place, { key }] of patterns.entries()) {
      const places = this.#byKey.get(key);
      if (places === undefined) this.#byKey.set(key, [place]);
      else places.push(place);
    }
  }

  /** The last pattern that matches decides. */
  lastMatch(asked: AskedPath): IgnorePattern | null {
    let last = -1;
    for (const key of ['', `name ${asked.name[0]}`, `path ${asked.path[0]}`, `end ${asked.name.at(-1)}`]) {
      const places = this.#byKey.get(key) ?? [];
      for (let index = places.length - 1; index >= 0; index -= 1) {
        const place = places[index] ?? -1;
        if (place <= last) break;
        if (!this.#patterns[place]?.matches(asked)) continue;
        last = place;
        break;
      }
    }
    return this.#patterns[last] ?? null;
  }
}
