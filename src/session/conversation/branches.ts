import type { Conversation } from './conversation.ts';
import type { Turn } from './turn.ts';

/*
 * The turns of a conversation form a tree: editing a question starts a branch beside the old one. `turns` is the shown
 * path, `hidden` contains all other turns. In each list, and in their concatenation, a turn follows its parent.
 */

/** The shown turns, then the turns of other branches. */
export function allTurns({ turns, hidden = [] }: Pick<Conversation, 'turns' | 'hidden'>): readonly Turn[] {
  return hidden.length === 0 ? turns : [...turns, ...hidden];
}

/** The alternatives of this turn, including itself, oldest first. */
export function siblingsOf(conversation: Conversation, turnId: string): readonly Turn[] {
  const { hidden = [] } = conversation;
  if (hidden.length === 0) return conversation.turns.filter(({ id }) => id === turnId);
  const all = allTurns(conversation);
  const turn = all.find(({ id }) => id === turnId);
  return turn === undefined ? [] : all.filter(({ parent }) => parent === turn.parent).toSorted(byAge);
}

/** Cuts the conversation before this turn, which becomes hidden with all that follow. Returns it unchanged if the turn is not shown. */
export function cutBefore(conversation: Conversation, turnId: string): Conversation {
  const index = conversation.turns.findIndex(({ id }) => id === turnId);
  if (index < 0) return conversation;
  const all = allTurns(conversation);
  return { ...conversation, turns: all.slice(0, index), hidden: all.slice(index) };
}

/** Shows the branch of this turn: its ancestors and the newest of its descendants. Returns it unchanged if the turn does not exist. */
export function showTurn(conversation: Conversation, turnId: string): Conversation {
  const all = allTurns(conversation);
  const path = pathThrough(all, turnId);
  if (path.length === 0) return conversation;
  const shown = new Set(path);
  return { ...conversation, turns: path, hidden: all.filter((turn) => !shown.has(turn)) };
}

/**
 * Returns the path from the root through this turn to a leaf; parents come before their children. Returns an empty array if the
 * turn does not exist.
 */
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

function byAge(a: Turn, b: Turn): number {
  return a.question.askedAt - b.question.askedAt || (a.id < b.id ? -1 : 1);
}
