import { randomUUID } from 'node:crypto';
import type { AskedModel } from '../../policy/requestOptions.ts';
import type { Mode } from '../../protocol/mode.ts';
import { placesOf } from '../../send/message/attachment.ts';
import type { Turn } from './turn.ts';

/** The user's last choice of something for a conversation. */
export interface Chosen<T> {
  readonly id: T;
  /** The time of the choice (epoch, milliseconds): if two windows made one, the later one applies. */
  readonly at: number;
}

export interface Conversation {
  readonly id: string;
  /** The time of creation (epoch, milliseconds). */
  readonly createdAt: number;
  /** The name that the user gave; if undefined, the first prompt is shown. */
  readonly title?: string;
  readonly isPinned?: true;
  /** The model that the user selected for this conversation only; null means the model of the settings. */
  readonly model?: Chosen<string | null>;
  /** The mode of its next questions; undefined means `ask`. */
  readonly mode?: Chosen<Mode>;
  /** The shown branch, which the next request contains. */
  readonly turns: readonly Turn[];
  /** The turns of other branches: see branches.ts. */
  readonly hidden?: readonly Turn[];
}

/** The sources of the content of these turns that a further request contains, as in Outgoing.folders. */
export function foldersOf(turns: readonly Turn[]): readonly string[] {
  const places = turns.flatMap(({ question: { command, attachments }, answer }) => [
    ...placesOf([...attachments, ...answer.steps.flatMap(({ output }) => output?.attachments ?? [])]),
    ...(command?.folder === undefined ? [] : [command.folder]),
  ]);
  return [...new Set(places)];
}

/** Like foldersOf(), with the sources of the instructions that were sent: their settings apply to what is stored. */
export function storedPlacesOf(turns: readonly Turn[]): readonly string[] {
  return [...new Set([...foldersOf(turns), ...turns.flatMap(({ question }) => question.places ?? [])])];
}

export function replaceTurn(conversation: Conversation, turn: Turn): Conversation {
  return { ...conversation, turns: conversation.turns.map((old) => (old.id === turn.id ? turn : old)) };
}

/** The turns before this one; empty if the conversation does not contain it. */
export function turnsBefore({ turns }: Conversation, { id }: Turn): readonly Turn[] {
  const index = turns.findIndex((turn) => turn.id === id);
  return turns.slice(0, Math.max(0, index));
}

/** The model that the user selected for a conversation; undefined means the model of the settings. */
export function askedModelOf({ model }: Conversation): AskedModel | undefined {
  const id = model?.id ?? null;
  return id === null ? undefined : { model: id, isOfConversation: true };
}

/** Selects this model for the conversation, or the model of the settings (null); unchanged if it is already selected. */
export function withModel(conversation: Conversation, id: string | null): Conversation {
  const { model } = conversation;
  return id === (model?.id ?? null) ? conversation : { ...conversation, model: chosen(id, model) };
}

/** Selects the mode of the next questions; unchanged if it is already selected. */
export function withMode(conversation: Conversation, id: Mode): Conversation {
  const { mode } = conversation;
  return id === (mode?.id ?? 'ask') ? conversation : { ...conversation, mode: chosen(id, mode) };
}

/** The time is always later than the last choice, even if another window's clock was ahead. */
function chosen<T>(id: T, before: Chosen<T> | undefined): Chosen<T> {
  return { id, at: Math.max(Date.now(), (before?.at ?? 0) + 1) };
}

export function emptyConversation(): Conversation {
  return { id: randomUUID(), createdAt: Date.now(), turns: [] };
}
