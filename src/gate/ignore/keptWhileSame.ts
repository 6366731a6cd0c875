/** A value built from parts, rebuilt when a part changes. */
interface Kept<T> {
  readonly parts: readonly unknown[];
  readonly made: T;
}

const maxKept = 50_000;

/** A cache of values by key: each is the same object as long as all its parts are. */
export class KeptWhileSame<T> {
  readonly #kept = new Map<string, Kept<T>>();

  get(key: string, parts: readonly unknown[], make: () => T): T {
    const kept = this.#kept.get(key);
    if (kept !== undefined && kept.parts.length === parts.length && kept.parts.every((part, i) => part === parts[i])) {
      return kept.made;
    }
    const made = make();
    if (this.#kept.size >= maxKept) this.#kept.clear();
    this.#kept.set(key, { parts, made });
    return made;
  }
}
