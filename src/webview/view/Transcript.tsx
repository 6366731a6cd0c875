import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TurnView } from '../../protocol/messages.ts';
import { usePanel } from '../panel.ts';
import { Turn } from './turn/Turn.tsx';

/** So many turns are drawn at once, the newest first... */
const turnsAtOnce = 20;
/** ...and older ones, so many at a time, while the page is idle: each time takes less than a frame. */
const olderAtOnce = 1;

/** So many share one element, of which the browser passes over those out of sight: one by one, 500 take their time. */
const turnsPerGroup = 20;

/** A person this near the end (in px) is reading along. */
const nearEnd = 24;

/** The conversation. It keeps to the end while the user is there, and stays where they are otherwise. */
export function Transcript({ turns }: { readonly turns: readonly TurnView[] }) {
  const { state, strings } = usePanel();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  /** Where it was scrolled to when that was last looked at, and how far it could be, px. */
  const last = useRef({ top: 0, range: 0 });
  const conversation = state.conversationId.value;
  const [shown, setShown] = useState(turnsAtOnce);

  const look = (element: Element): void => {
    last.current = { top: element.scrollTop, range: rangeOf(element) };
  };
  const toEnd = (): void => {
    if (scroller.current === null) return;
    scroller.current.scrollTop = scroller.current.scrollHeight;
    look(scroller.current);
  };

  useLayoutEffect(() => {
    setShown(turnsAtOnce);
    isAtEnd.current = true;
  }, [conversation]);

  useEffect(() => {
    if (shown >= turns.length) return;
    const id = requestIdleCallback(() => setShown((count) => count + olderAtOnce));
    return () => cancelIdleCallback(id);
  }, [shown, turns.length]);

  // Asking a question is looking at its answer, wherever one was. Who shows another branch stays where they are.
  const newest = turns.at(-1);
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
    // Layout scrolls too: more comes below, or turns are smaller than estimated. Who leaves the end goes up further than that.
    const wentUp = before.top - top > Math.max(0, before.range - range);
    const isNear = range - top <= nearEnd;
    isAtEnd.current = isNear || (isAtEnd.current && !wentUp);
    if (isAtEnd.current && !isNear) toEnd();
  };

  return (
    <div
      ref={scroller}
      class="transcript"
      role="log"
      aria-live="off"
      aria-label={strings.transcript}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable with the keyboard
      tabIndex={0}
      onScroll={onScroll}
    >
      <div ref={content} class="turns">
        {groupsOf(turns, Math.max(0, turns.length - Math.max(shown, 1))).map(({ first, members }) => (
          <div key={first} class="turn-group">
            {members.map((turn) => (
              // In another branch the turn in this place is the same element, so that the focus stays on the switch.
              <Turn key={turn.siblings?.[0] ?? turn.id} turn={turn} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

/** The turns from one on, by groups that stay as they are when older and newer ones come. */
function groupsOf(turns: readonly TurnView[], from: number) {
  const groups: { readonly first: number; readonly members: readonly TurnView[] }[] = [];
  for (let first = from - (from % turnsPerGroup); first < turns.length; first += turnsPerGroup)
    groups.push({ first, members: turns.slice(Math.max(first, from), first + turnsPerGroup) });
  return groups;
}

function rangeOf({ scrollHeight, clientHeight }: Element): number {
  return scrollHeight - clientHeight;
}
