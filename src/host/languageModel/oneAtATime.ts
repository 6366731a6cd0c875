import type { ConfirmSend } from '../../session/dispatch/confirmation.ts';
import { orAborted } from '../../util/orAborted.ts';

/**
 * Asks about one request after the other. VS Code's chat sends several at a time (a title beside an answer), and a second
 * question on the screen would take the first one away, which counts as a no.
 */
export function oneAtATime(review: ConfirmSend): ConfirmSend {
  let before: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    const asked = before.then(() => (signal.aborted ? 'cancel' : review(request, signal)));
    before = asked.catch(() => undefined);
    try {
      return await orAborted(asked, signal);
    } catch (error) {
      if (signal.aborted) return 'cancel';
      throw error;
    }
  };
}
