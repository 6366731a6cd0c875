import type { CompletionItem } from '../../../../protocol/attachments.ts';
import type { Offer } from '../source.ts';

/** A request of the popup's page. */
export interface ListRequest {
  /** Increases with each request of a page, and starts again with a new page. */
  readonly request: number;
  /**
   * The request whose list the page showed when it asked; null where it showed none. It shows a newer one as soon as that
   * arrives.
   */
  readonly shown: number | null;
}

/** A popup that is opened and closed again and again makes more lists. */
const mostLists = 100;

/**
 * The lists that the popup may still show. The user may choose from a list while newer ones are computed or on their way, so
 * a list stays until the page says that it shows a newer one.
 */
export class OfferedLists {
  readonly #lists = new Map<number, ReadonlyMap<string, Offer>>();
  #nextId = 1;

  add({ request, shown }: ListRequest, offers: readonly Offer[]): readonly CompletionItem[] {
    for (const known of this.#lists.keys()) {
      const isOver = known !== shown && this.#lists.size >= mostLists;
      if ((shown !== null && known < shown) || known >= request || isOver) this.#lists.delete(known);
    }
    const list = new Map(offers.map((offer) => [`c${this.#nextId++}`, offer] as const));
    this.#lists.set(request, list);
    return [...list].map(([id, { source: _, ...item }]) => ({ ...item, id }));
  }

  find(id: string): Offer | undefined {
    return [...this.#lists.values()].find((list) => list.has(id))?.get(id);
  }
}
