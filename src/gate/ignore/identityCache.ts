interface Entry<T> {
  readonly parts: readonly unknown[];
  readonly value: T;
}

const maxEntries = 50_000;

/** A cache that returns the same object for a key until one of its parts changes (===). */
export class IdentityCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  /** Returns the object if it was created with the same parts. */
  find(key: string, parts: readonly unknown[]): T | undefined {
    const entry = this.#entries.get(key);
    const isSame = entry?.parts.length === parts.length && entry.parts.every((part, index) => part === parts[index]);
    return isSame ? entry.value : undefined;
  }

  get(key: string, parts: readonly unknown[], create: () => T): T {
    const known = this.find(key, parts);
    if (known !== undefined) return known;
    const value = create();
    if (this.#entries.size >= maxEntries) this.#entries.clear();
    this.#entries.set(key, { parts, value });
    return value;
  }
}
