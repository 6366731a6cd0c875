import type { ConfirmSend } from '../../../send/confirmation.ts';
import { orAborted } from '../../../util/orAborted.ts';

/**
 * Serializes the confirmations. VS Code's chat sends several requests at a time (a title beside an answer), and a second prompt
 * would close the first one, which would be taken for a refusal.
 */
export function oneAtATime(confirmSend: ConfirmSend): ConfirmSend {
  let previous: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    const choice = previous.then(() => (signal.aborted ? 'cancel' : confirmSend(request, signal)));
    previous = choice.catch(() => undefined);
    try {
      return await orAborted(choice, signal);
    } catch (error) {
      if (signal.aborted) return 'cancel';
      throw error;
    }
  };
}
