import type { ServiceError } from '../../util/errors.ts';
import { type Pause, pauseAfter } from './pause.ts';

/** Documents whose faults are remembered; those that failed longest ago go first. */
const mostDocuments = 100;

/** The pauses that are under way, everywhere and for single documents, which are named by their URIs. */
export class Pauses {
  #everywhere: Pause | undefined;
  readonly #documents = new Map<string, Pause>();

  /** A completion failed. Returns the pause that follows from it, if one does. */
  failed(uri: string, error: ServiceError, now: number): Pause | null {
    const pause = (where: Pause['where']) => (where === 'document' ? this.#documents.get(uri) : this.#everywhere);
    const first = pauseAfter(error, now, 1);
    if (first === null) return null;
    const next = pauseAfter(error, now, (pause(first.where)?.faults ?? 0) + 1) ?? first;
    if (next.where === 'everywhere') this.#everywhere = next;
    else this.#remember(uri, next);
    return next;
  }

  /** A request was answered: faults are counted from the beginning. */
  answered(uri: string): void {
    this.#everywhere = undefined;
    this.#documents.delete(uri);
  }

  /** Why nothing is asked for this document now; null where it may be. */
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
    if (this.#documents.size > mostDocuments && oldest !== undefined) this.#documents.delete(oldest);
  }
}
