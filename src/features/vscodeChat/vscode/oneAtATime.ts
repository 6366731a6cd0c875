import type { ConfirmSend } from '../../../send/confirmation.ts';
import { orAborted } from '../../../util/orAborted.ts';

/**
 * Serialises the confirmations. VS Code's chat sends several requests at a time (a title beside an answer), and a
 * second prompt would close the first one, which counts as a refusal.
 */
export function oneAtATime(confirmSend: ConfirmSend): ConfirmSend {
  let before: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    const asked = before.then(() => (signal.aborted ? 'cancel' : confirmSend(request, signal)));
    before = asked.catch(() => undefined);
    try {
      return await orAborted(asked, signal);
    } catch (error) {
      if (signal.aborted) return 'cancel';
      throw error;
    }
  };
}
