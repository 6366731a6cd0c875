import { Fragment } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TurnView } from '../../protocol/turnView.ts';
import { usePanel } from '../panel.ts';
import { Summary } from './turn/Summary.tsx';
import { Turn } from './turn/Turn.tsx';

/** Number of turns drawn at once, newest first. */
const turnsAtOnce = 20;
/** Number of older turns drawn per idle period, which takes less than a frame. */
const olderAtOnce = 1;

/** Number of turns per group element: the browser skips groups out of sight; skipping 500 single turns takes time. */
const turnsPerGroup = 20;

/** A user who scrolls down to within this distance of the end (in px) follows the answer again. */
const nearEnd = 24;

/** What may scroll the conversation. */
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/** A scroll this long after the user's last input (in ms) may still be part of it: wheels and keys scroll smoothly. */
const inputLasts = 1000;

/** The conversation. Stays at the end while the user is there, otherwise keeps the scroll position. */
export function Transcript({ turns: all }: { readonly turns: readonly TurnView[] }) {
  const { state, strings } = usePanel();
  // Those that the last summary replaces are shown when the user wants to see them.
  const summarized = all.findLast(({ summary }) => summary !== undefined);
  const isOpen = summarized?.id === state.openedSummary.value;
  const turns = summarized === undefined || isOpen ? all : all.slice(all.indexOf(summarized) + 1);
  const summary = summarized?.summary !== undefined && (
    <Summary key={summarized.id} turnId={summarized.id} summary={summarized.summary} isOpen={isOpen} />
  );
  const conversation = state.conversationId.value;
  const shown = useShownCount(conversation, turns.length);
  const { scroller, content, onScroll } = useStayAtEnd(conversation, turns.at(-1));
  return (
    <div
      ref={scroller}
      class="transcript"
      role="log"
      aria-live="off"
      aria-label={strings.transcript}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable with the keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      <div ref={content} class="turns">
        {!isOpen && summary}
        {groupsOf(turns, Math.max(0, turns.length - Math.max(shown, 1))).map(({ first, members }) => (
          <div key={first} class="turn-group">
            {members.map((turn) => (
              // The turn in this place of another branch uses the same element, so that the switch keeps the focus.
              <Fragment key={turn.siblings?.[0] ?? turn.id}>
                <Turn turn={turn} />
                {isOpen && turn === summarized && summary}
              </Fragment>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** How many turns are drawn: first the newest, then the older ones while the page is idle. */
function useShownCount(conversation: string | undefined, count: number): number {
  const [shown, setShown] = useState(turnsAtOnce);
  useLayoutEffect(() => setShown(turnsAtOnce), [conversation]);
  useEffect(() => {
    if (shown >= count) return;
    const id = requestIdleCallback(() => setShown((before) => before + olderAtOnce));
    return () => cancelIdleCallback(id);
  }, [shown, count]);
  return shown;
}

/** Keeps the scroller at the end of its content while the user is there. */
function useStayAtEnd(conversation: string | undefined, newest: TurnView | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** The scroll position at the last check, and its maximum then, px. */
  const last = useRef({ top: 0, range: 0 });
  /** Whether the content has changed since the last check: layout may have scrolled. */
  const hasChanged = useRef(false);
  /** When the user last did something in the scroller, as performance.now(). */
  const input = useRef(Number.NEGATIVE_INFINITY);
  const isInput = (): boolean => performance.now() - input.current < inputLasts;

  const look = (element: Element): void => {
    last.current = { top: element.scrollTop, range: rangeOf(element) };
    hasChanged.current = false;
  };
  const toEnd = (): void => {
    if (scroller.current === null) return;
    scroller.current.scrollTop = scroller.current.scrollHeight;
    look(scroller.current);
  };

  useLayoutEffect(() => {
    isAtEnd.current = true;
  }, [conversation]);

  // Asking a question scrolls to its answer from any position. Switching branches keeps the position.
  useLayoutEffect(() => {
    if (newest?.status === 'waiting') isAtEnd.current = true;
    if (isAtEnd.current) toEnd();
  }, [newest?.id]);

  useEffect(() => {
    if (content.current === null || scroller.current === null) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd();
    });
    observer.observe(content.current);
    observer.observe(scroller.current);
    const changes = new MutationObserver(() => {
      hasChanged.current = true;
    });
    changes.observe(content.current, { attributes: true, characterData: true, childList: true, subtree: true });
    const element = scroller.current;
    const onInput = (): void => {
      input.current = performance.now();
    };
    // Passive: a wheel does not wait for the page.
    for (const kind of inputs) element.addEventListener(kind, onInput, { passive: true });
    return () => {
      observer.disconnect();
      changes.disconnect();
      for (const kind of inputs) element.removeEventListener(kind, onInput);
    };
  }, []);

  const onScroll = ({ currentTarget }: { currentTarget: Element }): void => {
    const before = { ...last.current, hasChanged: hasChanged.current };
    look(currentTarget);
    const { top, range } = last.current;
    // A user who leaves the end scrolls up further than the content shrinks. Content that shrinks and grows between two
    // frames has the same effect: after a change, only input tells them apart.
    const isLayout = before.hasChanged || range !== before.range;
    const wentUp = before.top - top > Math.max(0, before.range - range) && (!isLayout || isInput());
    // A drag of the scroll bar is one input and many scrolls.
    if (wentUp && isInput()) input.current = performance.now();
    // Even a short way up leaves the end: a smooth scroll starts with a few pixels, and following would end it there.
    isAtEnd.current = !wentUp && (isAtEnd.current || comesToEnd(before, last.current));
    if (isAtEnd.current && range - top > nearEnd) toEnd();
  };
  return { scroller, content, onScroll };
}

/** The turns from one on, in groups that stay the same when older and newer turns are added. */
function groupsOf(turns: readonly TurnView[], from: number) {
  const groups: { readonly first: number; readonly members: readonly TurnView[] }[] = [];
  for (let first = from - (from % turnsPerGroup); first < turns.length; first += turnsPerGroup)
    groups.push({ first, members: turns.slice(Math.max(first, from), first + turnsPerGroup) });
  return groups;
}

/** A scroll position, and its maximum, px. */
interface Position {
  readonly top: number;
  readonly range: number;
}

function comesToEnd(before: Position, { top, range }: Position): boolean {
  return range - top <= nearEnd && range - top < before.range - before.top;
}

function rangeOf({ scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight;
}
