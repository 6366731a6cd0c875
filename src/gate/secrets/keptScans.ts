import type { SecretSpan } from './span.ts';

/**
 * What was found in texts, by keys that stand for exactly one text each, such as a digest. Holds no text. What was not
 * asked for longest goes first.
 */
export class KeptScans {
  readonly #most: { readonly texts: number; readonly spans: number };
  readonly #scans = new Map<string, Promise<readonly SecretSpan[]>>();
  readonly #counts = new Map<string, number>();
  #spans = 0;

  /** At most so many texts, and so many spans (of some 50 bytes) in all of them together. */
  constructor(most: { readonly texts: number; readonly spans: number }) {
    this.#most = most;
  }

  /** What was found in the text of this key; `scan` looks for it where that is not known, once for all who ask meanwhile. */
  async get(key: string, scan: () => Promise<readonly SecretSpan[]>): Promise<readonly SecretSpan[]> {
    const kept = this.#scans.get(key);
    if (kept !== undefined) {
      this.#scans.delete(key);
      this.#scans.set(key, kept);
      return kept;
    }
    const scanning = scan();
    this.#scans.set(key, scanning);
    try {
      const spans = await scanning;
      this.#count(key, scanning, spans.length);
      return spans;
    } catch (error) {
      if (this.#scans.get(key) === scanning) this.#scans.delete(key);
      throw error;
    }
  }

  #count(key: string, scanning: Promise<readonly SecretSpan[]>, count: number): void {
    if (this.#scans.get(key) !== scanning) return;
    this.#counts.set(key, count);
    this.#spans += count;
    for (const oldest of this.#scans.keys()) {
      if (this.#scans.size <= this.#most.texts && this.#spans <= this.#most.spans) return;
      this.#scans.delete(oldest);
      this.#spans -= this.#counts.get(oldest) ?? 0;
      this.#counts.delete(oldest);
    }
  }
}
