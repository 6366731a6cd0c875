import type { AskedPath, IgnorePattern } from './patterns.ts';

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
