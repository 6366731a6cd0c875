import type { Usage } from '../../client/chat.ts';
import type { ServiceError } from '../../util/errors.ts';
import type { AuditHeader } from '../dispatch/audit.ts';
import type { ConfirmationRequest } from '../dispatch/confirmation.ts';
import type { ToolStep } from '../tools/toolStep.ts';
import { type Attachment, placesOf } from './attachment.ts';
import type { Receipt } from './receipt.ts';

export type TurnAction = 'chat' | 'explain' | 'generate' | 'review';

/** What a question that begins with `/` stands for. */
export interface TurnCommand {
  /** `tests`, or the name of a prompt of the workspace. */
  readonly name: string;
  /** What is sent in the place of `prompt`, which stays what the user typed. */
  readonly text: string;
  /** The model that a prompt of the workspace asks for, in the place of the setting's. */
  readonly model?: string;
  /** The workspace folder the prompt comes from: its settings count, as those of an attachment's do. */
  readonly folder?: string;
}

/** How far a turn has come. The page has a list of its own, since protocol/ imports nothing: the compiler asks there for each of these. */
export const turnStatuses = [
  /** The user is asked whether it may leave. */
  'reviewing',
  /** The user is asked about a tool call, or a tool runs. */
  'calling',
  'waiting',
  'retrying',
  'streaming',
  'complete',
  'interrupted',
  'stopped',
  'failed',
] as const;

export type TurnStatus = (typeof turnStatuses)[number];

/** A wait before the request is sent again. */
export interface RetryWait {
  /** Epoch, milliseconds. */
  readonly untilMs: number;
  readonly attempt: number;
  readonly error: ServiceError;
}

/** A user message and its answer. */
export interface Turn {
  readonly id: string;
  /** The turn it follows, null for a first one. Absent, it is the one before it: so it was before there were branches. */
  readonly parent?: string | null;
  /** Epoch, milliseconds. */
  readonly askedAt: number;
  readonly action: TurnAction;
  readonly prompt: string;
  readonly command?: TurnCommand;
  readonly attachments: readonly Attachment[];
  readonly status: TurnStatus;
  /** Markdown, as far as it has come. */
  readonly answer: string;
  /** The model asked for; null until the request was admitted. */
  readonly model: string | null;
  /** The origin that its last request went to; absent until one was admitted. */
  readonly origin?: string;
  /** The tools it called, in their order. */
  readonly steps?: readonly ToolStep[];
  /** Tools are switched on, and its model does not take any. */
  readonly isWithoutTools?: true;
  readonly finishReason?: string;
  readonly usage?: Usage;
  readonly requestId?: string;
  /** The headers its last request carried; absent until one was admitted. */
  readonly requested?: readonly AuditHeader[];
  /** One of its requests was sent under zero retention: nothing of it is stored, whatever holds later. */
  readonly isZeroRetention?: true;
  /** What the service said of those headers. */
  readonly receipt?: Receipt;
  /** Secrets in its question and attachments are masked unless the user chose otherwise. */
  readonly secrets?: 'mask' | 'as-is';
  /** The one destination (destination.ts) that `as-is` was chosen for; absent, it holds for none. */
  readonly asIsFor?: string;
  /** How many secrets its last request had masked, earlier messages' with them. */
  readonly masked?: number;
  readonly review?: ConfirmationRequest;
  readonly retry?: RetryWait;
  readonly error?: ServiceError;
}

export interface Conversation {
  readonly id: string;
  /** Epoch, milliseconds. */
  readonly createdAt: number;
  /** As the user named it; without one, its first prompt stands for it. */
  readonly title?: string;
  readonly isPinned?: true;
  /** The branch that is shown, which a next request carries. */
  readonly turns: readonly Turn[];
  /** The turns of other branches: see branches.ts. */
  readonly hidden?: readonly Turn[];
}

/** Something may still come of it. */
export function isLive({ status }: Turn): boolean {
  return (
    status === 'reviewing' ||
    status === 'calling' ||
    status === 'waiting' ||
    status === 'retrying' ||
    status === 'streaming'
  );
}

/** Where the content of these turns comes from, as Outgoing.folders names it. */
export function foldersOf(turns: readonly Turn[]): readonly string[] {
  const places = turns.flatMap(({ command, attachments, steps = [] }) => [
    ...placesOf([...attachments, ...steps.flatMap(({ output }) => output?.attachments ?? [])]),
    ...(command?.folder === undefined ? [] : [command.folder]),
  ]);
  return [...new Set(places)];
}

export function replaceTurn(conversation: Conversation, turn: Turn): Conversation {
  return { ...conversation, turns: conversation.turns.map((old) => (old.id === turn.id ? turn : old)) };
}

/** The origin that the content up to `turn` last went to: all of what is before it in the conversation has been there. */
export function originOf({ turns }: Conversation, { id }: Turn): string | undefined {
  const index = turns.findIndex((turn) => turn.id === id);
  const sofar = index < 0 ? turns : turns.slice(0, index + 1);
  return sofar.findLast(({ origin }) => origin !== undefined)?.origin;
}

/** The turns a request for `turn` carries: those before it (all, where it is a new one) that have an answer, and itself. */
export function turnsSent(conversation: Conversation, turn: Turn): readonly Turn[] {
  const index = conversation.turns.findIndex(({ id }) => id === turn.id);
  const before = index < 0 ? conversation.turns : conversation.turns.slice(0, index);
  return [...before.filter(({ answer }) => answer !== ''), turn];
}
