import type { Conversation } from './conversation/conversation.ts';
import type { Turn } from './conversation/turn.ts';

/** A change of a session, for the code that shows or stores it. */
export type SessionEvent =
  /** Another conversation or branch is shown. */
  | { readonly type: 'conversation-changed' }
  /** The final state of a conversation that is no longer shown. */
  | { readonly type: 'conversation-left'; readonly conversation: Conversation }
  | { readonly type: 'turn-added'; readonly turn: Turn }
  | { readonly type: 'turn-changed'; readonly turn: Turn }
  | { readonly type: 'delta'; readonly turnId: string; readonly text: string }
  /** New text of the thinking of a turn. */
  | { readonly type: 'thinking'; readonly turnId: string; readonly text: string }
  | { readonly type: 'busy-changed'; readonly busy: boolean }
  /** Another model was selected for the conversation. */
  | { readonly type: 'model-changed' }
  /** Another mode was selected for the conversation. */
  | { readonly type: 'mode-changed' };
