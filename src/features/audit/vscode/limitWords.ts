import { actionLabel } from '../../../platform/messages/cardWords.ts';
import { limitSourceWords, usedWords } from '../../../platform/messages/describeDayLimit.ts';
import type { Card } from '../../../protocol/card.ts';
import type { DayLimitReached } from '../../../util/errors.ts';

/** The card of the panel for a limit of which most is used. */
export function nearLimitCard(found: DayLimitReached, file: string): Card {
  return {
    severity: 'warning',
    title: usedWords(found),
    detail: limitSourceWords(found, file),
    actions: [{ id: 'showPolicy', label: actionLabel('showPolicy') }],
  };
}
