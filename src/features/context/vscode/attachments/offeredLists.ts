import type { CompletionItem } from '../../../../protocol/attachments.ts';
import type { Offer } from '../source.ts';

/** A request of the popup's page. */
export interface ListRequest {
  /** The number of the request. It increases with each request of a page, and starts again with a new page. */
  readonly request: number;
  /**
   * The request whose list the page showed when it asked, or null if it showed none. The page shows a newer list as
   * soon as that arrives.
   */
  readonly shown: number | null;
}

/** The maximum number of lists: a popup that is opened and closed repeatedly creates more. */
const maxLists = 100;

/**
 * The lists that the popup may still show. The user may choose from a list while newer ones are computed or sent, so a
 * list stays until the page reports that it shows a newer one.
 */
export class OfferedLists {
  readonly #lists = new Map<number, ReadonlyMap<string, Offer>>();
  #nextId = 1;

  add({ request, shown }: ListRequest, offers: readonly Offer[]): readonly CompletionItem[] {
    for (const known of this.#lists.keys()) {
      const isSurplus = known !== shown && this.#lists.size >= maxLists;
      if ((shown !== null && known < shown) || known >= request || isSurplus) this.#lists.delete(known);
    }
    const list = new Map(offers.map((offer) => [`c${this.#nextId++}`, offer] as const));
    this.#lists.set(request, list);
    return [...list].map(([id, { source: _, ...item }]) => ({ ...item, id }));
  }

  find(id: string): Offer | undefined {
    return [...this.#lists.values()].find((list) => list.has(id))?.get(id);
  }
}
