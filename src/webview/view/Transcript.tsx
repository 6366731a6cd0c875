import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TurnView } from '../../protocol/turnView.ts';
import { usePanel } from '../panel.ts';
import { Turn } from './turn/Turn.tsx';

/** Number of turns drawn at once, newest first. */
const turnsAtOnce = 20;
/** Number of older turns drawn per idle period, which takes less than a frame. */
const olderAtOnce = 1;

/** Number of turns per group element: the browser skips groups out of sight; skipping 500 single turns takes time. */
const turnsPerGroup = 20;

/** Within this distance of the end (in px), the user is following the answer. */
const nearEnd = 24;

/** The conversation. Stays at the end while the user is there, otherwise keeps the scroll position. */
export function Transcript({ turns }: { readonly turns: readonly TurnView[] }) {
  const { state, strings } = usePanel();
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
        {groupsOf(turns, Math.max(0, turns.length - Math.max(shown, 1))).map(({ first, members }) => (
          <div key={first} class="turn-group">
            {members.map((turn) => (
              // The turn in this place of another branch uses the same element, so that the switch keeps the focus.
              <Turn key={turn.siblings?.[0] ?? turn.id} turn={turn} />
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

  const look = (element: Element): void => {
    last.current = { top: element.scrollTop, range: rangeOf(element) };
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
    return () => observer.disconnect();
  }, []);

  const onScroll = ({ currentTarget }: { currentTarget: Element }): void => {
    const before = last.current;
    look(currentTarget);
    const { top, range } = last.current;
    // Layout also scrolls: new content below, or turns smaller than estimated. A user who leaves the end scrolls
    // further up.
    const wentUp = before.top - top > Math.max(0, before.range - range);
    const isNear = range - top <= nearEnd;
    isAtEnd.current = isNear || (isAtEnd.current && !wentUp);
    if (isAtEnd.current && !isNear) toEnd();
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

function rangeOf({ scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight;
}
