import { allTurns } from '../../session/conversation/branches.ts';
import type { Chosen, Conversation } from '../../session/conversation/conversation.ts';
import type { Turn } from '../../session/conversation/turn.ts';
import { jsonOf, storedTurn } from './conversationFile.ts';
import { present, type StoredConversation, type StoredTurn } from './conversationShape.ts';

/** The knowledge that a window has of a conversation's file. */
export interface Knowledge {
  /** Whether this turn has not changed since the window read or wrote it. */
  readonly isKnown: (turn: Turn) => boolean;
  /** The revision of a turn when this window last read or wrote it. */
  readonly revisionOf: (turnId: string) => number | undefined;
}

interface Merged {
  readonly conversation: StoredConversation;
  /** Whether the file has to be written: it does not contain everything yet. */
  readonly hasChanged: boolean;
  /** Turns of the snapshot that now match the file, or that the window may take over from it. */
  readonly settled: readonly string[];
}

/*
 * Two windows may show and change one conversation. Each save reads the file, merges and writes it, under the lock of
 * that conversation (lock.ts), so that no other write comes in between. Merging is by field:
 *
 * - The title and the pin are changed only by rename() and setPinned(), which store the time. A snapshot sets them only
 *   if that never happened: its values may be older than another window's change.
 * - Of two choices of a model or mode for the conversation, the later one stays.
 * - A turn is never removed because a snapshot lacks it: another window may have added it.
 * - A turn that this window has not touched since it read or wrote it keeps the file's version.
 * - A turn that this window has changed replaces the file's, even if its answer is shorter (it was asked again),
 *   provided the file has the version that this window last saw: each change on the disk has a revision.
 * - A turn's parent never changes. Turns that two windows asked at the same place become sibling branches.
 * - The shown branch is the one last saved, including turns that another window has appended to it.
 * - If both have changed a turn, the one with more progress wins: a complete answer over a part, a part over nothing,
 *   an ended one over a running one; between equals, the later one.
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
  for (const turn of allTurns(snapshot)) {
    const theirs = turns.get(turn.id);
    const merged = mergeTurn(theirs, turn, knowledge);
    if (merged.isSettled) settled.push(turn.id);
    if (merged.turn === theirs) continue;
    turns.set(turn.id, merged.turn);
    haveTurnsChanged = true;
  }
  const title = stored?.titledAt === undefined ? (titleText(snapshot.title) ?? stored?.title) : stored.title;
  const isPinned = stored?.pinnedAt === undefined ? (snapshot.isPinned ?? stored?.isPinned) : stored.isPinned;
  const model = later(stored?.model, snapshot.model);
  const mode = later(stored?.mode, snapshot.mode);
  const shown = snapshot.turns.at(-1)?.id ?? stored?.shown;
  const conversation: StoredConversation = {
    id: snapshot.id,
    createdAt: stored?.createdAt ?? snapshot.createdAt,
    updatedAt: haveTurnsChanged || stored === undefined ? Math.max(now, stored?.updatedAt ?? 0) : stored.updatedAt,
    ...present({ title, titledAt: stored?.titledAt, isPinned, pinnedAt: stored?.pinnedAt, model, mode, shown }),
    turns: [...turns.values()],
  };
  const wasShown = stored?.shown ?? stored?.turns.at(-1)?.id;
  const hasChoiceChanged = model !== stored?.model || mode !== stored?.mode;
  const hasHeadChanged =
    title !== stored?.title || isPinned !== stored?.isPinned || hasChoiceChanged || shown !== wasShown;
  const hasChanged = haveTurnsChanged || hasHeadChanged;
  return { conversation, hasChanged: hasChanged || stored === undefined, settled };
}

function later<T>(stored: Chosen<T> | undefined, ours: Chosen<T> | undefined): Chosen<T> | undefined {
  return ours === undefined || (stored !== undefined && stored.at >= ours.at) ? stored : ours;
}

function mergeTurn(
  theirs: StoredTurn | undefined,
  turn: Turn,
  { isKnown, revisionOf }: Knowledge,
): { readonly turn: StoredTurn; readonly isSettled: boolean } {
  if (theirs === undefined) return { turn: storedTurn(turn, turn.parent, 1), isSettled: true };
  // The turn is not settled: the window shows an older version than the file, and a change to it is a conflict.
  if (isKnown(turn)) return { turn: theirs, isSettled: revisionOf(turn.id) === theirs.revision };
  const ours = storedTurn(turn, theirs.parent, theirs.revision);
  if (jsonOf(ours) === jsonOf(theirs)) return { turn: theirs, isSettled: true };
  const isOurs = revisionOf(turn.id) === theirs.revision || progress(ours) >= progress(theirs);
  if (isOurs) return { turn: { ...ours, revision: theirs.revision + 1 }, isSettled: true };
  return { turn: theirs, isSettled: false };
}

function progress({ end, answer }: StoredTurn): number {
  if (end?.status === 'complete') return 4;
  return (answer.text === '' ? 0 : 2) + (end === undefined ? 0 : 1);
}

const maxTitle = 200;

/** Returns a title in one line, or undefined if no text remains. */
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
