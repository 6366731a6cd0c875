import type { Conversation, Turn } from './conversation.ts';

/*
 * The turns of a conversation form a tree: a question that is edited begins a branch beside the old one. `turns` is the
 * path that is shown, `hidden` holds all others. In both, and in one after the other, a turn stands after its parent.
 */

/** Those shown, then those of other branches. */
export function allTurns({ turns, hidden = [] }: Pick<Conversation, 'turns' | 'hidden'>): readonly Turn[] {
  return hidden.length === 0 ? turns : [...turns, ...hidden];
}

/** The turns that could stand in the place of this one, itself among them, the oldest first. */
export function siblingsOf(conversation: Conversation, turnId: string): readonly Turn[] {
  const { hidden = [] } = conversation;
  if (hidden.length === 0) return conversation.turns.filter(({ id }) => id === turnId);
  const all = withParents(conversation);
  const turn = all.find(({ id }) => id === turnId);
  return turn === undefined ? [] : all.filter(({ parent }) => parent === turn.parent).toSorted(byAge);
}

/** The conversation as it was before this turn: it and what follows are kept, hidden. The same where it is not shown. */
export function cutBefore(conversation: Conversation, turnId: string): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turnId);
  if (index < 0) return conversation;
  const all = withParents(conversation);
  return { ...conversation, turns: all.slice(0, index), hidden: all.slice(index) };
}

/** Shows the branch of this turn: what leads to it, and of what follows the newest. The same where there is none such. */
export function showTurn(conversation: Conversation, turnId: string): Conversation {
  const all = withParents(conversation);
  const path = pathThrough(all, turnId);
  if (path.length === 0) return conversation;
  const shown = new Set(path);
  return { ...conversation, turns: path, hidden: all.filter((turn) => !shown.has(turn)) };
}

/** From a first turn through this one to a last one; empty where it is not there. Each must stand after its parent. */
export function pathThrough(all: readonly Turn[], turnId: string): readonly Turn[] {
  const turns = new Map<string, Turn>();
  const newestAfter = new Map<string, Turn>();
  for (const turn of all) {
    turns.set(turn.id, turn);
    const other = newestAfter.get(turn.parent ?? '');
    if (other === undefined || byAge(other, turn) < 0) newestAfter.set(turn.parent ?? '', turn);
  }
  const path: Turn[] = [];
  for (let turn = turns.get(turnId); turn !== undefined; turn = turns.get(turn.parent ?? '')) path.push(turn);
  path.reverse();
  for (let turn = newestAfter.get(turnId); turn !== undefined; turn = newestAfter.get(turn.id)) path.push(turn);
  return path;
}

/** Turns that name no parent follow the one before them: so it was before there were branches. */
function withParents(conversation: Conversation): readonly Turn[] {
  const shown = conversation.turns.map(
    (turn, index): Turn =>
      turn.parent === undefined ? { ...turn, parent: conversation.turns[index - 1]?.id ?? null } : turn,
  );
  return allTurns({ ...conversation, turns: shown });
}

function byAge(a: Turn, b: Turn): number {
  return a.askedAt - b.askedAt || (a.id < b.id ? -1 : 1);
}
