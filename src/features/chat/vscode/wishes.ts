import type { ViewEvent } from '../../../protocol/panelEvents.ts';

/** The actions that a page performs when it is opened, in the order in which it gets them. */
const kinds = ['focus-composer', 'draft-purged', 'find-wanted', 'preview-wanted'] as const;
type Wish = (typeof kinds)[number] & ViewEvent['type'];

/** The actions that the next page that is shown performs, each once. */
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

  /** Publishes the pending actions. `publish` returns whether a page has accepted an event. */
  take(publish: (event: { readonly type: Wish }) => boolean): void {
    for (const type of kinds) if (this.#open.has(type) && publish({ type })) this.#open.delete(type);
  }
}
