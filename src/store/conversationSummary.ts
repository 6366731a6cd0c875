import { titleText } from './conversationMerge.ts';
import type { StoredConversation } from './conversationShape.ts';

/** A line of the list of conversations. */
export interface ConversationSummary {
  readonly id: string;
  /** As it was named, or the first line of its first prompt; at most 80 characters, empty where there are no words. */
  readonly title: string;
  /** The one last asked; null where none was. */
  readonly model: string | null;
  /** Epoch, milliseconds. */
  readonly createdAt: number;
  /** Epoch, milliseconds: when a turn was last added or changed. */
  readonly updatedAt: number;
  readonly isPinned: boolean;
  readonly turns: number;
}

export interface SearchHit extends ConversationSummary {
  /** The first place where the words stand, in one line of at most 160 characters. */
  readonly excerpt: string;
}

const maxTitle = 80;
const maxExcerpt = 160;
const before = 50;
const maxQuery = 200;

export function summaryOf(conversation: StoredConversation): ConversationSummary {
  const { id, createdAt, updatedAt, turns, isPinned } = conversation;
  return {
    id,
    title: titleOf(conversation),
    model: turns.findLast(({ model }) => model !== null)?.model ?? null,
    createdAt,
    updatedAt,
    isPinned: isPinned === true,
    turns: turns.length,
  };
}

function titleOf({ title, turns }: StoredConversation): string {
  const first = turns[0];
  const line = first?.prompt.split(/[\r\n]+/, 50).find((text) => text.trim() !== '');
  const text = titleText(title) ?? titleText(line) ?? titleText(first?.attachments[0]?.label) ?? '';
  const characters = [...text];
  return characters.length > maxTitle ? `${characters.slice(0, maxTitle - 1).join('')}…` : text;
}

/** Pinned ones first, then the newest; ids decide between equals, so that two windows show the same. */
export function inOrder<T extends ConversationSummary>(summaries: readonly T[]): readonly T[] {
  return summaries.toSorted(
    (a, b) => Number(b.isPinned) - Number(a.isPinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1),
  );
}

/** Finds words in any case; null where there is nothing to look for. */
export function searcher(words: string): ((conversation: StoredConversation) => SearchHit | null) | null {
  const wanted = words.trim().slice(0, maxQuery);
  if (wanted === '') return null;
  // A pattern folds case without changing lengths, so that what it finds is found in the original, too.
  const pattern = new RegExp(wanted.replace(/[/\\^$.*+?()[\]{}|]/g, '\\$&').replace(/\s+/g, '\\s+'), 'iu');
  return (conversation) => {
    const { title = '', turns } = conversation;
    for (const text of [title, ...turns.flatMap(({ prompt, answer }) => [prompt, answer])]) {
      const found = pattern.exec(text);
      if (found !== null) return { ...summaryOf(conversation), excerpt: excerptOf(text, found.index) };
    }
    return null;
  };
}

function excerptOf(text: string, index: number): string {
  const start = Math.max(0, index - before);
  const part = text.slice(start, start + maxExcerpt - 2);
  const line = part
    // What was cut in half, or is not to be shown in a line.
    .replace(/[\p{Cs}]/gu, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return `${start > 0 ? '…' : ''}${line}${start + part.length < text.length ? '…' : ''}`;
}
