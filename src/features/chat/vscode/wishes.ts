import type { ViewEvent } from '../../../protocol/panelEvents.ts';

/** What is wanted of a page that may still be opened, in the order in which a page gets it. */
const kinds = ['focus-composer', 'draft-purged', 'find-wanted', 'preview-wanted'] as const;
type Wish = (typeof kinds)[number] & ViewEvent['type'];

/** What is wanted of the next page that is shown, each once. */
export class Wishes {
  readonly #open = new Set<Wish>();

  has(wish: Wish): boolean {
    return this.#open.has(wish);
  }

  want(wish: Wish): void {
    this.#open.add(wish);
  }

  drop(...wishes: readonly Wish[]): void {
    for (const wish of wishes) this.#open.delete(wish);
  }

  /** `publish` returns whether a page has accepted the event. */
  take(publish: (event: { readonly type: Wish }) => boolean): void {
    for (const type of kinds) if (this.#open.has(type) && publish({ type })) this.#open.delete(type);
  }
}
