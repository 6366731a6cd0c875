import type { ConfirmationChoice } from '../send/confirmation.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { RequestLimit } from '../send/form/requestLimit.ts';
import type { Attachment } from '../send/message/attachment.ts';
import type { OutdatedSource } from './conversation/earlierFiles.ts';
import type { outgoingFor, TurnInPlace } from './conversation/outgoingFor.ts';
import type { Turn, TurnState } from './conversation/turn.ts';
import type { ToolboxSource } from './tools/toolbox.ts';

/**
 * A new state of a running turn, or of an earlier one that has a summary now. With `added`, only its texts and counts have
 * changed: `added` is the new text of its answer, `thought` the new text of its thinking.
 */
export interface TurnChange {
  readonly turn: Turn;
  readonly added?: string;
  readonly thought?: string;
}

/** A summary of earlier turns that is being made. */
export interface Summarizing {
  stop(): void;
  retryNow(): void;
  decide(asked: number, choice: ConfirmationChoice): void;
  /** Resolves with the last turn that it replaces, which has the summary now. Throws a ServiceError. */
  toEnd(): Promise<Turn>;
}

/** The parameters of a run, and the callback to which it reports. */
export interface TurnStart extends TurnInPlace {
  /** Whether the run keeps the answer of the turn and asks for the rest of it. */
  readonly continues: boolean;
  readonly dispatch: Dispatch;
  /** Builds the requests of the turn; by default, outgoingFor(). */
  readonly outgoing?: typeof outgoingFor;
  /** Starts a summary of earlier turns. If undefined, the run makes no summary. */
  readonly summarize?: (
    before: readonly Turn[],
    limit: RequestLimit,
    onChange: (state: TurnState, turns: number) => void,
  ) => Summarizing;
  /** Whether the user asks the same question again. */
  readonly isAgain?: boolean;
  /** The limit for all requests of the turn; by default, the turn has its own. */
  readonly limit?: RequestLimit;
  /** Whether the run begins with a summary. */
  readonly summarizes?: boolean;
  readonly tools: ToolboxSource;
  /** Reads the project's instructions, for each request. */
  readonly instructions: () => Promise<readonly Attachment[]>;
  /** Compares earlier attachments with their files. If undefined, nothing is compared. */
  readonly outdated?: OutdatedSource;
  /** Names of the tools that the user has allowed in this conversation. */
  readonly granted: Set<string>;
  readonly onChange: (change: TurnChange) => void;
}
