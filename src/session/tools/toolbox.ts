import type { ToolCall, ToolOffer } from '../../client/chat.ts';
import type { AuditEntryOf } from '../dispatch/audit.ts';
import type { Outgoing } from '../dispatch/outgoing.ts';
import type { ToolOutput } from './toolStep.ts';

/** What came of a call that was run. */
export interface ToolResult {
  readonly state: 'done' | 'failed' | 'refused';
  readonly output: ToolOutput;
}

export type ToolEntry = AuditEntryOf<'tool-call'>;

/** The tools that the answers of a turn may ask for. */
export interface Toolbox {
  readonly offer: ToolOffer;
  /** The model has been offered tools before, and does not take any. */
  readonly isDeclined: boolean;
  /** The model takes a request without tools that it did not take with them: remembered for the ones to come. */
  noteDeclined(): void;
  /** Why a call can't be run, in words for the model; null where the user may be asked about it. */
  whyNot(call: ToolCall): Promise<string | null>;
  /** Runs a call that the user has allowed. Rejects where the signal aborts, and for a fault of our own. */
  run(call: ToolCall, signal: AbortSignal): Promise<ToolResult>;
  /** Writes down what became of a call, without its content. */
  record(entry: ToolEntry): Promise<void>;
}

/** null where tools are switched off. Asked before each request: what is switched off counts at once. */
export type ToolboxSource = (about: Pick<Outgoing, 'modelKey' | 'askedModel' | 'folders'>) => Promise<Toolbox | null>;

export const noTools: ToolboxSource = async () => null;
