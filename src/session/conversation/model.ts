import type { AskedModel } from '../../policy/requestOptions.ts';
import type { Conversation } from './conversation.ts';

/** The model that the user selected for a conversation; undefined: that of the settings. */
export function askedModelOf({ model }: Conversation): AskedModel | undefined {
  const id = model?.id ?? null;
  return id === null ? undefined : { model: id, isOfConversation: true };
}

/** A conversation with that model selected, or with that of the settings (null). The same conversation if it has it already. */
export function withModel(conversation: Conversation, id: string | null): Conversation {
  const { model } = conversation;
  if (id === (model?.id ?? null)) return conversation;
  // Later than the last choice, whatever the clock of the window that made it was.
  return { ...conversation, model: { id, at: Math.max(Date.now(), (model?.at ?? 0) + 1) } };
}
