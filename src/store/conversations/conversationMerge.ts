import { allTurns } from '../../session/conversation/branches.ts';
import type { Conversation, Turn } from '../../session/conversation/conversation.ts';
import { jsonOf, present, storedTurn } from './conversationFile.ts';
import type { StoredConversation, StoredTurn } from './conversationShape.ts';

/** What a window knows of a conversation's file. */
export interface Knowledge {
  /** The window has read or written just this turn: it has not changed it since. */
  readonly isKnown: (turn: Turn) => boolean;
  /** The revision of a turn when this window last read or wrote it. */
  readonly revisionOf: (turnId: string) => number | undefined;
}

export interface Merged {
  readonly conversation: StoredConversation;
  /** False where the file already says all of it. */
  readonly hasChanged: boolean;
  /** Turns of the snapshot that stand in the file now as this window has them, or as it may take them over. */
  readonly settled: readonly string[];
}

/*
 * Two windows may show and change one conversation. Each save reads the file, merges and writes it, under the lock of
 * that conversation (lock.ts), so that nobody writes in between. Merging is by field:
 *
 * - The title and the pin are changed by rename() and setPinned() alone, which write their time beside them. A snapshot
 *   brings them only where nobody ever did: what it says of them may be older than another window's change.
 * - A turn is never removed by a snapshot that lacks it: another window may have added it.
 * - A turn that this window has not touched since it read or wrote it stays as the file has it.
 * - A turn that this window has changed replaces the file's, even where its answer is shorter (it was asked again),
 *   if the file's is the one that this window last saw: each change on the disk has a revision.
 * - What a turn follows never changes. Turns that two windows asked in the same place are branches beside each other.
 * - The branch shown is the one that was last saved; what another window has added to its end is shown with it.
 * - Where both have changed it, the one with more progress wins: a complete answer over a part, a part over nothing,
 *   what has ended over what still runs; and the later of equals.
 */
export function mergeSnapshot(
  stored: StoredConversation | undefined,
  snapshot: Conversation,
  knowledge: Knowledge,
  now: number,
): Merged {
  const turns = new Map(stored?.turns.map((turn) => [turn.id, turn]));
  const settled: string[] = [];
  let haveTurnsChanged = false;
  for (const [index, turn] of allTurns(snapshot).entries()) {
    const theirs = turns.get(turn.id);
    const named = turn.parent === undefined ? snapshot.turns[index - 1]?.id : turn.parent;
    const merged = mergeTurn(theirs, turn, named ?? null, knowledge);
    if (merged.isSettled) settled.push(turn.id);
    if (merged.turn === theirs) continue;
    turns.set(turn.id, merged.turn);
    haveTurnsChanged = true;
  }
  const title = stored?.titledAt === undefined ? (titleText(snapshot.title) ?? stored?.title) : stored.title;
  const isPinned = stored?.pinnedAt === undefined ? (snapshot.isPinned ?? stored?.isPinned) : stored.isPinned;
  const shown = snapshot.turns.at(-1)?.id ?? stored?.shown;
  const conversation: StoredConversation = {
    id: snapshot.id,
    createdAt: stored?.createdAt ?? snapshot.createdAt,
    updatedAt: haveTurnsChanged || stored === undefined ? Math.max(now, stored?.updatedAt ?? 0) : stored.updatedAt,
    ...present({ title, titledAt: stored?.titledAt, isPinned, pinnedAt: stored?.pinnedAt, shown }),
    turns: [...turns.values()],
  };
  const wasShown = stored?.shown ?? stored?.turns.at(-1)?.id;
  const hasHeadChanged = title !== stored?.title || isPinned !== stored?.isPinned || shown !== wasShown;
  const hasChanged = haveTurnsChanged || hasHeadChanged;
  return { conversation, hasChanged: hasChanged || stored === undefined, settled };
}

function mergeTurn(
  theirs: StoredTurn | undefined,
  turn: Turn,
  parent: string | null,
  { isKnown, revisionOf }: Knowledge,
): { readonly turn: StoredTurn; readonly isSettled: boolean } {
  if (theirs === undefined) return { turn: storedTurn(turn, parent, 1), isSettled: true };
  // Not settled: what the window shows is older than the file, and a change it makes to that is a conflict.
  if (isKnown(turn)) return { turn: theirs, isSettled: revisionOf(turn.id) === theirs.revision };
  const ours = storedTurn(turn, theirs.parent ?? null, theirs.revision);
  if (jsonOf(ours) === jsonOf(theirs)) return { turn: theirs, isSettled: true };
  const isOurs = revisionOf(turn.id) === theirs.revision || progress(ours) >= progress(theirs);
  if (isOurs) return { turn: { ...ours, revision: theirs.revision + 1 }, isSettled: true };
  return { turn: theirs, isSettled: false };
}

function progress({ status, answer }: StoredTurn): number {
  if (status === 'complete') return 4;
  const hasEnded = status === 'stopped' || status === 'interrupted' || status === 'failed';
  return (answer === '' ? 0 : 2) + (hasEnded ? 1 : 0);
}

const maxTitle = 200;

/** A title in one line; undefined where nothing is left of it. */
export function titleText(title: string | undefined): string | undefined {
  const text = (title ?? '')
    .slice(0, 10_000)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
  return text === '' ? undefined : [...text].slice(0, maxTitle).join('').trim();
}

export function renamed(stored: StoredConversation, title: string, now: number): StoredConversation {
  const { title: _, ...rest } = stored;
  return { ...rest, ...present({ title: titleText(title) }), titledAt: now };
}

export function pinned(stored: StoredConversation, isPinned: boolean, now: number): StoredConversation {
  const { isPinned: _, ...rest } = stored;
  return { ...rest, ...(isPinned ? { isPinned: true as const } : {}), pinnedAt: now };
}
