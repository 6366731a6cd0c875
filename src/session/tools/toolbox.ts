import type { ToolCall, ToolOffer } from '../../client/chat.ts';
import type { Mode } from '../../protocol/mode.ts';
import type { AuditEntryOf } from '../../send/audit.ts';
import type { ToolOutput } from './toolStep.ts';

/** The result of a call that was run. */
export interface ToolResult {
  readonly state: 'done' | 'failed' | 'refused';
  readonly output: ToolOutput;
}

export type ToolEntry = AuditEntryOf<'tool-call'>;

/** The tools that the answers of a turn may ask for. */
export interface Toolbox {
  readonly offer: ToolOffer;
  /** Whether a tool proposes changes of files. */
  proposes(name: string): boolean;
  /** Returns why a call cannot be run, for the model and the user, or null if the user may be asked about it. */
  whyNot(call: ToolCall): Promise<ToolOutput | null>;
  /** Whether the user must allow a call before it is run. */
  mustAsk(call: ToolCall): boolean;
  /** The number of calls after which the turn is stopped. */
  readonly maxCalls: number;
  /** Whether an approval is for one call only, not for all calls of the tool in the conversation. */
  asksEach(name: string): boolean;
  /**
   * Returns the details that the user sees when they are asked, which the last whyNot() of the same call has found. The user is asked
   * again if they are others then.
   */
  questionAbout(call: ToolCall): string | undefined;
  /** The maximum length in characters of JSON of the input of a tool. */
  maxInputChars(name: string): number;
  /** Whether a call of the tool, when it is done, changes what other calls find. */
  changesFiles(name: string): boolean;
  /** The number of changes to the files of the workspace that were noticed so far, whoever made them. */
  fileChanges(): number;
  /** Runs a call that the user has allowed, or need not be asked about. Rejects if the signal aborts, and for an error in our own code. */
  run(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  /** Records the outcome of a call, without its content. */
  record(entry: ToolEntry): Promise<void>;
}

/**
 * Returns the tools for a question of a conversation, or null if tools are switched off. Called before each request, so that
 * switching off takes effect immediately.
 */
export type ToolboxSource = (conversationId: string, mode: Mode) => Promise<Toolbox | null>;

export const noTools: ToolboxSource = async () => null;
