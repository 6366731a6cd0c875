import { ServiceError } from '../../util/errors.ts';
import type { Attachment } from '../conversation.ts';
import type { Dispatch } from '../dispatch.ts';
import type { SecretScanner } from '../examine.ts';
import type { Review } from '../review.ts';
import { completionParts, completionTokens } from './completionParts.ts';
import { insertionFrom, isEnough } from './insertion.ts';
import type { Place } from './place.ts';
import { surroundings } from './surroundings.ts';

export interface CompletionParts {
  readonly dispatch: Dispatch;
  readonly scanner: () => Promise<SecretScanner>;
}

/**
 * What comes next at a place, or nothing. Asks nothing where a secret stands nearby: it would be masked, and the mask
 * completed. Throws a ServiceError, for a fault that a retry might mend too: whoever types is not made to wait.
 */
export async function complete(
  { dispatch, scanner }: CompletionParts,
  file: Omit<Attachment, 'text'>,
  place: Place,
  signal: AbortSignal,
): Promise<string> {
  if ((await (await scanner()).scanText(surroundings(place))).length > 0) return '';
  const { events } = await dispatch.send(
    {
      action: 'inlineCompletions',
      messages: [{ role: 'user', parts: completionParts(file, place), secrets: 'mask' }],
      modelKey: 'svc.model.code',
      maxTokens: completionTokens,
      folders: file.folder === null ? [] : [file.folder],
    },
    refuse,
    signal,
  );
  let answer = '';
  for await (const batch of events) {
    for (const event of batch) {
      if (event.type === 'text-delta') answer += event.text;
      else if (event.type === 'retry-wait') throw event.error;
    }
    if (isEnough(answer, place)) break;
  }
  return insertionFrom(answer, place);
}

/** Where the person has to see each request before it leaves, there are no requests that nobody asked for. */
const refuse: Review = () =>
  Promise.reject(new ServiceError('policy', 'Nobody is asked.', { code: 'preview-required' }));
