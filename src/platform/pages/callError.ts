import type { Card } from '../../protocol/card.ts';
import { asServiceError } from '../../util/errors.ts';
import type { OwnAction } from '../messages/actions.ts';
import { cardText } from '../messages/cardWords.ts';
import { describeError } from '../messages/errors/describeError.ts';

/**
 * Thrown to reject a user action in a page. The page shows the message and offers the actions that the user can take
 * instead; both are localized.
 */
export class Refusal extends Error {
  readonly offers: readonly OwnAction[];

  constructor(message: string, offers: readonly OwnAction[] = []) {
    super(message);
    this.offers = offers;
  }
}

/** Returns the error card for a failed action in a page, or null for a cancellation, for which nothing is shown. */
export function cardOfCall(error: unknown): Card | null {
  if (error instanceof Refusal) {
    return { severity: 'error', title: error.message, actions: error.offers.map(({ id, label }) => ({ id, label })) };
  }
  return describeError(asServiceError(error), { canRetry: false, canContinue: false });
}

/** Like cardOfCall(), but returns a single line in the user's language; '' for a cancellation. */
export function replyWords(error: unknown): string {
  const card = cardOfCall(error);
  return card === null ? '' : cardText(card);
}
