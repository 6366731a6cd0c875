import type { Message, Usage } from '../client/chat.ts';
import type { ServiceError } from '../util/errors.ts';
import { contentOf } from './prompts.ts';

/** Code that goes along with a question, as it was when it was attached. */
export interface Attachment {
  /** What a person sees: `src/pay.ts:3-12`. */
  readonly label: string;
  readonly languageId: string;
  readonly text: string;
  /** The workspace folder it comes from: that folder's settings hold for every request that carries it. */
  readonly folder: string | null;
}

export type TurnAction = 'chat' | 'explain';

export type TurnStatus = 'waiting' | 'retrying' | 'streaming' | 'complete' | 'interrupted' | 'stopped' | 'failed';

/** A wait before the request is sent again. */
export interface RetryWait {
  /** Epoch, milliseconds. */
  readonly untilMs: number;
  readonly attempt: number;
  readonly error: ServiceError;
}

/** A user message and its answer. */
export interface Turn {
  readonly id: string;
  readonly action: TurnAction;
  readonly prompt: string;
  readonly attachments: readonly Attachment[];
  readonly status: TurnStatus;
  /** Markdown, as far as it has come. */
  readonly answer: string;
  /** The model asked for; null until the request was admitted. */
  readonly model: string | null;
  readonly finishReason?: string;
  readonly usage?: Usage;
  readonly requestId?: string;
  /** The answer's `security` object: data, never trusted. */
  readonly security?: unknown;
  readonly retry?: RetryWait;
  readonly error?: ServiceError;
}

export interface Conversation {
  readonly id: string;
  readonly turns: readonly Turn[];
}

export function replaceTurn(conversation: Conversation, turn: Turn): Conversation {
  return { ...conversation, turns: conversation.turns.map((old) => (old.id === turn.id ? turn : old)) };
}

/** The turns a request for `turn` carries: those before it that have an answer, and itself. */
export function turnsSent(conversation: Conversation, turn: Turn): readonly Turn[] {
  const before = conversation.turns.slice(
    0,
    conversation.turns.findIndex(({ id }) => id === turn.id),
  );
  return [...before.filter(({ answer }) => answer !== ''), turn];
}

/**
 * The messages of a request for the last of `turns`. The interface document shows the role `user` alone; `assistant`
 * for earlier answers is the OpenAI interface's, which the service says it speaks. `system` is never needed.
 */
export function messagesFor(turns: readonly Turn[], continues: boolean): readonly Message[] {
  const messages: Message[] = [];
  for (const turn of turns) {
    messages.push({ role: 'user', content: contentOf(turn) });
    if (turn !== turns.at(-1)) messages.push({ role: 'assistant', content: turn.answer });
  }
  const last = turns.at(-1);
  if (continues && last !== undefined) {
    messages.push({ role: 'assistant', content: last.answer });
    messages.push({ role: 'user', content: continuePrompt });
  }
  return messages;
}

const continuePrompt =
  'Your answer broke off. Continue it from exactly where it stopped, without repeating or introducing anything.';
