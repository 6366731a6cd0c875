import { Fragment, type RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TurnView } from '../../protocol/turnView.ts';
import { type PanelState, usePanel } from '../panel.ts';
import { firstOfPart, onStopKey } from './tabStops.ts';
import { Summary } from './turn/Summary.tsx';
import { Turn } from './turn/Turn.tsx';
import { groupsOf, useDrawn } from './useDrawn.ts';

/** A user who scrolls down to within this distance of the end (in px) follows the answer again. */
const nearEnd = 24;

/** The input events that may scroll the conversation. */
const inputs = ['wheel', 'touchmove', 'pointerdown', 'keydown'];

/** The time after the user's last input during which a scroll may still be part of it, in ms: wheels and keys scroll smoothly. */
const inputDuration = 1000;

/** The events after which the current match of a search is no longer kept in place. */
const moves = [...inputs, 'focusin'];

/**
 * The conversation. It stays at the end while the user is there, and at a match of a search until the user moves on; otherwise it
 * keeps the scroll position.
 */
export function Transcript({ turns: all }: { readonly turns: readonly TurnView[] }) {
  const { state, strings } = usePanel();
  // The turns that the last summary replaces are shown on demand.
  const summarized = all.findLast(({ summary }) => summary !== undefined);
  const isOpen = summarized?.id === state.openedSummary.value;
  const turns = summarized === undefined || isOpen ? all : all.slice(all.indexOf(summarized) + 1);
  const summary = summarized?.summary !== undefined && (
    <Summary key={summarized.id} turnId={summarized.id} summary={summarized.summary} isOpen={isOpen} />
  );
  const conversation = state.conversationId.value;
  const drawn = useDrawn(conversation, turns);
  const { scroller, content, onScroll, leaveEnd } = useStayAtEnd(state, conversation, turns.at(-1));
  useLayoutEffect(() => {
    state.contentVersion += 1;
  });
  useTabStops(scroller);
  // The search fires this event when it shows a match.
  useEvent(scroller, 'beforematch', leaveEnd);
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
        {groupsOf(turns, drawn).map(({ first, members }) => (
          <div key={first} class="turn-group">
            {members.map((turn) => (
              // Turns at the same place in two branches share an element, so that a change of the branch keeps the focus.
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

/** Reduces the stops of the Tab key in each turn; see tabStops.ts. */
function useTabStops(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = scroller;
    if (current === null) return;
    let isBack = false;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (!event.defaultPrevented && onStopKey(event, current)) event.preventDefault();
    };
    const onAnyKey = ({ key, shiftKey }: KeyboardEvent): void => {
      isBack = key === 'Tab' && shiftKey;
    };
    const onFocusIn = ({ target, relatedTarget }: FocusEvent): void => {
      const isFromOutside = !(relatedTarget instanceof Node && current.contains(relatedTarget));
      if (isBack && isFromOutside && target instanceof HTMLElement) firstOfPart(target).focus();
    };
    current.addEventListener('keydown', onKeyDown);
    current.addEventListener('focusin', onFocusIn);
    document.addEventListener('keydown', onAnyKey, { capture: true });
    return () => {
      current.removeEventListener('keydown', onKeyDown);
      current.removeEventListener('focusin', onFocusIn);
      document.removeEventListener('keydown', onAnyKey, { capture: true });
    };
  }, []);
}

/** Keeps the scroller at the end of its content while the user is there. */
function useStayAtEnd(state: PanelState, conversation: string | undefined, newest: TurnView | undefined) {
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** The position at the last check. */
  const last = useRef<Position>({ top: 0, range: 0, version: 0 });
  const input = useInputTime(scroller);
  const isInput = (): boolean => performance.now() - input.current < inputDuration;

  const look = (element: Element): void => {
    last.current = { top: element.scrollTop, range: rangeOf(element), version: state.contentVersion };
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
    if (newest?.status === 'waiting') {
      isAtEnd.current = true;
      state.keepMatch = undefined;
    }
    if (isAtEnd.current) toEnd();
  }, [newest?.id]);

  useEffect(() => {
    if (content.current === null || scroller.current === null) return;
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) toEnd();
      else state.keepMatch?.();
    });
    observer.observe(content.current);
    observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);
  useInput(scroller, moves, () => {
    state.keepMatch = undefined;
  });

  const onScroll = ({ currentTarget }: { currentTarget: Element }): void => {
    const before = last.current;
    look(currentTarget);
    if (state.keepMatch !== undefined) return;
    const { top, range, version } = last.current;
    // A user who leaves the end scrolls up further than the content shrinks. Content that shrinks and grows between two
    // frames has the same effect: after a change, only input tells them apart.
    const isLayout = version !== before.version || range !== before.range;
    const wentUp = before.top - top > Math.max(0, before.range - range) && (!isLayout || isInput());
    // Dragging the scroll bar is a single input that causes many scrolls.
    if (wentUp && isInput()) input.current = performance.now();
    // Even a short way up leaves the end: a smooth scroll starts with a few pixels, and following would end it there.
    isAtEnd.current = !wentUp && (isAtEnd.current || comesToEnd(before, last.current));
    if (isAtEnd.current && range - top > nearEnd) toEnd();
  };
  /** Call this when the user moves to another place without scrolling. */
  const leaveEnd = (): void => {
    isAtEnd.current = false;
    input.current = performance.now();
  };
  return { scroller, content, onScroll, leaveEnd };
}

/** The time of the user's last input in the scroller, as performance.now(). */
function useInputTime(scroller: RefObject<Element | null>): RefObject<number> {
  const input = useRef(Number.NEGATIVE_INFINITY);
  useInput(scroller, inputs, () => {
    input.current = performance.now();
  });
  return input;
}

/** Listens to events of an element after it is first drawn. */
function useInput(element: RefObject<Element | null>, kinds: readonly string[], listen: () => void): void {
  useEffect(() => {
    const { current } = element;
    // The listeners are passive, so that scrolling with the wheel does not wait for the page.
    for (const kind of kinds) current?.addEventListener(kind, listen, { passive: true });
    return () => {
      for (const kind of kinds) current?.removeEventListener(kind, listen);
    };
  }, []);
}

function useEvent(element: RefObject<Element | null>, name: string, listen: () => void): void {
  useEffect(() => {
    element.current?.addEventListener(name, listen);
    return () => element.current?.removeEventListener(name, listen);
  });
}

/** A scroll position and its maximum in pixels, and the version of the content. */
interface Position {
  readonly top: number;
  readonly range: number;
  readonly version: number;
}

function comesToEnd(before: Position, { top, range }: Position): boolean {
  return range - top <= nearEnd && range - top < before.range - before.top;
}

function rangeOf({ scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight;
}
