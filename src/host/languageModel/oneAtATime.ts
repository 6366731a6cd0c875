import type { Review, ReviewChoice } from '../../session/review.ts';

/**
 * Asks about one request after the other. VS Code's chat sends several at a time (a title beside an answer), and a second
 * question on the screen would take the first one away, which counts as a no.
 */
export function oneAtATime(review: Review): Review {
  let before: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    const { promise: aborted, resolve } = Promise.withResolvers<ReviewChoice>();
    const onAbort = (): void => resolve('cancel');
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const asked = before.then(() => (signal.aborted ? 'cancel' : review(request, signal)));
    before = asked.catch(() => undefined);
    try {
      return await Promise.race([asked, aborted]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  };
}
