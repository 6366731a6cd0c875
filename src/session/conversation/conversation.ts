import { randomUUID } from 'node:crypto';
import type { Usage } from '../../client/chat.ts';
import type { AskedModel } from '../../policy/requestOptions.ts';
import type { TurnStatus } from '../../protocol/turnStatus.ts';
import type { AuditHeader } from '../../send/audit.ts';
import type { SentAgain } from '../../send/budget/contextWindow.ts';
import type { Shortened } from '../../send/budget/leftOut.ts';
import type { ConfirmationRequest } from '../../send/confirmation.ts';
import type { LeftOutContent } from '../../send/excludedContent.ts';
import type { SentForm } from '../../send/form/form.ts';
import { type Attachment, placesOf } from '../../send/message/attachment.ts';
import type { Receipt } from '../../send/message/receipt.ts';
import type { ServiceError } from '../../util/errors.ts';
import type { ToolStep } from '../tools/toolStep.ts';
import type { Summary } from './summary.ts';
import type { Thinking } from './thinking.ts';

export type TurnAction = 'chat' | 'explain' | 'generate' | 'review';

/** The slash command of a question. */
export interface TurnCommand {
  /** `tests`, or the name of a prompt of the workspace. */
  readonly name: string;
  /** What is sent instead of `prompt`, which keeps what the user typed. */
  readonly text: string;
  /** The model that a prompt of the workspace sets, instead of the setting's. */
  readonly model?: string;
  /** The workspace folder of the prompt: its settings apply, like those of an attachment's folder. */
  readonly folder?: string;
}

/** A wait before the request is sent again. */
interface RetryWait {
  /** Epoch, milliseconds. */
  readonly untilMs: number;
  readonly attempt: number;
  readonly error: ServiceError;
}

/** A user message and its answer. */
export interface Turn {
  readonly id: string;
  /** The turn before it, null for a first one. Absent, it is the preceding one: the format before branches existed. */
  readonly parent?: string | null;
  /** Epoch, milliseconds. */
  readonly askedAt: number;
  readonly action: TurnAction;
  readonly prompt: string;
  readonly command?: TurnCommand;
  readonly attachments: readonly Attachment[];
  readonly status: TurnStatus;
  /** Markdown, as far as it has arrived. */
  readonly answer: string;
  readonly thinking?: Thinking;
  /** The requested model; null until the request was admitted. */
  readonly model: string | null;
  /** The origin of its last request; absent until one was admitted. */
  readonly origin?: string;
  /**
   * Where the content of its last request came from, the instructions and earlier turns included: as in Outgoing.folders.
   * Absent until the request was composed.
   */
  readonly places?: readonly string[];
  /** The tools it called, in order. */
  readonly steps?: readonly ToolStep[];
  /** Tools are switched on, but its model does not accept any. */
  readonly isWithoutTools?: true;
  /** The service refused parts of its requests, so that they were sent in another form. Only in memory. */
  readonly sentForm?: SentForm;
  readonly finishReason?: string;
  readonly usage?: Usage;
  /** The service's id of its last request, and its id in the audit log. */
  readonly requestId?: string;
  readonly request?: string;
  /** The headers of its last request; absent until one was admitted. */
  readonly requested?: readonly AuditHeader[];
  /** One of its requests was sent under zero retention: nothing of it is stored, even if the policy changes later. */
  readonly isZeroRetention?: true;
  /** What the service reported about those headers. */
  readonly receipt?: Receipt;
  /** Secrets in its question and attachments are masked unless the user chose otherwise. */
  readonly secrets?: 'mask' | 'as-is';
  /** The only destination (destination.ts) for which `as-is` was chosen; absent, it applies to none. */
  readonly asIsFor?: string;
  /** How many secrets were masked in its last request, including those of earlier messages. */
  readonly masked?: number;
  /** Names of its attachments that an earlier message has with the same text: they were not sent again. */
  readonly repeated?: readonly string[];
  /** Names of those of which only the changes since an earlier message were sent. */
  readonly changesOnly?: readonly string[];
  /** Labels of what earlier questions attached of files that were changed or removed since: its request says so. */
  readonly outdated?: readonly string[];
  /** What its last request left out of the conversation to fit what the model reads. */
  readonly shortened?: Shortened;
  /** Text of excluded files that its last request left out. Only in memory. */
  readonly contentLeftOut?: readonly LeftOutContent[];
  /** The service refused it as too long, and it was sent again, shorter. */
  readonly sentAgain?: SentAgain;
  /** The service counted far fewer tokens than were sent (estimated): it may not have read all of them. */
  readonly readsLess?: { readonly counted: number; readonly sent: number };
  /** Replaces this turn and those before it in the requests of later turns. */
  readonly summary?: Summary;
  /** How many earlier turns are being summarized before it is asked; after an error, could not be summarized. */
  readonly summarizing?: number;
  /** When its running request was sent: epoch, milliseconds; absent until then. */
  readonly sentAt?: number;
  readonly confirmation?: ConfirmationRequest;
  readonly retry?: RetryWait;
  readonly error?: ServiceError;
}

/** The user's last choice of a model for a conversation. */
export interface ChosenModel {
  /** null: that of the settings again. */
  readonly id: string | null;
  /** Epoch, milliseconds: of two windows' choices, the later one applies. */
  readonly at: number;
}

export interface Conversation {
  readonly id: string;
  /** Epoch, milliseconds. */
  readonly createdAt: number;
  /** The name that the user gave; without one, the first prompt is shown. */
  readonly title?: string;
  readonly isPinned?: true;
  /** The model that the user selected for this conversation only. */
  readonly model?: ChosenModel;
  /** The shown branch, which the next request carries. */
  readonly turns: readonly Turn[];
  /** The turns of other branches: see branches.ts. */
  readonly hidden?: readonly Turn[];
}

/** The sources of the content of these turns that a further request carries, as in Outgoing.folders. */
export function foldersOf(turns: readonly Turn[]): readonly string[] {
  const places = turns.flatMap(({ command, attachments, steps = [] }) => [
    ...placesOf([...attachments, ...steps.flatMap(({ output }) => output?.attachments ?? [])]),
    ...(command?.folder === undefined ? [] : [command.folder]),
  ]);
  return [...new Set(places)];
}

/** The same, and the sources of the instructions that were sent with them: their settings apply to what is stored. */
export function storedPlacesOf(turns: readonly Turn[]): readonly string[] {
  return [...new Set([...foldersOf(turns), ...turns.flatMap(({ places = [] }) => places)])];
}

export function replaceTurn(conversation: Conversation, turn: Turn): Conversation {
  return { ...conversation, turns: conversation.turns.map((old) => (old.id === turn.id ? turn : old)) };
}

/** The turns before this one; none if the conversation does not have it. */
export function turnsBefore({ turns }: Conversation, { id }: Turn): readonly Turn[] {
  const index = turns.findIndex((turn) => turn.id === id);
  return turns.slice(0, Math.max(0, index));
}

/** The model that the user selected for a conversation; undefined: that of the settings. */
export function askedModelOf({ model }: Conversation): AskedModel | undefined {
  const id = model?.id ?? null;
  return id === null ? undefined : { model: id, isOfConversation: true };
}

/** The conversation with this model selected, or with that of the settings (null); unchanged if it already is. */
export function withModel(conversation: Conversation, id: string | null): Conversation {
  const { model } = conversation;
  if (id === (model?.id ?? null)) return conversation;
  // Always later than the last choice, even if another window's clock was ahead.
  return { ...conversation, model: { id, at: Math.max(Date.now(), (model?.at ?? 0) + 1) } };
}

export function emptyConversation(): Conversation {
  return { id: randomUUID(), createdAt: Date.now(), turns: [] };
}

/** The turn of a question that is asked now. */
export function newTurn(
  question: Pick<Turn, 'action' | 'prompt' | 'command' | 'attachments'>,
  parent: string | null,
): Turn {
  return { ...question, id: randomUUID(), parent, askedAt: Date.now(), status: 'waiting', answer: '', model: null };
}
