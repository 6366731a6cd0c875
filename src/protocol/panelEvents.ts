import type { AttachmentChip } from './attachments.ts';
import type { Card, PanelMessage } from './card.ts';
import type { Posture } from './posture.ts';
import type { Starters } from './starter.ts';
import type { TurnMeta, TurnView } from './turnView.ts';
import type { UnsentText } from './unsentText.ts';

/** The tools of the next request. All text is localised. */
export interface ToolsView {
  /** How many the model may call; 0 if tools are off. */
  readonly count: number;
  readonly label: string;
  /** Why they are off, if the user cannot turn them on; else empty. */
  readonly reason: string;
}

/** How much of what the model reads the next request takes. All text is localised. */
export interface MeterView {
  /** `≈ 14k / 100k`. */
  readonly text: string;
  /** `14%`, where there is no room for more. */
  readonly short: string;
  /** The same in words, for a screen reader. */
  readonly label: string;
  /** What the tokens are for, a line each. */
  readonly detail: string;
  readonly isAlmostFull: boolean;
}

/** A question that waits for the end of an answer. */
export interface WaitingView {
  /** The beginning of it. */
  readonly text: string;
  readonly attachments: readonly AttachmentChip[];
  /** Its attachments are being read, to send it. */
  readonly isSending: boolean;
}

/** The state of the panel. The host owns it; the view draws it. */
export interface ViewState {
  readonly conversationId: string;
  readonly turns: readonly TurnView[];
  readonly model: string;
  readonly posture: Posture;
  readonly tools: ToolsView;
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
  readonly waiting?: WaitingView;
  /** Absent while nothing could be sent. */
  readonly meter?: MeterView;
  /** What an empty conversation offers. */
  readonly starters: Starters;
}

/** Host to view, numbered from 1 within one load of the page. */
export type ViewEvent =
  | { readonly type: 'snapshot'; readonly state: ViewState }
  | { readonly type: 'turn-added'; readonly turn: TurnView }
  | { readonly type: 'delta'; readonly turnId: string; readonly text: string }
  /** New text of the thinking of a turn. */
  | { readonly type: 'thinking'; readonly turnId: string; readonly text: string }
  | { readonly type: 'turn-changed'; readonly turn: TurnMeta }
  | { readonly type: 'busy-changed'; readonly busy: boolean }
  | { readonly type: 'model-changed'; readonly model: string }
  | { readonly type: 'tools-changed'; readonly tools: ToolsView }
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
  | { readonly type: 'waiting-changed'; readonly waiting?: WaitingView }
  | { readonly type: 'meter-changed'; readonly meter?: MeterView }
  /** A message that goes back to the composer, before what is typed there. */
  | { readonly type: 'message-returned'; readonly typed: string; readonly pasted: string }
  /** What an earlier page left with the host (`keepText`), directly after the first snapshot of a page. */
  | { readonly type: 'text-restored'; readonly text: UnsentText }
  | { readonly type: 'starters-changed'; readonly starters: Starters }
  | { readonly type: 'focus-composer' }
  /** The user wants to see what would leave: the view answers with `preview`. */
  | { readonly type: 'preview-wanted' }
  /** The user wants to search the conversation. */
  | { readonly type: 'find-wanted' }
  /** The unsent text is to be deleted, on the disk too. */
  | { readonly type: 'draft-purged' };

export interface EventsMessage {
  readonly type: 'events';
  readonly seq: number;
  readonly events: readonly ViewEvent[];
}

/** The longest text that the page may send in one call, in UTF-16 units. */
export const maxText = 4_000_000;

/** The longest summary that the user can write, in UTF-16 units: every request carries all of it. */
export const maxSummaryChars = 64_000;

/** The size limit of a message. */
export interface MessageLimit {
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** The error for a longer text: the limit, and what to do. */
  readonly words: string;
}
