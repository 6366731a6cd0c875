interface Entry<T> {
  readonly parts: readonly unknown[];
  readonly value: T;
}

const maxEntries = 50_000;

/** A cache that returns the same object for a key until one of its parts changes (===). */
export class IdentityCache<T> {
  readonly #entries = new Map<string, Entry<T>>();

  get(key: string, parts: readonly unknown[], create: () => T): T {
    const entry = this.#entries.get(key);
    const isSame = entry?.parts.length === parts.length && entry.parts.every((part, index) => part === parts[index]);
    if (isSame) return entry.value;
    const value = create();
    if (this.#entries.size >= maxEntries) this.#entries.clear();
    this.#entries.set(key, { parts, value });
    return value;
  }
}
