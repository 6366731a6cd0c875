/** The limits for the content that is read from a folder that git ignores as a whole. `docs/privacy.md` has the numbers. */
const limits = { files: 2_000, bytes: 8 * 1024 * 1024 };

/** Counts the content that is read from each folder that git ignores as a whole. Other files have no folder, and no limit. */
export class Room {
  readonly #taken = new Map<string, { readonly files: number; readonly bytes: number }>();
  readonly #full = new Set<string>();

  /** The folders with a file that exceeded the limits. */
  get full(): readonly string[] {
    return [...this.#full];
  }

  has(folder: string | undefined): boolean {
    const taken = folder === undefined ? undefined : this.#taken.get(folder);
    return taken === undefined || (taken.files < limits.files && taken.bytes < limits.bytes);
  }

  take(folder: string | undefined, bytes: number): void {
    if (folder === undefined) return;
    const before = this.#taken.get(folder) ?? { files: 0, bytes: 0 };
    this.#taken.set(folder, { files: before.files + 1, bytes: before.bytes + bytes });
  }

  refuse(folder: string | undefined): void {
    if (folder !== undefined) this.#full.add(folder);
  }
}
