/** A path for matching: a byte string, in lower case if case is ignored. */
export interface AskedPath {
  /** Relative to the folder of the ignore file. */
  readonly path: string;
  /** The last name of the path. */
  readonly name: string;
  readonly isFolder: boolean;
}

/** A byte that the name or the path must begin with, or that both must end with. */
export interface NeededByte {
  readonly at: 'name' | 'path' | 'end';
  readonly byte: string;
}

export interface IgnorePattern {
  /** The original text without trailing white space. */
  readonly text: string;
  /** The line in the file, counted from 1. */
  readonly line: number;
  /** `!`: matching files are included again. */
  readonly isNegated: boolean;
  /** A precondition on a path; null if there is none. */
  readonly needs: NeededByte | null;
  matches(asked: AskedPath): boolean;
}

/** The patterns of one ignore file, in order. For a path, tries only those whose first or last byte fits. */
export class PatternList {
  readonly #patterns: readonly IgnorePattern[];
  /** Indexes into the list, ascending, by the byte that each pattern needs. */
  readonly #by = {
    name: new Map<string, number[]>(),
    path: new Map<string, number[]>(),
    end: new Map<string, number[]>(),
  };
  /** Those of the patterns that need none. */
  readonly #always: number[] = [];

  constructor(patterns: readonly IgnorePattern[]) {
    this.#patterns = patterns;
    for (const [place, { needs }] of patterns.entries()) {
      const places = needs === null ? this.#always : this.#by[needs.at].get(needs.byte);
      if (places !== undefined) places.push(place);
      else if (needs !== null) this.#by[needs.at].set(needs.byte, [place]);
    }
  }

  /** The last pattern that matches decides. */
  lastMatch(asked: AskedPath): IgnorePattern | null {
    const { path, name } = asked;
    let last = this.#lastOf(this.#always, asked, -1);
    last = this.#lastOf(this.#by.name.get(name[0] ?? ''), asked, last);
    last = this.#lastOf(this.#by.path.get(path[0] ?? ''), asked, last);
    last = this.#lastOf(this.#by.end.get(name.at(-1) ?? ''), asked, last);
    return this.#patterns[last] ?? null;
  }

  /** The last index of a pattern that matches; `before` if there is none after it. */
  #lastOf(places: readonly number[] | undefined, asked: AskedPath, before: number): number {
    if (places === undefined) return before;
    for (let index = places.length - 1; index >= 0; index -= 1) {
      const place = places[index] ?? -1;
      if (place <= before) break;
      if (this.#patterns[place]?.matches(asked)) return place;
    }
    return before;
  }
}
