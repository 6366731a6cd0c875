/** Messages between the host and the view. The host owns the state; the view draws it. */

import type { TurnStatus } from './turnStatus.ts';

/** An action that a card offers; the view sends `id` back with `act`. */
export interface CardAction {
  readonly id:
    | 'setApiKey'
    | 'setBaseUrl'
    | 'retry'
    | 'continue'
    | 'openSettings'
    | 'checkHealth'
    | 'selectModel'
    | 'manageTrust'
    | 'showLog'
    | 'showPolicy'
    | 'showFirstSteps';
  readonly label: string;
  /** The setting that openSettings shows. */
  readonly setting?: string;
}

/** An error or a notice: what happened, what it means, what to do. All text is localised. */
export interface Card {
  readonly severity: 'error' | 'warning' | 'info';
  readonly title: string;
  readonly detail?: string;
  readonly actions: readonly CardAction[];
}

/** A card beside the conversation, which the user can close. */
export interface PanelMessage {
  readonly id: string;
  readonly card: Card;
}

/** What the user is asked before a request leaves. All text is localised. */
export interface ConfirmationView {
  readonly title: string;
  /** Destination, headers, files and maskings: one fact each. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Secrets in the question: kind and place. */
  readonly found: readonly string[];
  readonly sendLabel: string;
  /** Absent if the policy forbids it, or nothing was found. */
  readonly sendAsIsLabel?: string;
}

export type Verdict = 'confirmed' | 'not-confirmed' | 'contradicted';

/** What the service reported about the headers of a request. */
export interface ReceiptView {
  readonly verdict: Verdict;
  readonly label: string;
  readonly headers: readonly {
    readonly name: string;
    readonly requested: string;
    /** For display; never interpreted as more than data. */
    readonly said: string;
    readonly verdict: Verdict;
  }[];
  /** The service's own object as JSON, with secrets removed; empty if it sent none. */
  readonly text: string;
}

/** A tool call of an answer. All text for display is localised. */
export interface ToolStepView {
  readonly id: string;
  /** What it does, in a few words: the tool's name, and the file if there is one. */
  readonly title: string;
  readonly state: 'waiting' | 'asking' | 'running' | 'done' | 'failed' | 'refused' | 'denied' | 'stopped' | 'capped';
  /** The outcome, such as `allowed once · 1.2 KB`. */
  readonly note: string;
  /** The complete input of the tool, as JSON. */
  readonly input: string;
  /** The beginning of what the model gets; absent until it gets a result. */
  readonly result?: string;
  /** The result is longer than `result`. */
  readonly hasMore?: true;
}

/** Everything of a turn except its texts, which may have megabytes. */
export interface TurnMeta {
  readonly id: string;
  /** Names of its attachments, such as `src/pay.ts:3-12`. */
  readonly context: readonly string[];
  readonly model: string;
  readonly status: TurnStatus;
  /** Set while retrying: when the next attempt starts (epoch, ms), its number, and the reason for display. */
  readonly retry?: { readonly untilMs: number; readonly attempt: number; readonly reason: string };
  readonly steps?: readonly ToolStepView[];
  /** Why the answer was made without tools although they are switched on. */
  readonly withoutTools?: string;
  readonly card?: Card;
  readonly confirmation?: ConfirmationView;
  readonly receipt?: ReceiptView;
  /** The alternatives of this turn in all branches, including itself; absent if there is only this one. */
  readonly siblings?: readonly string[];
  /** The answer was cut off at its maximum length: the user can ask for the rest. */
  readonly isCut?: boolean;
  /** The line below an answer: finish reason, model, requested headers, tokens, request id. Localised. */
  readonly footer?: string;
}

export interface TurnView extends TurnMeta {
  /** What the user asked, shown as plain text. */
  readonly prompt: string;
  /** Markdown, as far as it has arrived. */
  readonly answer: string;
}

export interface PostureHeader {
  readonly name: string;
  readonly value: string;
  /** The setting it comes from. */
  readonly setting: string;
  /** The layers that set it, for display. */
  readonly source: string;
  /** The layers that set less strict values, for display; empty if there are none. */
  readonly overruled: string;
  /** Set by the administrator. */
  readonly isManaged: boolean;
}

/** The size limit of a message. */
export interface MessageLimit {
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** The error for a longer text: the limit, and what to do. */
  readonly words: string;
}

/** The policy, for display. */
export interface Posture {
  /** One short line, such as `maximum · eu-west · audit · zero retention · hipaa, gdpr`. */
  readonly label: string;
  readonly headers: readonly PostureHeader[];
  /** Why nothing can be sent, for display; empty if sending is possible. */
  readonly problems: readonly string[];
}

/** An attachment of the next question. */
export interface AttachmentChip {
  readonly id: string;
  readonly label: string;
  /** For display, such as `1.2 KB`. */
  readonly size: string;
  /** Why it may not leave, for display. */
  readonly warning?: string;
  /** What was omitted or cut, for display. */
  readonly note?: string;
  /** A codicon. */
  readonly icon: string;
}

/** An item in the popup of the composer. All text is localised. */
export interface CompletionItem {
  /** Known only to the host, and only until its next answer. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** A codicon. */
  readonly icon: string;
  /** Replaces the typed text; absent if choosing the item attaches something. */
  readonly insert?: string;
  /** It cannot be chosen; `detail` contains the reason. */
  readonly isBlocked?: true;
}

/** What opens the popup: `@` offers attachments, `/` offers commands. */
export type CompletionTrigger = '@' | '/';

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

/** Calls from the view to the host. */
export interface HostCalls {
  /** The view is ready (or missed an event): the next event is a snapshot, numbered 1. */
  ready(): void;
  send(params: { readonly text: string }): void;
  stop(): void;
  /** Replaces the question of a turn; `attachments` are the indexes of the attachments to send again. */
  edit(params: { readonly turnId: string; readonly text: string; readonly attachments: readonly number[] }): void;
  /** Shows the branch of a hidden turn. */
  showBranch(params: { readonly turnId: string }): void;
  retryNow(params: { readonly turnId: string }): void;
  newChat(): void;
  act(params: { readonly action: CardAction['id']; readonly turnId?: string; readonly setting?: string }): void;
  /** Closes a message. */
  dismiss(params: { readonly id: string }): void;
  copy(params: { readonly text: string }): void;
  /** The user's answer to a confirmation. */
  decide(params: { readonly turnId: string; readonly choice: 'send-masked' | 'send-as-is' | 'cancel' }): void;
  /** The user's answer to a tool call. */
  decideTool(params: {
    readonly turnId: string;
    readonly stepId: string;
    readonly decision: 'once' | 'conversation' | 'deny';
  }): void;
  /** Opens the complete result that the model got from a tool call. */
  showToolResult(params: { readonly turnId: string; readonly stepId: string }): void;
  /** Lets the user pick a file for the next question. */
  attach(): void;
  /** The slash command at the start of the composer's text has changed; empty if there is none. */
  typeCommand(params: { readonly name: string }): void;
  removeAttachment(params: { readonly id: string }): void;
  /** Asks for popup items for the typed text: the host answers with `completions`. */
  complete(params: {
    readonly request: number;
    /** The request whose list is shown until this one is answered; the user may still choose from it. */
    readonly shown: number | null;
    readonly trigger: CompletionTrigger;
    readonly query: string;
  }): void;
  /** Attaches the item of the popup. */
  chooseContext(params: { readonly id: string }): void;
  /** Attaches files and folders that were dropped onto the composer, by their URIs. */
  drop(params: { readonly uris: readonly string[] }): void;
  /** Opens the exact text of a turn that waits for confirmation. */
  showExactText(params: { readonly turnId: string }): void;
  /** Opens what would leave if this text were sent now. */
  preview(params: { readonly text: string }): void;
  /**
   * Uses the unchanged code of an answer: inserts it at the cursor, opens it as a new file, or proposes it for the file
   * that `info` names.
   */
  useCode(params: {
    readonly turnId: string;
    readonly way: 'insert' | 'newFile' | 'apply';
    readonly info: string;
    readonly text: string;
  }): void;
  /** A link in an answer; the host shows its destination and asks the user. */
  openLink(params: { readonly href: string }): void;
  /** Opens the setting behind a header of the posture. */
  showPosture(): void;
}

export type HostCallName = keyof HostCalls;

/** On the wire, view to host. */
export interface CallMessage {
  readonly type: 'call';
  readonly id: number;
  readonly method: HostCallName;
  readonly params: unknown;
}

/** On the wire, host to view. */
export type HostMessage =
  | { readonly type: 'reply'; readonly id: number; readonly err?: string }
  | { readonly type: 'events'; readonly seq: number; readonly events: readonly ViewEvent[] };
