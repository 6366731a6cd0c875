import type { CompletionItem } from '../../protocol/attachments.ts';
import type { Offer } from './offer.ts';

/** A request of the popup's page. */
export interface ListRequest {
  /** Increases with each request of a page, and starts again with a new page. */
  readonly request: number;
  /** The request whose list the page shows until this one is answered; null where it shows none. */
  readonly shown: number | null;
}

/**
 * The lists that the popup may still show. The user may choose from a list while newer ones are computed, so a list
 * stays until the page no longer shows it.
 */
export class OfferedLists {
  readonly #lists = new Map<number, ReadonlyMap<string, Offer>>();
  #nextId = 1;

  add({ request, shown }: ListRequest, offers: readonly Offer[]): readonly CompletionItem[] {
    for (const known of this.#lists.keys()) {
      if (known < (shown ?? request) || known >= request) this.#lists.delete(known);
    }
    const list = new Map(offers.map((offer) => [`c${this.#nextId++}`, offer] as const));
    this.#lists.set(request, list);
    return [...list].map(([id, { source: _, ...item }]) => ({ ...item, id }));
  }

  find(id: string): Offer | undefined {
    return [...this.#lists.values()].find((list) => list.has(id))?.get(id);
  }
}
