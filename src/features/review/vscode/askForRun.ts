import type { ConfirmationChoice, ConfirmSend } from '../../../send/confirmation.ts';

/**
 * Asks the user about a run of many requests. If a layer of settings requires confirmation, the first request is shown,
 * and the answer applies to the other requests with the same destination and headers. If the administrator's file
 * requires it, each request is shown, one after the other.
 */
export function askForRun(ask: ConfirmSend, isEachShown: boolean): ConfirmSend {
  const agreed = new Map<string, Promise<ConfirmationChoice>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (request, signal) => {
    const { model, headers, request: sent } = request.preview;
    const place = JSON.stringify([sent.url, model, headers]);
    const before = isEachShown ? undefined : agreed.get(place);
    if (before !== undefined) return (await before) === 'cancel' ? 'cancel' : 'send-as-agreed';
    const shown = last.then(() => (signal.aborted ? 'cancel' : ask(request, signal)));
    last = shown.catch(() => undefined);
    agreed.set(place, shown);
    return shown;
  };
}
