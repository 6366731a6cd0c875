import { randomUUID } from 'node:crypto';
import type { Usage } from '../../client/chat.ts';
import type { Mode } from '../../protocol/mode.ts';
import { isLive } from '../../protocol/turnStatus.ts';
import type { AuditHeader } from '../../send/audit.ts';
import type { SentAgain } from '../../send/budget/contextWindow.ts';
import type { Shortened } from '../../send/budget/leftOut.ts';
import type { ConfirmationRequest } from '../../send/confirmation.ts';
import type { LeftOutContent } from '../../send/excludedContent.ts';
import type { SentForm } from '../../send/form/form.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import type { Receipt } from '../../send/message/receipt.ts';
import type { ServiceError } from '../../util/errors.ts';
import { closed, type ToolStep } from '../tools/toolStep.ts';
import type { Summary } from './summary.ts';
import { type Thinking, thinkingOver } from './thinking.ts';

/** A question of the user and its answer. All of it is stored, except its state, of which only the end is stored. */
export interface Turn {
  readonly id: string;
  /** The id of the turn before it, or null for a first turn. */
  readonly parent: string | null;
  readonly question: TurnQuestion;
  readonly answer: TurnAnswer;
  /** Replaces this turn and the turns before it in the requests of later turns. */
  readonly summary?: Summary | undefined;
  /** Undefined until a request was admitted. */
  readonly lastRequest?: LastRequest | undefined;
  readonly state: TurnState;
}

export type TurnAction = 'chat' | 'explain' | 'generate' | 'review';

/** The slash command of a question. */
export interface TurnCommand {
  /** `tests`, or the name of a prompt of the workspace. */
  readonly name: string;
  /** The text that is sent instead of `prompt`, which contains what the user typed. */
  readonly text: string;
  /** The model that a prompt of the workspace sets, instead of the setting's. */
  readonly model?: string;
  /** The workspace folder of the prompt: its settings apply, like those of an attachment's folder. */
  readonly folder?: string;
}

/** The user's text with its attachments. */
export interface Question {
  readonly action: TurnAction;
  readonly prompt: string;
  readonly command?: TurnCommand;
  readonly attachments: readonly Attachment[];
}

/** A question, and the decisions on how it is sent and stored: these stay if it is asked again. */
export interface TurnQuestion extends Question {
  /** The time of the question (epoch, milliseconds). */
  readonly askedAt: number;
  /** The mode in which it was asked; undefined means `ask`. */
  readonly mode?: Mode;
  /** Labels of earlier attachments whose files were changed or removed since: its request states this. */
  readonly outdated: readonly string[];
  /** Secrets in it and its attachments are masked, or sent to this one destination (destination.ts). Undecided if undefined. */
  readonly secrets?: 'mask' | { readonly asIsFor: string };
  /** The origin of its last request; undefined until one was admitted. */
  readonly origin?: string;
  /**
   * The sources of the content of its last request, including instructions and earlier turns, as in Outgoing.folders.
   * Undefined until the request was composed.
   */
  readonly places?: readonly string[];
  /** Whether one of its requests was sent under zero retention: no part of it is stored, even if the policy changes later. */
  readonly isZeroRetention?: true;
}

/** The text and the facts that the requests of a turn have returned. */
export interface TurnAnswer {
  /** The Markdown that has arrived. */
  readonly text: string;
  /** The tool calls of the answer, in order. */
  readonly steps: readonly ToolStep[];
  readonly finishReason?: string | undefined;
  /** The sum over its requests. */
  readonly usage?: Usage;
  /** The service's report on the headers: the worst receipt of its requests. */
  readonly receipt?: Receipt;
  /** Whether tools are switched on, but the model does not accept any. */
  readonly isWithoutTools?: true;
}

/** The last request of a turn that was admitted. */
export interface LastRequest {
  readonly model: string;
  readonly headers: readonly AuditHeader[];
  /** The id that the service gave it. */
  readonly serviceRequestId?: string;
  /** Its id in the audit log. */
  readonly auditRequestId?: string;
  /** The number of masked secrets, including those of earlier messages. */
  readonly masked: number;
  /** Names of attachments that an earlier message has with the same text: they were not sent again. */
  readonly repeated: readonly string[];
  /** Names of attachments that were sent only as their changes since an earlier message. */
  readonly changesOnly: readonly string[];
  /** The parts of the conversation that were left out so that the request fits the model's context window. */
  readonly shortened?: Shortened | undefined;
  /** Set if the service refused it as too long, and it was sent again, shorter. */
  readonly sentAgain?: SentAgain;
  /** Set if the service counted far fewer tokens than were sent (estimated): it may not have read all of them. */
  readonly readsLess?: { readonly counted: number; readonly sent: number };
}

/** The current phase of a turn, or how it ended, and the facts that are known only until the window is closed. */
export type TurnState = TurnPhase & { readonly memory: TurnMemory };

/** Facts that are never stored, whatever the phase. */
interface TurnMemory {
  readonly thinking?: Thinking;
  /** Set if the service refused parts of its requests, so that they were sent in another form. */
  readonly sentForm?: SentForm;
  /** Text of excluded files that its last request left out. */
  readonly contentLeftOut?: readonly LeftOutContent[] | undefined;
  /** Whether its calls have proposed changes of files, which are kept in memory only. */
  readonly hasProposed?: true;
}

export type TurnPhase =
  | (WhileSent & { readonly status: 'waiting' })
  /** The user is asked whether the request may be sent. */
  | (WhileSummarizing & {
      readonly status: 'confirming';
      readonly request: ConfirmationRequest;
      /** The number of the question. */
      readonly asked: number;
    })
  | (WhileSent & { readonly status: 'retrying'; readonly retry: RetryWait })
  | (WhileSent & { readonly status: 'streaming' })
  /** The user is asked about a tool call, or a tool runs. */
  | { readonly status: 'calling' }
  | { readonly status: 'complete' | 'stopped' }
  | (WhileSummarizing & { readonly status: 'interrupted' | 'failed'; readonly error?: ServiceError });

interface WhileSummarizing {
  /** The number of earlier turns that are being summarized first; after an error, that could not be summarized. */
  readonly summarizing?: number;
}

interface WhileSent extends WhileSummarizing {
  /** The time at which its running request was sent (epoch, milliseconds); undefined until then. */
  readonly sentAt?: number;
}

/** A wait before the request is sent again. */
interface RetryWait {
  /** The end of the wait (epoch, milliseconds). */
  readonly untilMs: number;
  readonly attempt: number;
  readonly error: ServiceError;
}

const noAnswer: TurnAnswer = { text: '', steps: [] };

/** Returns the turn of a question that is asked now. */
export function newTurn(question: Question, parent: string | null, mode: Mode = 'ask'): Turn {
  return {
    id: randomUUID(),
    parent,
    question: { ...question, askedAt: Date.now(), ...modeField(mode), outdated: [] },
    answer: noAnswer,
    state: { status: 'waiting', memory: {} },
  };
}

/** Returns a turn with the same question, before it was asked, in another mode. */
export function unasked({ id, parent, question: { mode: _, ...question } }: Turn, mode: Mode = 'ask'): Turn {
  return {
    id,
    parent,
    question: { ...question, ...modeField(mode), outdated: [] },
    answer: noAnswer,
    state: { status: 'waiting', memory: {} },
  };
}

function modeField(mode: Mode): Pick<TurnQuestion, 'mode'> {
  return mode === 'ask' ? {} : { mode };
}

/** Returns the turn in another phase. */
export function inPhase(turn: Turn, phase: TurnPhase): Turn {
  return { ...turn, state: { ...phase, memory: turn.state.memory } };
}

/** Whether text or tool calls have arrived: they are kept, even if the turn ended early, and sent with later questions. */
export function hasAnswer({ answer: { text, steps } }: Pick<Turn, 'answer'>): boolean {
  return text.trim() !== '' || steps.length > 0;
}

/** The error with which a turn ended. */
export function errorOf(turn: Pick<Turn, 'state'> | undefined): ServiceError | undefined {
  const state = turn?.state;
  return state?.status === 'interrupted' || state?.status === 'failed' ? state.error : undefined;
}

/** The number of earlier turns whose summary a turn waits for, or that could not be summarized. */
export function summarizingOf(turn: Pick<Turn, 'state'> | undefined): number | undefined {
  const state = turn?.state;
  return state !== undefined && 'summarizing' in state ? state.summarizing : undefined;
}

/** Ends the thinking that was arriving. */
export function withThinkingOver(turn: Turn): Turn {
  const { memory } = turn.state;
  const { thinking } = memory;
  if (thinking?.since === undefined) return turn;
  return { ...turn, state: { ...turn.state, memory: { ...memory, thinking: thinkingOver(thinking) } } };
}

/** Stops a running turn: nothing more arrives, and its open calls are closed. */
export function stopped(running: Turn): Turn {
  if (!isLive(running.state)) return running;
  const turn = inPhase(withThinkingOver(running), { status: 'stopped' });
  return { ...turn, answer: { ...turn.answer, steps: turn.answer.steps.map(closed) } };
}
