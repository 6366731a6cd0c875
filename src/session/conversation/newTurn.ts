import { randomUUID } from 'node:crypto';
import type { Conversation, Turn } from './conversation.ts';

export function emptyConversation(): Conversation {
  return { id: randomUUID(), createdAt: Date.now(), turns: [] };
}

/** The turn of a question that is asked now. */
export function newTurn(
  question: Pick<Turn, 'action' | 'prompt' | 'command' | 'attachments'>,
  parent: string | null,
): Turn {
  return { ...question, id: randomUUID(), parent, askedAt: Date.now(), status: 'waiting', answer: '', model: null };
}
