import type { CompletionItem, CompletionTrigger } from './attachments.ts';
import type { CardAction } from './card.ts';
import type { ChangeDecision, ShownChanges } from './changesView.ts';
import type { UnsentText } from './unsentText.ts';

/** The calls of the panel. */
export interface PanelCalls {
  /** The view is ready (or missed an event): the next event is a snapshot, numbered 1. */
  ready(): void;
  /** Sends the message, or lets it wait for the end of an answer. `typed` is the length of the part that was not pasted. */
  send(params: { readonly text: string; readonly typed: number }): void;
  /** Sends the question that waits, returns it to the composer, or removes it. */
  actOnWaiting(params: { readonly act: 'send' | 'edit' | 'remove' }): void;
  /** Sends a question that the empty panel offers. */
  askStarter(params: { readonly id: string }): void;
  stop(): void;
  /** Replaces the question of a turn; `attachments` are the indexes of the attachments to send again. */
  edit(params: { readonly turnId: string; readonly text: string; readonly attachments: readonly number[] }): void;
  /** Shows the branch of a hidden turn. */
  showBranch(params: { readonly turnId: string }): void;
  retryNow(params: { readonly turnId: string }): void;
  /** Changes the text of the summary that replaces a turn and all turns before it. */
  editSummary(params: { readonly turnId: string; readonly text: string }): void;
  /** Removes a summary, so that its turns are sent again instead. */
  undoSummary(params: { readonly turnId: string }): void;
  newChat(): void;
  /** Called when the user closes a receipt, of a turn or of its summary, that opened by itself. */
  closeReceipt(params: { readonly turnId: string; readonly isSummary: boolean }): void;
  /** Runs the action of a button in the card of a turn, a message, or the notice. */
  act(params: {
    readonly action: CardAction['id'];
    readonly turnId?: string;
    readonly messageId?: string;
    readonly setting?: string;
  }): void;
  /** Closes a message. */
  dismiss(params: { readonly id: string }): void;
  copy(params: { readonly text: string }): void;
  /** The user's answer to the confirmation with this number. */
  decide(params: {
    readonly turnId: string;
    readonly asked: number;
    readonly choice: 'send-masked' | 'send-as-is' | 'cancel';
  }): void;
  /** The user's answer to the question with this number about a tool call. */
  decideTool(params: {
    readonly turnId: string;
    readonly stepId: string;
    readonly asked: number;
    readonly decision: 'once' | 'conversation' | 'deny';
  }): void;
  /** Opens the complete result that the model got from a tool call. */
  showToolResult(params: { readonly turnId: string; readonly stepId: string }): void;
  /** Opens the diff of a proposed change. */
  openChange(params: { readonly id: string }): void;
  /** The user's decision on the proposed change of a file. */
  decideChange(params: { readonly id: string; readonly version: number; readonly decision: ChangeDecision }): void;
  /** Carries an outdated change over to the present text of its file. */
  carryOverChange(params: { readonly id: string; readonly version: number }): void;
  /** The user's decision on all changes that wait for one. */
  decideChanges(params: { readonly shown: ShownChanges; readonly decision: ChangeDecision }): void;
  /** Undoes the last accept. */
  undoChanges(params: { readonly shown: ShownChanges }): void;
  /** Hides the changes, if none of them waits for a decision. */
  closeChanges(): void;
  /** Called when the slash command at the start of the composer's text has changed; `name` is empty if there is no command. */
  typeCommand(params: { readonly name: string }): void;
  /** Called when the composer's text has changed, with its size in UTF-8 bytes. */
  typeText(params: { readonly bytes: number }): void;
  /** Called when the unsent text has changed and must not be kept on the disk: the host keeps it for the next page. */
  keepText(params: UnsentText): void;
  removeAttachment(params: { readonly id: string }): void;
  /** Sends the current file with the questions of this conversation. */
  followEditor(): void;
  /** Returns the popup items for the typed text, or null if a later request has replaced this one. */
  complete(params: {
    readonly request: number;
    /** The request whose list is shown until this one is answered; the user may still choose from it. */
    readonly shown: number | null;
    readonly trigger: CompletionTrigger;
    readonly query: string;
  }): readonly CompletionItem[] | null;
  /** Attaches the item of the popup. */
  chooseContext(params: { readonly id: string }): void;
  /** Attaches files and folders that were dropped onto the composer, by their URIs. */
  drop(params: { readonly uris: readonly string[] }): void;
  /** Opens the exact text of a turn that waits for confirmation. */
  showExactText(params: { readonly turnId: string }): void;
  /** Opens a preview of what would be sent if this text were sent now. */
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
  /** Proposes all code of an answer that names its file. */
  applyAll(params: { readonly turnId: string }): void;
  /** Opens a link of an answer, after the host has shown its destination and asked the user. */
  openLink(params: { readonly href: string }): void;
  /** Opens the accessibility help. */
  showHelp(): void;
  /** Opens the setting behind a header of the posture. */
  showPosture(): void;
  /** Lets the user select the tools that the model may call. */
  chooseTools(): void;
  /** Lets the user choose the mode of the next questions. */
  chooseMode(): void;
  /** Asks the model to carry out the plan of the last turn. */
  carryOut(params: { readonly turnId: string }): void;
  /** Asks the model to go on, with what the user has decided about its changes. */
  goOn(): void;
  /** Opens the text of an attachment of the next question. */
  openAttachment(params: { readonly id: string }): void;
}
