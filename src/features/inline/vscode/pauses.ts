import type { ServiceError } from '../../../util/errors.ts';
import { type Pause, pauseAfter } from './pause.ts';

/** The maximum number of documents whose failures are tracked; the oldest failures are dropped first. */
const maxDocuments = 100;

/** The current pauses, for all documents or for single documents by URI. Times are milliseconds since the epoch. */
export class Pauses {
  #everywhere: Pause | undefined;
  readonly #documents = new Map<string, Pause>();

  /** Records a failed completion. Returns the resulting pause, or null. */
  failed(uri: string, error: ServiceError, now: number): Pause | null {
    const pause = (where: Pause['where']) => (where === 'document' ? this.#documents.get(uri) : this.#everywhere);
    const first = pauseAfter(error, now, 1);
    if (first === null) return null;
    const next = pauseAfter(error, now, (pause(first.where)?.faults ?? 0) + 1) ?? first;
    if (next.where === 'everywhere') this.#everywhere = next;
    else this.#remember(uri, next);
    return next;
  }

  /** Records an answered request: resets the failure count. */
  answered(uri: string): void {
    this.#everywhere = undefined;
    this.#documents.delete(uri);
  }

  /** Returns the pause that blocks requests for this document, or null if there is none. */
  current(uri: string, now: number): Pause | null {
    const [pause] = [this.#everywhere, this.#documents.get(uri)].filter((one) => one !== undefined && one.until > now);
    return pause ?? null;
  }

  clear(): void {
    this.#everywhere = undefined;
    this.#documents.clear();
  }

  #remember(uri: string, pause: Pause): void {
    this.#documents.delete(uri);
    this.#documents.set(uri, pause);
    const [oldest] = this.#documents.keys();
    if (this.#documents.size > maxDocuments && oldest !== undefined) this.#documents.delete(oldest);
  }
}
