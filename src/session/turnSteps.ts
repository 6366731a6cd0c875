import type { Usage } from '../client/chat.ts';
import { isServiceError, type ServiceError } from '../util/errors.ts';
import type { Turn } from './conversation/conversation.ts';
import type { Receipt } from './conversation/receipt.ts';
import type { DispatchEvent } from './dispatch/withAuditOutcome.ts';
import { closed } from './tools/toolStep.ts';

/** Usage and receipt of the earlier requests of a turn. */
export type Earlier = Pick<Turn, 'usage' | 'receipt'>;

/**
 * A turn after an event of its request, except text. Each request has its own counts and receipt: the turn has their
 * sum, and the worst receipt.
 */
export function afterEvent(
  turn: Turn,
  event: Exclude<DispatchEvent, { type: 'text-delta' }>,
  { usage = {}, receipt }: Earlier,
): Turn {
  switch (event.type) {
    case 'response': {
      const answered = { ...withoutRetry(turn), status: turn.status === 'retrying' ? 'waiting' : turn.status } as const;
      return event.requestId === undefined ? answered : { ...answered, requestId: event.requestId };
    }
    case 'retry-wait': {
      const { attempt, delayMs, error } = event;
      return { ...turn, status: 'retrying', retry: { untilMs: Date.now() + delayMs, attempt, error } };
    }
    case 'usage':
      return { ...turn, usage: sumOf(usage, event.usage) };
    case 'receipt':
      return { ...turn, receipt: receipt === undefined ? event.receipt : worseOf(receipt, event.receipt) };
    case 'finish':
      return { ...turn, finishReason: event.finishReason };
    case 'reasoning-delta':
    case 'tool-call':
      return turn;
  }
}

/** The same question, as it was asked first, with the choices that the user and the policy have made for it. */
export function afresh(turn: Turn): Turn {
  const { id, parent = null, askedAt, action, prompt, attachments } = turn;
  const { command, secrets, asIsFor, origin, isZeroRetention } = turn;
  return {
    ...{ id, parent, askedAt, action, prompt, attachments, status: 'waiting', answer: '', model: null },
    ...(command === undefined ? {} : { command }),
    ...(secrets === undefined ? {} : { secrets }),
    ...(asIsFor === undefined ? {} : { asIsFor }),
    ...(origin === undefined ? {} : { origin }),
    ...(isZeroRetention === undefined ? {} : { isZeroRetention }),
  };
}

function sumOf(a: Usage, b: Usage): Usage {
  const keys = ['promptTokens', 'completionTokens', 'totalTokens'] as const;
  const known = keys.filter((key) => a[key] !== undefined || b[key] !== undefined);
  return Object.fromEntries(known.map((key) => [key, (a[key] ?? 0) + (b[key] ?? 0)]));
}

function worseOf(a: Receipt, b: Receipt): Receipt {
  const rank = { confirmed: 0, 'not-confirmed': 1, contradicted: 2 };
  return rank[a.verdict] > rank[b.verdict] ? a : b;
}

export function withoutRetry(turn: Turn): Turn {
  const { retry: _, ...kept } = turn;
  return kept;
}

export function withoutConfirmation(turn: Turn): Turn {
  const { confirmation: _, ...kept } = turn;
  return kept;
}

/** Calls that were pending or running when the turn ended are closed. */
export function withoutOpenSteps(turn: Turn): Turn {
  return turn.steps === undefined ? turn : { ...turn, steps: turn.steps.map(closed) };
}

/** A cancelled turn keeps what arrived; an interruption after the first delta keeps the text; anything else failed. */
export function ended(turn: Turn, error: ServiceError): Turn {
  if (error.kind === 'aborted') return { ...withoutConfirmation(withoutOpenSteps(turn)), status: 'stopped' };
  const requestId = error.requestId ?? turn.requestId;
  const status = turn.answer.trim() === '' ? 'failed' : 'interrupted';
  return { ...turn, status, error, ...(requestId === undefined ? {} : { requestId }) };
}

/** The service ended the answer and it is empty. An answer that was cut short has its own message. */
export function isEmpty({ answer, steps, finishReason = '' }: Turn): boolean {
  return answer.trim() === '' && steps === undefined && !/^(length|content_filter)$/.test(finishReason);
}

/** The service rejected the form of the request: without tools it may be accepted. Ignores the service's message. */
export function mayDeclineTools(thrown: unknown): boolean {
  return isServiceError(thrown) && thrown.kind === 'request' && (thrown.status === 400 || thrown.status === 422);
}
