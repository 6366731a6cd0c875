import type { Card } from './card.ts';
import type { Verdict } from './posture.ts';
import type { ToolStepState } from './toolStepState.ts';
import type { LiveStatus } from './turnStatus.ts';

/** The question to the user before a request is sent. All text is localized. */
export interface ConfirmationView {
  readonly title: string;
  /** Destination, headers, files and maskings: one fact each. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  /** The kind and place of each secret in the question. */
  readonly found: readonly string[];
  readonly sendLabel: string;
  /** Omitted if the policy forbids sending secrets unmasked, or no secret was found. */
  readonly sendAsIsLabel?: string;
}

/** The service's report about the headers of a request. */
export interface ReceiptView {
  /** Omitted if the service reported nothing and no report was expected. */
  readonly verdict?: Verdict;
  readonly label: string;
  /** The ids and the outcome of the request. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly headers: readonly {
    readonly name: string;
    readonly requested: string;
    /** The value that the service reported, for display only. */
    readonly said: string;
    readonly verdict: Verdict;
  }[];
  /** A sentence for each header that the service contradicts. */
  readonly contradictions: readonly string[];
  /** Whether the receipt opens by itself: the service contradicted the request, and the user has not closed the receipt since. */
  readonly isOpen?: true;
  /** The service's own object as JSON, with secrets removed; empty if the service sent no object. */
  readonly text: string;
}

/** A tool call of an answer. All text for display is localized. */
export interface ToolStepView {
  readonly id: string;
  /** A short description of the call, such as `Read src/a.ts`. */
  readonly title: string;
  /** The question to the user while the call waits for approval, such as `Svc wants to read src/a.ts`. */
  readonly question?: string;
  /** The details that the user must see before they allow the call, such as a command line. It can have several lines. */
  readonly detail?: string;
  /** The number of the question, with which the page answers it. */
  readonly asked?: number;
  /** Whether the user can allow only this call, not all calls of the tool in the conversation. */
  readonly isOnlyOnce?: true;
  /** Whether the whole input is shown immediately, because the question does not contain all of it. */
  readonly showsInput?: true;
  readonly state: ToolStepState;
  /** The length of the answer before the call. */
  readonly at: number;
  /** A note about the outcome, such as `allowed once · 1.2 KB`. */
  readonly note: string;
  /** The complete input of the tool, as JSON. */
  readonly input: string;
  /** The beginning of the result that the model gets; omitted until there is a result. */
  readonly result?: string;
  /** Whether the whole result is longer than `result`. */
  readonly hasMore?: true;
}

/** The duration of the model's thinking, and whether it is still in progress. */
export interface ThoughtView {
  readonly label: string;
  readonly isOpen: boolean;
  /** The reason why its text is not complete. */
  readonly rest?: string;
}

/** The parts that a request left out. All text is localized. */
export interface LeftOutView {
  readonly label: string;
  /** A line for each part and its origin; empty if only the numbers of parts are known. */
  readonly parts: readonly string[];
}

/** The summary that is sent instead of a turn and all turns before it. All text is localized, except the text of the summary. */
export interface SummaryView {
  /** The text of the summary, shown as plain text. */
  readonly text: string;
  readonly label: string;
  readonly footer: string;
  readonly leftOut?: LeftOutView;
  readonly contentLeftOut?: LeftOutView;
  readonly receipt?: ReceiptView;
}

/** The part of a turn's state while its answer is in progress. */
export interface LiveView {
  /** The event that the turn waits for, if it is not the answer. */
  readonly waitsFor?: string;
}

/** The part of a turn's state after its end. */
export interface EndView {
  readonly receipt?: ReceiptView;
  /** Whether the user is asked before code of the answer is used, because it is uncertain whether the answer is complete. */
  readonly asksToUse?: true;
  /** The line below an answer: its end if it is incomplete, the model, the tokens, the masked secrets. Localized. */
  readonly footer?: string;
}

/** The state of a turn, with the data that is shown only in this state. */
export type TurnStateView =
  | (LiveView & {
      readonly status: 'waiting';
      /**
       * The time for which the running request has waited for its first text, in ms. It is not a point in time, because the page may be
       * on a machine with another clock. Omitted if nothing was sent yet.
       */
      readonly waitedMs?: number;
    })
  | (LiveView & {
      readonly status: 'confirming';
      readonly confirmation: ConfirmationView;
      /** The number of the question, with which the page answers it. */
      readonly asked: number;
    })
  | (LiveView & {
      readonly status: 'retrying';
      /** The time at which the next attempt starts (epoch, ms), its number, and the reason for display. */
      readonly retry: { readonly untilMs: number; readonly attempt: number; readonly reason: string };
    })
  | (LiveView & { readonly status: 'streaming' | 'calling' })
  | (EndView & {
      readonly status: 'complete';
      /**
       * The reason why the answer ended early. Its code can only be copied. Except after `filter`, the user can ask for the rest.
       */
      readonly cut?: 'length' | 'filter' | 'other';
      /** Whether several code blocks of the answer name a file, so that they can be applied together. */
      readonly hasFiles?: true;
      /** Whether the answer is a plan that can be carried out. */
      readonly isPlan?: true;
    })
  | (EndView & { readonly status: 'stopped' })
  | (EndView & { readonly status: 'interrupted' | 'failed'; readonly card?: Card });

/** All data of a turn except its texts, which may have megabytes. */
export type TurnMeta = TurnFacts & TurnStateView;

/** The data of a turn that is shown in every state. */
export interface TurnFacts {
  readonly id: string;
  /** The names of the attachments, such as `src/pay.ts:3-12`. */
  readonly context: readonly string[];
  /** The names of attachments that were not sent again, because an earlier message contains the same text. */
  readonly repeated?: readonly string[];
  /** The names of attachments of which only the changes since an earlier message were sent. */
  readonly changesOnly?: readonly string[];
  readonly leftOut?: LeftOutView;
  /** The text of excluded files that the request left out. */
  readonly contentLeftOut?: LeftOutView;
  /** A notice about the request that is no error. */
  readonly notice?: Card;
  readonly summary?: SummaryView;
  readonly model: string;
  /** The heading of the thinking; omitted if the service has sent no thinking. Localized. */
  readonly thought?: ThoughtView;
  readonly steps?: readonly ToolStepView[];
  /** Notes on how the requests differ from what the user expects: without tools, or in another form. Localized. */
  readonly notes?: readonly string[];
  /** The ids of the alternatives of this turn in all branches, including itself; omitted if there is only this turn. */
  readonly siblings?: readonly string[];
}

/** The texts of a turn. */
interface TurnTexts {
  /** The question of the user, shown as plain text. */
  readonly prompt: string;
  /** The answer in Markdown, as far as it has arrived. */
  readonly answer: string;
  /** The model's thinking before the answer, as far as it has arrived. It is always plain text. */
  readonly thinking?: string;
}

export type TurnView = TurnMeta & TurnTexts;

/** A turn whose answer is in progress. */
export type LiveTurn = Extract<TurnView, { readonly status: LiveStatus }>;

/** A turn that has ended. */
export type EndedTurn = Exclude<TurnView, { readonly status: LiveStatus }>;
