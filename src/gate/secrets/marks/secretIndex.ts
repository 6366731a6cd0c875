/** The maximum number of lengths of texts with the same start; only documents that were made to be slow have more. */
const maxLengths = 64;

interface Group<T> {
  readonly lengths: Set<number>;
  readonly byText: Map<string, T[]>;
}

/** Finds which of many texts occur at a position, in a time that does not depend on their number. */
export class SecretIndex<T> {
  readonly #groups = new Map<string, Group<T>>();
  /** The length of the shortest text, at most 8. */
  readonly #letters: number;

  constructor(all: readonly T[], textOf: (one: T) => string) {
    this.#letters = all.reduce((min, one) => Math.min(min, textOf(one).length), 8);
    for (const one of all) this.#add(one, textOf(one));
  }

  at(text: string, position: number): readonly T[] {
    const group = this.#groups.get(text.slice(position, position + this.#letters));
    if (group === undefined) return [];
    const found: T[] = [];
    for (const length of group.lengths) {
      for (const one of group.byText.get(text.slice(position, position + length)) ?? []) found.push(one);
    }
    return found;
  }

  #add(one: T, text: string): void {
    if (this.#letters === 0) return;
    const start = text.slice(0, this.#letters);
    const group = this.#groups.get(start) ?? { lengths: new Set(), byText: new Map() };
    this.#groups.set(start, group);
    if (!group.lengths.has(text.length) && group.lengths.size >= maxLengths) return;
    group.lengths.add(text.length);
    const same = group.byText.get(text);
    if (same === undefined) group.byText.set(text, [one]);
    else same.push(one);
  }
}
