import type { Usage } from '../../src/client/chat.ts';
import type { TurnStatus } from '../../src/protocol/turnStatus.ts';
import type { TurnView } from '../../src/protocol/turnView.ts';
import type { ConfirmationRequest } from '../../src/send/confirmation.ts';
import type { Receipt } from '../../src/send/message/receipt.ts';
import type { Summary } from '../../src/session/conversation/summary.ts';
import type {
  LastRequest,
  Turn,
  TurnAnswer,
  TurnPhase,
  TurnQuestion,
  TurnState,
} from '../../src/session/conversation/turn.ts';
import type { ServiceError } from '../../src/util/errors.ts';

type Retry = Extract<TurnPhase, { status: 'retrying' }>['retry'];

/** The fields of a turn that a test sets, from all parts of a turn. */
export interface TurnFields
  extends Partial<Omit<TurnQuestion, 'secrets'>>,
    Partial<Omit<TurnAnswer, 'text' | 'usage' | 'receipt'>>,
    Partial<Omit<LastRequest, 'model'>>,
    Partial<TurnState['memory']> {
  readonly id?: string;
  readonly parent?: string | null;
  readonly secrets?: TurnQuestion['secrets'];
  /** Its text. */
  readonly answer?: string;
  readonly usage?: Usage;
  readonly receipt?: Receipt;
  readonly summary?: Summary | undefined;
  /** null: no request was admitted. */
  readonly model?: string | null;
  readonly status?: TurnStatus;
  readonly sentAt?: number;
  readonly summarizing?: number;
  readonly confirmation?: ConfirmationRequest;
  /** The number of the question. */
  readonly asked?: number;
  readonly retry?: Retry;
  readonly error?: ServiceError;
}

/** A turn with these fields, complete unless they say otherwise. */
export function turnOf(fields: TurnFields = {}): Turn {
  const { id = 't', parent = null, summary } = fields;
  const { askedAt = 1, action = 'chat', prompt = '', attachments = [], outdated = [] } = fields;
  const { mode, command, secrets, origin, places, isZeroRetention } = fields;
  const { answer: text = '', steps = [], finishReason, usage, receipt, isWithoutTools } = fields;
  const { model = null, headers = [], masked = 0, repeated = [], changesOnly = [] } = fields;
  const { serviceRequestId, auditRequestId, shortened, sentAgain, readsLess } = fields;
  const sent = {
    headers,
    masked,
    repeated,
    changesOnly,
    ...known({ serviceRequestId, auditRequestId, shortened, sentAgain, readsLess }),
  };
  return {
    ...{ id, parent },
    question: {
      ...{ askedAt, action, prompt, attachments, outdated },
      ...known({ mode, command, secrets, origin, places, isZeroRetention }),
    },
    answer: { ...{ text, steps }, ...known({ finishReason, usage, receipt, isWithoutTools }) },
    ...known({ summary }),
    ...(model === null ? {} : { lastRequest: { model, ...sent } }),
    state: stateOf(fields),
  };
}

function stateOf(fields: TurnFields): TurnState {
  const { status = 'complete', sentAt, summarizing, confirmation, asked, retry, error } = fields;
  const { thinking, sentForm, contentLeftOut, hasProposed } = fields;
  const phase = { status, ...known({ sentAt, summarizing, request: confirmation, asked, retry, error }) };
  return { ...(phase as TurnPhase), memory: known({ thinking, sentForm, contentLeftOut, hasProposed }) };
}

/** The fields of a turn, for a test that changes one of them, or compares some. */
export function fieldsOf({ id, parent, question, answer, summary, lastRequest, state }: Turn): TurnFields {
  const { text, ...about } = answer;
  const { memory, ...phase } = state;
  const { request: confirmation, ...rest } = { request: undefined, ...phase };
  return {
    ...{ id, parent, answer: text, model: null },
    ...question,
    ...about,
    ...lastRequest,
    ...memory,
    ...rest,
    ...known({ summary, confirmation }),
  };
}

type Known<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function known<T extends object>(values: T): Known<T> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Known<T>;
}

type KeyOf<T> = T extends unknown ? keyof T : never;
type Value<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** Everything that the page may be told of a turn, in whatever state it is. */
export type ViewFields = { readonly [K in KeyOf<TurnView>]?: Value<TurnView, K> };
