import type { Frames } from '../markdown/flushClock.ts';
import type { ShownTurn } from '../state.ts';
import { countIn, patternOf, sourcePatternOf } from './pattern.ts';
import { type Field, fields, sourcesOf, textsOf } from './turnTexts.ts';

/** A match: the n-th match in a part of a turn, counted from 0. */
export interface Match {
  readonly turnId: string;
  readonly field: Field;
  readonly nth: number;
}

/** The result of a search, for display. */
export interface Found {
  readonly current: Match | undefined;
  /** The number of the current match, counted from 1; 0 if there is no match. */
  readonly number: number;
  /** The number of matches in the part that was searched so far. */
  readonly count: number;
  /** Whether everything was searched. */
  readonly isWhole: boolean;
}

type Counts = Readonly<Record<Field, number>>;

interface Known {
  readonly turn: ShownTurn;
  readonly texts: Readonly<Record<Field, readonly string[]>>;
  /** The time that it took to extract the texts, and the time at which they were extracted, in ms. */
  readonly cost: number;
  readonly at: number;
}

/** Returns the time at which a growing text is searched again. */
function dueAt({ at, cost }: Known): number {
  return at + Math.max(250, 20 * cost);
}

/** The maximum time of a slice of the search, in ms: less than a frame. */
const slice = 6;

/**
 * Finds a text in all turns, in slices, so that the page stays responsive. Turns whose source has the text are searched first, so
 * that the first match is found immediately; other turns may contain it, too, across formats such as `**`.
 */
export class Search {
  readonly #clock: Pick<Frames, 'now' | 'after'>;
  readonly #onChange: () => void;
  #turns: readonly ShownTurn[] = [];
  #pattern: RegExp | undefined;
  readonly #known = new Map<string, Known>();
  readonly #counts = new Map<string, { readonly counts: Counts; readonly sum: number }>();
  /** The turns that are still to be searched, next first. */
  #queue: ShownTurn[] = [];
  /** The index of the turn at which the search begins. */
  #from = 0;
  #current: Match | undefined;
  /** Whether the first search of this text is still incomplete: the first match that it finds becomes the current one. */
  #isFirst = true;
  #isWorking = false;
  #isDisposed = false;

  constructor(clock: Pick<Frames, 'now' | 'after'>, onChange: () => void) {
    this.#clock = clock;
    this.#onChange = onChange;
  }

  get found(): Found {
    let count = 0;
    let number = 0;
    for (const { id } of this.#turns) {
      if (id === this.#current?.turnId) number = count + this.#numberIn(this.#current);
      count += this.#sumOf(id);
    }
    return { current: this.#current, number, count, isWhole: this.#queue.every(({ id }) => this.#counts.has(id)) };
  }

  get pattern(): RegExp | undefined {
    return this.#pattern;
  }

  /** Searches for another text, beginning at the turn `from`. */
  find(query: string, from: string | undefined): void {
    this.#pattern = patternOf(query);
    this.#from = Math.max(
      0,
      this.#turns.findIndex(({ id }) => id === from),
    );
    this.#current = undefined;
    this.#isFirst = true;
    this.#counts.clear();
    this.#queue = this.#inOrder(sourcePatternOf(query));
    this.#onChange();
    this.#work();
  }

  /** Updates the turns of the conversation: some may be new, changed or removed. */
  update(turns: readonly ShownTurn[]): void {
    if (turns === this.#turns) return;
    this.#turns = turns;
    const ids = new Set(turns.map(({ id }) => id));
    for (const known of [this.#known, this.#counts]) {
      for (const id of known.keys()) if (!ids.has(id)) known.delete(id);
    }
    if (this.#current !== undefined && !ids.has(this.#current.turnId)) this.#current = undefined;
    const queued = new Set(this.#queue.map(({ id }) => id));
    const changed = turns.filter((turn) => !queued.has(turn.id) && this.#known.get(turn.id)?.turn !== turn);
    const latest = new Map(turns.map((turn) => [turn.id, turn]));
    this.#queue = [...this.#queue.flatMap(({ id }) => latest.get(id) ?? []), ...changed];
    this.#onChange();
    this.#work();
  }

  /** Goes to the next or previous match; the first match follows the last one. */
  step(by: 1 | -1): void {
    const here = this.#current;
    const inTurn = here === undefined ? -1 : this.#numberIn(here) - 1 + by;
    if (here !== undefined && inTurn >= 0 && inTurn < this.#sumOf(here.turnId)) {
      this.#goTo(this.#matchAt(here.turnId, inTurn));
      return;
    }
    const places = this.#turns.filter(({ id }) => this.#sumOf(id) > 0);
    const at = places.findIndex(({ id }) => id === here?.turnId);
    const first = by === 1 ? 0 : -1;
    const next = places.at(at === -1 ? first : (at + by) % places.length);
    if (next !== undefined) this.#goTo(this.#matchAt(next.id, by === 1 ? 0 : this.#sumOf(next.id) - 1));
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  #goTo(match: Match): void {
    this.#current = match;
    this.#onChange();
  }

  /**
   * Returns all turns in the order in which they are searched: first the turns whose source seems to have the text, beginning at
   * the start of the search.
   */
  #inOrder(pattern: RegExp | undefined): ShownTurn[] {
    const order = [...this.#turns.slice(this.#from), ...this.#turns.slice(0, this.#from).reverse()];
    if (pattern === undefined) return order;
    const likely = new Set(order.filter((turn) => sourcesOf(turn).some((text) => text.search(pattern) !== -1)));
    return [...likely, ...order.filter((turn) => !likely.has(turn))];
  }

  #work(wait = 0): void {
    if (this.#isWorking || this.#isDisposed || this.#queue.length === 0) return;
    this.#isWorking = true;
    this.#clock.after(wait, () => {
      this.#isWorking = false;
      if (!this.#isDisposed) this.#slice();
    });
  }

  #slice(): void {
    const begin = this.#clock.now();
    const deferred: ShownTurn[] = [];
    let turn = this.#queue.shift();
    while (turn !== undefined) {
      const known = this.#known.get(turn.id);
      const isDeferred = known !== undefined && known.turn !== turn && begin < dueAt(known);
      if (isDeferred) deferred.push(turn);
      if (!isDeferred) this.#searchIn(this.#knownOf(turn));
      else if (!this.#counts.has(turn.id)) this.#searchIn(known);
      if (this.#clock.now() - begin > slice) break;
      turn = this.#queue.shift();
    }
    // Only the growing turns are left to search.
    const due = deferred.map(({ id }) => this.#known.get(id)).map((known) => (known === undefined ? 0 : dueAt(known)));
    const wait = this.#queue.length > 0 ? 0 : Math.max(0, Math.min(...due) - this.#clock.now());
    if (this.#queue.length === 0) this.#isFirst = false;
    for (const one of deferred) this.#queue.push(one);
    this.#onChange();
    this.#work(wait);
  }

  #searchIn(known: Known): void {
    const pattern = this.#pattern;
    const { id } = known.turn;
    if (pattern === undefined) return;
    const counts = Object.fromEntries(
      fields.map((field) => [field, known.texts[field].reduce((sum, text) => sum + countIn(text, pattern), 0)]),
    ) as Record<Field, number>;
    const sum = Object.values(counts).reduce((all, one) => all + one, 0);
    this.#counts.set(id, { counts, sum });
    const current = this.#current;
    // The text changed, so that the current match no longer exists.
    if (current?.turnId === id && current.nth >= counts[current.field]) {
      this.#current = sum === 0 ? undefined : this.#matchAt(id, Math.min(this.#numberIn(current), sum) - 1);
    }
    // Later matches do not move the page: the user may be reading.
    if (sum === 0 || this.#current !== undefined || !this.#isFirst) return;
    const isBefore = this.#turns.findIndex((turn) => turn.id === id) < this.#from;
    this.#current = this.#matchAt(id, isBefore ? sum - 1 : 0);
  }

  #knownOf(turn: ShownTurn): Known {
    const before = this.#known.get(turn.id);
    if (before?.turn === turn) return before;
    const at = this.#clock.now();
    const texts = textsOf(turn);
    const known = { turn, texts, cost: this.#clock.now() - at, at };
    this.#known.set(turn.id, known);
    return known;
  }

  #sumOf(id: string): number {
    return this.#counts.get(id)?.sum ?? 0;
  }

  /** Returns the number of a match in its turn, counted from 1. */
  #numberIn({ turnId, field, nth }: Match): number {
    const counts = this.#counts.get(turnId)?.counts;
    const before = fields.slice(0, fields.indexOf(field)).reduce((sum, one) => sum + (counts?.[one] ?? 0), 0);
    return before + nth + 1;
  }

  #matchAt(turnId: string, index: number): Match {
    const counts = this.#counts.get(turnId)?.counts;
    let nth = index;
    for (const field of fields) {
      const count = counts?.[field] ?? 0;
      if (nth < count) return { turnId, field, nth };
      nth -= count;
    }
    return { turnId, field: 'answer', nth: 0 };
  }
}
