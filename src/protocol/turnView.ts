import type { Card } from './card.ts';
import type { TurnStatus } from './turnStatus.ts';

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
