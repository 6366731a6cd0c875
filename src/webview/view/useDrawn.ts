import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import type { TurnView } from '../../protocol/turnView.ts';
import { usePanel } from '../panel.ts';

/** The number of turns that are drawn immediately, newest first. */
const turnsAtOnce = 20;
/** The number of older turns that are drawn per idle period, which takes less than a frame. */
const olderAtOnce = 1;

/** The distance in turns from the current match within which older turns are drawn first. */
const nearWanted = 8;

/** The number of turns per group element: the browser skips groups out of sight; skipping 500 single turns takes time. */
const turnsPerGroup = 20;

/** The turns that are drawn: the newest `count`, and some older ones. */
interface Drawn {
  readonly count: number;
  /** The indexes of older turns that are drawn because they contain the current match, or are near it. */
  readonly older: ReadonlySet<number>;
}

const atFirst: Drawn = { count: turnsAtOnce, older: new Set() };

/** Draws the newest turns first, and the older ones while the page is idle: first those near the current match. */
export function useDrawn(conversation: string | undefined, turns: readonly TurnView[]): Drawn {
  const { state } = usePanel();
  const [drawn, setDrawn] = useState(atFirst);
  useLayoutEffect(() => setDrawn(atFirst), [conversation]);
  const wanted = state.wantedTurn.value;
  const place = wanted === undefined ? -1 : turns.findIndex(({ id }) => id === wanted);
  useLayoutEffect(() => {
    if (place !== -1) setDrawn((before) => withOlder(before, place));
  }, [place]);
  useEffect(() => {
    if (drawn.count >= turns.length) return;
    const id = requestIdleCallback(() => {
      const next = place === -1 ? undefined : nextNear(place, drawn, turns.length);
      setDrawn((before) =>
        next === undefined ? { ...before, count: before.count + olderAtOnce } : withOlder(before, next),
      );
    });
    return () => cancelIdleCallback(id);
  }, [drawn, turns.length, place]);
  return drawn;
}

function withOlder({ count, older }: Drawn, index: number): Drawn {
  return { count, older: new Set([...older, index]) };
}

/** Returns the index of the next turn near `place` that is not drawn yet. */
function nextNear(place: number, { count, older }: Drawn, length: number): number | undefined {
  for (let away = 1; away <= nearWanted; away += 1) {
    for (const index of [place + away, place - away]) {
      if (index >= 0 && index < length - count && !older.has(index)) return index;
    }
  }
  return undefined;
}

/** Returns the turns that are drawn, in groups that stay the same when older and newer turns are added. */
export function groupsOf(turns: readonly TurnView[], { count, older }: Drawn) {
  const from = Math.max(0, turns.length - Math.max(count, 1));
  const groups = new Map<number, TurnView[]>();
  for (const [index, turn] of turns.entries()) {
    if (index < from && !older.has(index)) continue;
    const first = index - (index % turnsPerGroup);
    const members = groups.get(first);
    if (members === undefined) groups.set(first, [turn]);
    else members.push(turn);
  }
  return [...groups].map(([first, members]) => ({ first, members }));
}
