import type { SecretSpan } from './span.ts';

/**
 * Caches scan results by keys that identify exactly one text each, such as a digest. Holds no text. Evicts the least
 * recently used first.
 */
export class KeptScans {
  readonly #max: { readonly texts: number; readonly spans: number };
  readonly #scans = new Map<string, Promise<readonly SecretSpan[]>>();
  readonly #counts = new Map<string, number>();
  #spans = 0;

  /** The maximum number of texts, and of spans (of some 50 bytes) in all of them together. */
  constructor(max: { readonly texts: number; readonly spans: number }) {
    this.#max = max;
  }

  /** Returns the result for this key; if it is missing, `scan` runs once for all concurrent callers. */
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
      if (this.#scans.size <= this.#max.texts && this.#spans <= this.#max.spans) return;
      this.#scans.delete(oldest);
      this.#spans -= this.#counts.get(oldest) ?? 0;
      this.#counts.delete(oldest);
    }
  }
}
