import type { AttachmentChip } from './attachments.ts';
import type { Card, PanelMessage } from './card.ts';
import type { ChangesView } from './changesView.ts';
import type { Posture } from './posture.ts';
import type { Starters } from './starter.ts';
import type { TurnMeta, TurnView } from './turnView.ts';
import type { UnsentText } from './unsentText.ts';

/** The tools of the next request. All text is localized. */
export interface ToolsView {
  /** The number of tools that the model may call; 0 if tools are off. */
  readonly count: number;
  readonly label: string;
  /** The reason why tools are off if the user cannot turn them on; otherwise empty. */
  readonly reason: string;
  /** Whether all code of an answer is proposed as one set of changes, and not each file by itself. */
  readonly proposesAll?: true;
}

/** The mode of the next question. All text is localized. */
export interface ModeView {
  readonly label: string;
  /** The description of the mode. */
  readonly detail: string;
  /** The reason why no changes can be proposed here; empty if they can. */
  readonly whyNoChange: string;
}

/** The share of the model's context window that the next request takes. All text is localized. */
export interface MeterView {
  /** A text such as `≈ 14k / 100k`. */
  readonly text: string;
  /** A short text such as `14%`, shown if there is no room for `text`. */
  readonly short: string;
  /** A description of the share for a screen reader. */
  readonly label: string;
  /** The uses of the tokens, one per line. */
  readonly detail: string;
  readonly isAlmostFull: boolean;
}

/** A question that waits for the end of an answer. */
export interface WaitingView {
  /** The beginning of the question. */
  readonly text: string;
  readonly attachments: readonly AttachmentChip[];
  /** Whether its attachments are being read, to send it. */
  readonly isSending: boolean;
}

/** The state of the panel. The host owns it; the view draws it. */
export interface ViewState {
  readonly conversationId: string;
  readonly turns: readonly TurnView[];
  readonly model: string;
  readonly posture: Posture;
  readonly tools: ToolsView;
  readonly mode: ModeView;
  /** Whether unsent text may be kept on the disk. */
  readonly mayKeepDraft: boolean;
  readonly messageLimit: MessageLimit;
  /** The reason, if any, that prevents a first message: no address, no key, or an untrusted workspace. */
  readonly notice?: Card;
  readonly messages: readonly PanelMessage[];
  readonly busy: boolean;
  readonly attachments: readonly AttachmentChip[];
  /** The reason why the attachments cannot be sent in their current state, for display; empty if they can be sent. */
  readonly attachmentProblem: string;
  readonly waiting?: WaitingView;
  /** Omitted if no changes of files are proposed. */
  readonly changes?: ChangesView;
  /** Omitted while nothing can be sent. */
  readonly meter?: MeterView;
  /** The questions that an empty conversation offers. */
  readonly starters: Starters;
}

/** The events that the host sends to the view. Their messages are numbered from 1 within one load of the page. */
export type ViewEvent =
  | { readonly type: 'snapshot'; readonly state: ViewState }
  | { readonly type: 'turn-added'; readonly turn: TurnView }
  | { readonly type: 'delta'; readonly turnId: string; readonly text: string }
  /** New text of the model's thinking in a turn. */
  | { readonly type: 'thinking'; readonly turnId: string; readonly text: string }
  | { readonly type: 'turn-changed'; readonly turn: TurnMeta }
  | { readonly type: 'busy-changed'; readonly busy: boolean }
  | { readonly type: 'model-changed'; readonly model: string }
  | { readonly type: 'tools-changed'; readonly tools: ToolsView; readonly mode: ModeView }
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
  | { readonly type: 'changes-changed'; readonly changes?: ChangesView }
  | { readonly type: 'meter-changed'; readonly meter?: MeterView }
  /** A message that goes back to the composer, before the text that is typed there. */
  | { readonly type: 'message-returned'; readonly typed: string; readonly pasted: string }
  /**
   * The unsent text that an earlier page left with the host (`keepText`). It is sent directly after the first snapshot of a page.
   */
  | { readonly type: 'text-restored'; readonly text: UnsentText }
  | { readonly type: 'starters-changed'; readonly starters: Starters }
  | { readonly type: 'focus-composer' }
  /** The user wants to see what would be sent: the view answers with `preview`. */
  | { readonly type: 'preview-wanted' }
  /** The user wants to search the conversation. */
  | { readonly type: 'find-wanted' }
  /** The view must delete the unsent text, also on the disk. */
  | { readonly type: 'draft-purged' };

export interface EventsMessage {
  readonly type: 'events';
  readonly seq: number;
  readonly events: readonly ViewEvent[];
}

/** The maximum length in UTF-16 units of a text that the page may send in one call. */
export const maxText = 4_000_000;

/** The maximum length in UTF-16 units of a summary that the user can write: every request contains all of it. */
export const maxSummaryChars = 64_000;

/** The size limit of a message. */
export interface MessageLimit {
  /** The maximum size in UTF-8 bytes. */
  readonly bytes: number;
  /** The error for a larger message: it states the limit, and what to do. */
  readonly words: string;
}
