/** A path as patterns see it: a string of bytes, folded where case is ignored. */
export interface AskedPath {
  /** Below the folder of the ignore file. */
  readonly path: string;
  /** The last name of it. */
  readonly name: string;
  readonly isFolder: boolean;
}

export interface IgnorePattern {
  /** As it is written, without the white space at its end. */
  readonly text: string;
  /** Of the file, counted from 1. */
  readonly line: number;
  /** `!`: what it matches is included again. */
  readonly isNegated: boolean;
  /** What it needs of a path: `name x` and `path x`, to begin with that byte; `end x`, to end with it; '' nothing. */
  readonly key: string;
  matches(asked: AskedPath): boolean;
}

/** The patterns of one ignore file in their order. For a path, only those are tried that begin, or end, as it does. */
export class PatternList {
  readonly #patterns: readonly IgnorePattern[];
  /** Places in the list, rising. */
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
