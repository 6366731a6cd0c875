import { useEffect, useRef, useState } from 'preact/hooks';
import { boxOf, goTo, placeOf } from '../find/goTo.ts';
import { Marks } from '../find/marks.ts';
import { type Found, type Match, Search } from '../find/search.ts';
import { pageFrames } from '../markdown/flushClock.ts';
import { type Panel, usePanel } from '../panel.ts';
import type { ShownTurn } from '../state.ts';
import { fill } from '../text.ts';

const nothing: Found = { current: undefined, number: 0, count: 0, isWhole: true };

/** Searches the conversation while the user types, scrolls to the current match, and marks the visible ones. */
export function useFind(query: string): { readonly found: Found; readonly step: (by: 1 | -1) => void } {
  const panel = usePanel();
  const [found, setFound] = useState(nothing);
  const run = useRef<FindRun>(undefined);
  const hasTurns = (panel.state.turns.value?.length ?? 0) > 0;
  useEffect(() => {
    const scroller = hasTurns ? document.querySelector('.transcript') : null;
    if (scroller === null) return;
    run.current = new FindRun(panel, scroller, setFound);
    run.current.find(query);
    return () => {
      run.current?.dispose();
      run.current = undefined;
      setFound(nothing);
    };
  }, [hasTurns]);
  useEffect(() => run.current?.find(query), [query]);
  return { found, step: (by) => run.current?.step(by) };
}

/** Returns a text such as `3 of 17`; empty while nothing is found yet. */
export function countOf({ number, count, isWhole }: Found, matchOf: string, none: string): string {
  if (count === 0) return isWhole ? none : '';
  return fill(matchOf, number).replace('{1}', String(count));
}

/** One search of a conversation, from opening to closing it. */
class FindRun {
  readonly #panel: Panel;
  readonly #scroller: Element;
  readonly #search: Search;
  readonly #marks: Marks;
  readonly #onFound: (found: Found) => void;
  readonly #ends: readonly (() => void)[];
  #query: string | undefined;
  /** The turn at which the user started the search, or to which they have moved since. */
  #from: string | undefined;
  #shown: Match | undefined;
  #going = new AbortController();
  /** Whether the result of the user's last action has not been announced yet. */
  #isAsked = false;

  constructor(panel: Panel, scroller: Element, onFound: (found: Found) => void) {
    const { state } = panel;
    this.#panel = panel;
    this.#scroller = scroller;
    this.#onFound = onFound;
    this.#from = this.#turnInSight();
    this.#marks = new Marks(scroller, () => this.#place());
    this.#search = new Search(pageFrames, () => this.#onChange());
    let turns: readonly ShownTurn[] = [];
    this.#ends = [
      state.turns.subscribe((latest = []) => {
        turns = withLastSummary(latest);
        this.#search.update(turns);
      }),
      state.grown.subscribe((grown) => {
        if (grown === undefined) return;
        turns = turns.map((turn) => (turn.id === grown.id ? grown : turn));
        this.#search.update(turns);
      }),
    ];
  }

  find(query: string): void {
    if (query === this.#query) return;
    this.#query = query;
    this.#isAsked = true;
    this.#search.find(query, this.#from);
  }

  step(by: 1 | -1): void {
    this.#isAsked = true;
    this.#search.step(by);
    this.#from = this.#search.found.current?.turnId ?? this.#from;
  }

  dispose(): void {
    for (const end of this.#ends) end();
    this.#search.dispose();
    this.#going.abort();
    this.#marks.dispose();
  }

  #place(): StaticRange | undefined {
    const { pattern } = this.#search;
    return this.#shown === undefined || pattern === undefined ? undefined : placeOf(this.#shown, pattern);
  }

  #onChange(): void {
    const { state, strings } = this.#panel;
    const { found, pattern } = this.#search;
    this.#onFound(found);
    if (found.isWhole && this.#isAsked && pattern !== undefined) {
      this.#isAsked = false;
      state.announced.value = countOf(found, strings.matchOf, strings.noMatches);
    }
    if (found.current !== this.#shown) void this.#show(found.current, pattern);
  }

  async #show(match: Match | undefined, pattern: RegExp | undefined): Promise<void> {
    this.#shown = match;
    this.#going.abort();
    this.#marks.show(pattern, undefined);
    if (match === undefined || pattern === undefined) return;
    this.#going = new AbortController();
    const { signal } = this.#going;
    this.#panel.state.wantTurn(match);
    const range = await goTo(match, pattern, signal);
    if (signal.aborted) return;
    this.#marks.show(pattern, range);
    if (range !== undefined) this.#keep(range, signal);
  }

  /** Keeps a match at its position in the transcript until `signal` aborts. */
  #keep(range: StaticRange, signal: AbortSignal): void {
    const { state } = this.#panel;
    let place: StaticRange | undefined = range;
    const top = (): number | undefined => {
      if (place?.startContainer.isConnected !== true) place = this.#place();
      const box = place && boxOf(place);
      return box && box.top - this.#scroller.getBoundingClientRect().top;
    };
    const before = top();
    state.keepMatch = () => {
      const now = top();
      if (before !== undefined && now !== undefined) this.#scroller.scrollTop += now - before;
    };
    signal.addEventListener('abort', () => {
      state.keepMatch = undefined;
    });
  }

  /** Returns the id of the turn at the top of the visible part. */
  #turnInSight(): string | undefined {
    const { top } = this.#scroller.getBoundingClientRect();
    const groups = [...this.#scroller.querySelectorAll('.turn-group')];
    const group = groups.find((each) => each.getBoundingClientRect().bottom > top);
    const turn = [...(group?.children ?? [])].find((each) => each.getBoundingClientRect().bottom > top);
    return turn instanceof HTMLElement ? turn.dataset.turn : undefined;
  }
}

/** Returns the turns with only the last summary, which is the one that is shown. */
function withLastSummary(turns: readonly ShownTurn[]): readonly ShownTurn[] {
  const last = turns.findLast(({ summary }) => summary !== undefined);
  return turns.map((turn) => {
    if (turn.summary === undefined || turn === last) return turn;
    const { summary: _, ...rest } = turn;
    return rest;
  });
}
