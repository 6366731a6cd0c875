import type { ConfirmationChoice } from '../send/confirmation.ts';
import type { Dispatch } from '../send/dispatch.ts';
import type { RequestLimit } from '../send/form/requestLimit.ts';
import type { Attachment } from '../send/message/attachment.ts';
import type { OutdatedSource } from './conversation/earlierFiles.ts';
import type { outgoingFor, TurnInPlace } from './conversation/outgoingFor.ts';
import type { Turn, TurnState } from './conversation/turn.ts';
import type { ToolboxSource } from './tools/toolbox.ts';

/**
 * A new state of a running turn, or of an earlier one that has a summary now. With `added`, only its texts and counts have changed: `added` is the new text of its
 * answer, `thought` that of its thinking.
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
  decide(choice: ConfirmationChoice): void;
  /** Resolves with the last of the turns that it replaces, which has the summary now. Throws a ServiceError. */
  toEnd(): Promise<Turn>;
}

/** Everything that a run needs, given at its start, and the one way in which it reports. */
export interface TurnStart extends TurnInPlace {
  /** Keeps the answer of the turn and asks for the rest of it. */
  readonly continues: boolean;
  readonly dispatch: Dispatch;
  /** Makes its requests; absent, they are those of a question. */
  readonly outgoing?: typeof outgoingFor;
  /** Begins a summary of turns before it. Absent: it makes none. */
  readonly summarize?: (
    before: readonly Turn[],
    limit: RequestLimit,
    onChange: (state: TurnState, turns: number) => void,
  ) => Summarizing;
  /** The user asks the same again. */
  readonly isAgain?: boolean;
  /** The limit for all its requests; if absent, it has its own. */
  readonly limit?: RequestLimit;
  /** Begins with a summary. */
  readonly summarizes?: boolean;
  readonly tools: ToolboxSource;
  /** Reads the project's instructions, for each request. */
  readonly instructions: () => Promise<readonly Attachment[]>;
  /** Compares what earlier questions attached with the files; absent, nothing is compared. */
  readonly outdated?: OutdatedSource;
  /** Names of the tools that the user has allowed in this conversation. */
  readonly granted: Set<string>;
  readonly onChange: (change: TurnChange) => void;
}
