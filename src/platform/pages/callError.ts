import type { Card } from '../../protocol/card.ts';
import { asServiceError } from '../../util/errors.ts';
import type { OwnAction } from '../messages/actions.ts';
import { cardText } from '../messages/cardWords.ts';
import { describeError } from '../messages/errors/describeError.ts';

/** Rejects an action of the user in a page, which shows the message, with what the user can do instead: all is localised. */
export class Refusal extends Error {
  readonly offers: readonly OwnAction[];

  constructor(message: string, offers: readonly OwnAction[] = []) {
    super(message);
    this.offers = offers;
  }
}

/** The card about an action of a page that failed; null for a cancellation, which shows nothing. */
export function cardOfCall(error: unknown): Card | null {
  if (error instanceof Refusal) {
    return { severity: 'error', title: error.message, actions: error.offers.map(({ id, label }) => ({ id, label })) };
  }
  return describeError(asServiceError(error), { canRetry: false, canContinue: false });
}

/** The same in one line: of every error in the user's language, '' for a cancellation. */
export function replyWords(error: unknown): string {
  const card = cardOfCall(error);
  return card === null ? '' : cardText(card);
}
