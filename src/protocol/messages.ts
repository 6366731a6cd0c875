/** What the host and the view say to each other. The host holds the truth; the view draws it. */

export type TurnStatus =
  | 'reviewing'
  | 'calling'
  | 'waiting'
  | 'retrying'
  | 'streaming'
  | 'complete'
  | 'interrupted'
  | 'stopped'
  | 'failed';

/** What a person can do about a card; the view sends `id` back with `act`. */
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
  /** The setting that openSettings opens at. */
  readonly setting?: string;
}

/** An error or a notice: what happened, what it means, what to do. All text is already localised. */
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

/** What the user is asked before a request leaves. All text is already localised. */
export interface ReviewView {
  readonly title: string;
  /** Where it goes, with which headers, files and maskings: one fact each. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** Secrets in the question: what and where. */
  readonly found: readonly string[];
  readonly sendLabel: string;
  /** Absent where the policy forbids it, or nothing was found. */
  readonly sendAsIsLabel?: string;
}

export type Verdict = 'confirmed' | 'not-confirmed' | 'contradicted';

/** What the service said of the headers of a request. */
export interface ReceiptView {
  readonly verdict: Verdict;
  readonly label: string;
  readonly headers: readonly {
    readonly name: string;
    readonly requested: string;
    /** In words; never taken for more than data. */
    readonly said: string;
    readonly verdict: Verdict;
  }[];
  /** The service's own object as JSON, scrubbed; empty where it sent none. */
  readonly text: string;
}

/** A tool call of an answer. All text for people is already localised. */
export interface ToolStepView {
  readonly id: string;
  /** What it does, in a few words: the tool's name, and the file where there is one. */
  readonly title: string;
  readonly state: 'waiting' | 'asking' | 'running' | 'done' | 'failed' | 'refused' | 'denied' | 'stopped' | 'capped';
  /** What became of it, such as `allowed once · 1.2 KB`. */
  readonly note: string;
  /** All that the tool is called with, as JSON. */
  readonly input: string;
  /** What the model is told, from its beginning; absent as long as it is told nothing. */
  readonly result?: string;
  /** There is more of the result than `result` has. */
  readonly hasMore?: true;
}

/** Everything of a turn but its texts, which may have megabytes. */
export interface TurnMeta {
  readonly id: string;
  /** Names of what went along with it, such as `src/pay.ts:3-12`. */
  readonly context: readonly string[];
  readonly model: string;
  readonly status: TurnStatus;
  /** While retrying: when the next attempt starts (epoch, ms), which one it is, and why, in words. */
  readonly retry?: { readonly untilMs: number; readonly attempt: number; readonly reason: string };
  readonly steps?: readonly ToolStepView[];
  /** Why the answer was made without tools, though they are switched on. */
  readonly withoutTools?: string;
  readonly card?: Card;
  readonly review?: ReviewView;
  readonly receipt?: ReceiptView;
  /** The turns that stand in this place in one branch or another, itself among them; absent where there is no other. */
  readonly siblings?: readonly string[];
  /** The answer is complete as far as it goes, and was cut off at its greatest length: the rest can be asked for. */
  readonly isCut?: boolean;
  /** The quiet line under an answer: finish reason, model, what was requested, tokens, request id. Already localised. */
  readonly footer?: string;
}

export interface TurnView extends TurnMeta {
  /** What the user asked, shown as plain text. */
  readonly prompt: string;
  /** Markdown, as far as it has come. */
  readonly answer: string;
}

export interface PostureHeader {
  readonly name: string;
  readonly value: string;
  /** The setting it comes from. */
  readonly setting: string;
  /** Which layers ask for it, in words. */
  readonly source: string;
  /** Which layers asked for less, in words; empty where none did. */
  readonly overruled: string;
  /** The administrator asks for it. */
  readonly isManaged: boolean;
}

/** The most that a message may have. */
export interface MessageLimit {
  /** Of UTF-8. */
  readonly bytes: number;
  /** What a longer text is answered with: the limit, and what to do. */
  readonly words: string;
}

/** What the policy looks like to a person. */
export interface Posture {
  /** One short line, such as `maximum · eu-west · audit · zero retention · hipaa, gdpr`. */
  readonly label: string;
  readonly headers: readonly PostureHeader[];
  /** Why nothing can be sent, in words; empty when something can. */
  readonly problems: readonly string[];
}

/** Something that goes along with the next question. */
export interface AttachmentChip {
  readonly id: string;
  readonly label: string;
  /** In words, such as `1.2 KB`. */
  readonly size: string;
  /** Why it may not leave, in words. */
  readonly warning?: string;
  /** What was left out of it or cut, in words. */
  readonly note?: string;
  /** A codicon. */
  readonly icon: string;
}

/** What the popup of the composer offers. All text is already localised. */
export interface CompletionItem {
  /** Known to the host alone, and only until it has answered for something else. */
  readonly id: string;
  readonly label: string;
  readonly detail: string;
  /** A codicon. */
  readonly icon: string;
  /** Takes the place of what was typed; absent where choosing it attaches something. */
  readonly insert?: string;
  /** It cannot be chosen: `detail` says why. */
  readonly isBlocked?: true;
}

/** What opens the popup: `@` offers what can go along, `/` what can be asked. */
export type CompletionTrigger = '@' | '/';

export interface ViewState {
  readonly conversationId: string;
  readonly turns: readonly TurnView[];
  readonly model: string;
  readonly posture: Posture;
  /** May what is typed be kept on the disk until it is sent? */
  readonly mayKeepDraft: boolean;
  readonly messageLimit: MessageLimit;
  /** What stands in the way of a first message (no address, no key, untrusted workspace), if anything does. */
  readonly notice?: Card;
  readonly messages: readonly PanelMessage[];
  readonly busy: boolean;
  readonly attachments: readonly AttachmentChip[];
  /** Why what is attached cannot go along as it is, in words; empty where it can. */
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
  /** The answer to `complete`; one for an earlier question is dropped. */
  | { readonly type: 'completions'; readonly request: number; readonly items: readonly CompletionItem[] }
  | { readonly type: 'focus-composer' }
  /** The user wants to see what would leave: the view answers with `preview`. */
  | { readonly type: 'preview-wanted' }
  /** What was typed and not sent is forgotten, on the disk too. */
  | { readonly type: 'draft-purged' };

/** Calls the view makes of the host. */
export interface HostCalls {
  /** The view is there (or missed an event): the next event is a snapshot, numbered 1. */
  ready(): void;
  send(params: { readonly text: string }): void;
  stop(): void;
  /** Asks otherwise in the place of a turn; `attachments` are those of its context that go along again, by index. */
  edit(params: { readonly turnId: string; readonly text: string; readonly attachments: readonly number[] }): void;
  /** Shows the branch of a turn that is not shown. */
  showBranch(params: { readonly turnId: string }): void;
  retryNow(params: { readonly turnId: string }): void;
  newChat(): void;
  act(params: { readonly action: CardAction['id']; readonly turnId?: string; readonly setting?: string }): void;
  /** Closes a message. */
  dismiss(params: { readonly id: string }): void;
  copy(params: { readonly text: string }): void;
  /** The user's answer to a review. */
  decide(params: { readonly turnId: string; readonly choice: 'send-masked' | 'send-as-is' | 'cancel' }): void;
  /** The user's answer to a tool call. */
  decideTool(params: {
    readonly turnId: string;
    readonly stepId: string;
    readonly decision: 'once' | 'conversation' | 'deny';
  }): void;
  /** Opens all that the model was told of a tool call. */
  showToolResult(params: { readonly turnId: string; readonly stepId: string }): void;
  /** Lets the user pick a file for the next question. */
  attach(): void;
  /** The composer's text begins with this slash command now; empty where it begins with none. */
  typeCommand(params: { readonly name: string }): void;
  removeAttachment(params: { readonly id: string }): void;
  /** Asks what the popup offers for what was typed: the host answers with `completions`. */
  complete(params: {
    readonly request: number;
    /** The request whose list is shown until this one is answered; the user may still choose from it. */
    readonly shown: number | null;
    readonly trigger: CompletionTrigger;
    readonly query: string;
  }): void;
  /** Attaches what an item of the popup stands for. */
  chooseContext(params: { readonly id: string }): void;
  /** Attaches files and folders that were dropped onto the composer, by their URIs. */
  drop(params: { readonly uris: readonly string[] }): void;
  /** Opens the exact text of a turn that is being reviewed. */
  showReview(params: { readonly turnId: string }): void;
  /** Opens what would leave, were this text sent now. */
  preview(params: { readonly text: string }): void;
  /** Code of an answer as it is written there: put in at the cursor, as a new file, or proposed for the file that `info` names. */
  useCode(params: {
    readonly turnId: string;
    readonly way: 'insert' | 'newFile' | 'apply';
    readonly info: string;
    readonly text: string;
  }): void;
  /** A link in an answer; the host shows where it goes and asks. */
  openLink(params: { readonly href: string }): void;
  /** Open the setting behind a header of the posture. */
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
