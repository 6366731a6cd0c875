import type { AttachmentChip, CompletionItem } from './attachments.ts';
import type { Card, PanelMessage } from './card.ts';
import type { MessageLimit } from './longText.ts';
import type { Posture } from './posture.ts';
import type { TurnMeta, TurnView } from './turnView.ts';

/** The state of the panel. The host owns it; the view draws it. */
export interface ViewState {
  readonly conversationId: string;
  readonly turns: readonly TurnView[];
  readonly model: string;
  readonly posture: Posture;
  /** Whether unsent text may be kept on the disk. */
  readonly mayKeepDraft: boolean;
  readonly messageLimit: MessageLimit;
  /** What prevents a first message (no address, no key, untrusted workspace), if anything does. */
  readonly notice?: Card;
  readonly messages: readonly PanelMessage[];
  readonly busy: boolean;
  readonly attachments: readonly AttachmentChip[];
  /** Why the attachments cannot be sent in their current state, for display; empty if they can. */
  readonly attachmentProblem: string;
}

/** Host to view, numbered from 1 within one load of the page. */
export type ViewEvent =
  | { readonly type: 'snapshot'; readonly state: ViewState }
  | { readonly type: 'turn-added'; readonly turn: TurnView }
  | { readonly type: 'delta'; readonly turnId: string; readonly text: string }
  | { readonly type: 'turn-changed'; readonly turn: TurnMeta }
  | { readonly type: 'busy-changed'; readonly busy: boolean }
  | { readonly type: 'model-changed'; readonly model: string }
  | {
      readonly type: 'posture-changed';
      readonly posture: Posture;
      readonly mayKeepDraft: boolean;
      readonly messageLimit: MessageLimit;
    }
  | { readonly type: 'notice-changed'; readonly notice?: Card }
  | { readonly type: 'messages-changed'; readonly messages: readonly PanelMessage[] }
  | {
      readonly type: 'attachments-changed';
      readonly attachments: readonly AttachmentChip[];
      readonly attachmentProblem: string;
    }
  /** The answer to `complete`; ignored unless it answers the latest request. */
  | { readonly type: 'completions'; readonly request: number; readonly items: readonly CompletionItem[] }
  | { readonly type: 'focus-composer' }
  /** The user wants to see what would leave: the view answers with `preview`. */
  | { readonly type: 'preview-wanted' }
  /** The unsent text is to be deleted, on the disk too. */
  | { readonly type: 'draft-purged' };

export interface EventsMessage {
  readonly type: 'events';
  readonly seq: number;
  readonly events: readonly ViewEvent[];
}
