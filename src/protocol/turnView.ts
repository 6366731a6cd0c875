import type { Card } from './card.ts';
import type { Verdict } from './posture.ts';
import type { ToolStepState } from './toolStepState.ts';
import type { LiveStatus } from './turnStatus.ts';

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

/** What the service reported about the headers of a request. */
export interface ReceiptView {
  /** Absent if the service reported nothing and nothing was expected of it. */
  readonly verdict?: Verdict;
  readonly label: string;
  /** Ids and outcome of the request. */
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly headers: readonly {
    readonly name: string;
    readonly requested: string;
    /** For display; never interpreted as more than data. */
    readonly said: string;
    readonly verdict: Verdict;
  }[];
  /** Each header that the service contradicts, in a sentence. */
  readonly contradictions: readonly string[];
  /** The user has not closed it since the service contradicted the request: it opens by itself. */
  readonly isOpen?: true;
  /** The service's own object as JSON, with secrets removed; empty if it sent none. */
  readonly text: string;
}

/** A tool call of an answer. All text for display is localised. */
export interface ToolStepView {
  readonly id: string;
  /** What it does, in a few words: `Read src/a.ts`. */
  readonly title: string;
  /** What the user decides about, while the call waits for it: `Svc wants to read src/a.ts`. */
  readonly question?: string;
  /** The words do not contain the whole input, so it is shown at once. */
  readonly showsInput?: true;
  readonly state: ToolStepState;
  /** The length of the answer before the call. */
  readonly at: number;
  /** The outcome, such as `allowed once · 1.2 KB`. */
  readonly note: string;
  /** The complete input of the tool, as JSON. */
  readonly input: string;
  /** The beginning of what the model gets; absent until it gets a result. */
  readonly result?: string;
  /** The result is longer than `result`. */
  readonly hasMore?: true;
}

/** How long the model thought, and whether it still does. */
export interface ThoughtView {
  readonly label: string;
  readonly isOpen: boolean;
  /** Why its text is not complete. */
  readonly rest?: string;
}

/** What a request left out. Localised. */
export interface LeftOutView {
  readonly label: string;
  /** Each part, with what it came with; empty if only their numbers are known. */
  readonly parts: readonly string[];
}

/** What is sent instead of a turn and all turns before it. All text is localised, except the summary's own. */
export interface SummaryView {
  /** Shown as plain text. */
  readonly text: string;
  readonly label: string;
  readonly footer: string;
  readonly leftOut?: LeftOutView;
  readonly contentLeftOut?: LeftOutView;
  readonly receipt?: ReceiptView;
}

/** While an answer is being made. */
export interface LiveView {
  /** What it waits for, if that is not the answer. */
  readonly waitsFor?: string;
}

/** After its end. */
export interface EndView {
  readonly receipt?: ReceiptView;
  /** It is open whether the answer is complete: its code is used after a question. */
  readonly asksToUse?: true;
  /** The line below an answer: how it ended unless it is complete, model, tokens, masked secrets. Localised. */
  readonly footer?: string;
}

/** What a turn does now, or how it ended, with what is shown only then. */
export type TurnStateView =
  | (LiveView & {
      readonly status: 'waiting';
      /**
       * How long the running request has been waiting for its first text, in ms. Not a time: the page may be on a machine
       * with another clock. Absent if nothing was sent yet.
       */
      readonly waitedMs?: number;
    })
  | (LiveView & { readonly status: 'confirming'; readonly confirmation: ConfirmationView })
  | (LiveView & {
      readonly status: 'retrying';
      /** When the next attempt starts (epoch, ms), its number, and the reason for display. */
      readonly retry: { readonly untilMs: number; readonly attempt: number; readonly reason: string };
    })
  | (LiveView & { readonly status: 'streaming' | 'calling' })
  | (EndView & {
      readonly status: 'complete';
      /** Why the answer ended early. Its code can only be copied; except after `filter`, the user can ask for the rest. */
      readonly cut?: 'length' | 'filter' | 'other';
      /** Several blocks of its code name a file, so that they can be applied together. */
      readonly hasFiles?: true;
    })
  | (EndView & { readonly status: 'stopped' })
  | (EndView & { readonly status: 'interrupted' | 'failed'; readonly card?: Card });

/** Everything of a turn except its texts, which may have megabytes. */
export type TurnMeta = TurnFacts & TurnStateView;

/** What is shown of a turn in each state. */
export interface TurnFacts {
  readonly id: string;
  /** Names of its attachments, such as `src/pay.ts:3-12`. */
  readonly context: readonly string[];
  /** Those of them that an earlier message has with the same text, so that they were not sent again. */
  readonly repeated?: readonly string[];
  /** Those of which only the changes since an earlier message were sent. */
  readonly changesOnly?: readonly string[];
  readonly leftOut?: LeftOutView;
  /** Text of excluded files that its request left out. */
  readonly contentLeftOut?: LeftOutView;
  /** Something about its request that is no error. */
  readonly notice?: Card;
  readonly summary?: SummaryView;
  readonly model: string;
  /** What stands above its thinking: absent if the service has sent none. Localised. */
  readonly thought?: ThoughtView;
  readonly steps?: readonly ToolStepView[];
  /** How its requests differ from what the user expects: without tools, or in another form. Localised. */
  readonly notes?: readonly string[];
  /** The alternatives of this turn in all branches, including itself; absent if there is only this one. */
  readonly siblings?: readonly string[];
}

/** The texts of a turn. */
interface TurnTexts {
  /** What the user asked, shown as plain text. */
  readonly prompt: string;
  /** Markdown, as far as it has arrived. */
  readonly answer: string;
  /** What the model thought before it, as far as it has arrived: always plain text. */
  readonly thinking?: string;
}

export type TurnView = TurnMeta & TurnTexts;

/** A turn while its answer is being made. */
export type LiveTurn = Extract<TurnView, { readonly status: LiveStatus }>;

/** A turn that has ended. */
export type EndedTurn = Exclude<TurnView, { readonly status: LiveStatus }>;
