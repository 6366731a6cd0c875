import { isServiceError, ServiceError } from '../util/errors.ts';
import type { Turn } from './conversation.ts';
import type { DispatchEvent } from './recorded.ts';

/** A turn after what came of its request, text aside. */
export function afterEvent(turn: Turn, event: Exclude<DispatchEvent, { type: 'text-delta' }>): Turn {
  switch (event.type) {
    case 'response':
      return event.requestId === undefined ? turn : { ...turn, requestId: event.requestId };
    case 'retry-wait': {
      const { attempt, delayMs, error } = event;
      return { ...turn, status: 'retrying', retry: { untilMs: Date.now() + delayMs, attempt, error } };
    }
    case 'usage':
      return { ...turn, usage: event.usage };
    case 'receipt':
      return { ...turn, receipt: event.receipt };
    case 'finish':
      return { ...turn, finishReason: event.finishReason };
    case 'reasoning-delta':
    case 'tool-call':
      return turn;
  }
}

export function withoutRetry(turn: Turn): Turn {
  const { retry: _, ...kept } = turn;
  return kept;
}

export function withoutReview(turn: Turn): Turn {
  const { review: _, ...kept } = turn;
  return kept;
}

/** A cancel shows nothing but what came; a break after the first delta keeps it; anything else failed. */
export function ended(turn: Turn, error: ServiceError): Turn {
  if (error.kind === 'aborted') return { ...withoutReview(turn), status: 'stopped' };
  const requestId = error.requestId ?? turn.requestId;
  const status = turn.answer === '' ? 'failed' : 'interrupted';
  return { ...turn, status, error, ...(requestId === undefined ? {} : { requestId }) };
}

export function asServiceError(thrown: unknown): ServiceError {
  if (isServiceError(thrown)) return thrown;
  // A fault of our own. Its message could quote anything, so only its class is kept.
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return new ServiceError('protocol', `Unexpected ${name}.`, { code: 'internal', cause: thrown });
}
