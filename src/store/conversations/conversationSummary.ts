import { titleText } from './conversationMerge.ts';
import type { StoredConversation, StoredTurn } from './conversationShape.ts';

/** One entry of the list of conversations. */
export interface ConversationSummary {
  readonly id: string;
  /**
   * Its given name, or the first line of its first prompt, with the name of the file if the prompt is only a command; at
   * most 80 characters, empty if there is no text.
   */
  readonly title: string;
  /** The last model used; null if no model was used. */
  readonly model: string | null;
  /** The time of creation (epoch, milliseconds). */
  readonly createdAt: number;
  /** The time at which a turn was last added or changed (epoch, milliseconds). */
  readonly updatedAt: number;
  readonly isPinned: boolean;
  readonly turns: number;
}

export interface SearchHit extends ConversationSummary {
  /** The first match, in one line of at most 160 characters. */
  readonly excerpt: string;
}

const maxTitle = 80;

export function summaryOf(conversation: StoredConversation): ConversationSummary {
  const { id, createdAt, updatedAt, turns, isPinned } = conversation;
  return {
    id,
    title: titleOf(conversation),
    model: turns.findLast(({ lastRequest }) => lastRequest !== undefined)?.lastRequest?.model ?? null,
    createdAt,
    updatedAt,
    isPinned: isPinned === true,
    turns: turns.length,
  };
}

function titleOf({ title, turns }: StoredConversation): string {
  const first = turns[0];
  const text =
    titleText(title) ?? titleText(lineOf(first?.question)) ?? titleText(first?.question.attachments[0]?.label) ?? '';
  const characters = [...text];
  return characters.length > maxTitle ? `${characters.slice(0, maxTitle - 1).join('')}…` : text;
}

/** The first line of a question, with its subject if it is only a command: many conversations begin with `/explain`. */
function lineOf(question: StoredTurn['question'] | undefined): string | undefined {
  const line = question?.prompt
    .split(/[\r\n]+/, 50)
    .find((text) => text.trim() !== '')
    ?.trim();
  const label = question?.attachments[0]?.label ?? '';
  const name = label.slice(label.lastIndexOf('/') + 1);
  if (question === undefined || line === undefined || name === '' || line.includes(name)) return line;
  if (/^\/[a-z][a-z0-9-]*$/.test(line)) return `${line} ${name}`;
  return question.action === 'explain' ? `${line} · ${name}` : line;
}

/** Sorts pinned conversations first, then the newest; ids break ties, so that two windows show the same order. */
export function inOrder<T extends ConversationSummary>(summaries: readonly T[]): readonly T[] {
  return summaries.toSorted(
    (a, b) => Number(b.isPinned) - Number(a.isPinned) || b.updatedAt - a.updatedAt || (a.id < b.id ? -1 : 1),
  );
}
