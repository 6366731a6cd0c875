/** The files of the conversation that may not leave. A rule is new if it excludes one that the last search has not found. */
export class RefusedFiles {
  #last: ReadonlySet<string> = new Set();

  /** Whether there is a new one among those of a request; each is asked about once. `found`: by their URIs. */
  haveNew(uris: readonly string[], found: ReadonlyMap<string, unknown> | undefined): boolean {
    const before = this.#last;
    this.#last = new Set(uris);
    return uris.some((uri) => !before.has(uri) && found?.has(uri) !== true);
  }
}
