import { withCleanEnd } from '../../send/cleanEnd.ts';
import type { ConfirmSend } from '../../send/confirmation.ts';
import type { Dispatch, Dispatched } from '../../send/dispatch.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import { ServiceError } from '../../util/errors.ts';
import { enclosingComment } from './enclosingComment.ts';
import { insertionFrom, isEnough } from './insertion.ts';
import { cursorMark, type Place } from './place.ts';

export interface CompletionParts {
  readonly dispatch: Dispatch;
  /** Throws a ServiceError if the end of an answer does not show whether the answer is complete. */
  readonly requireEnd: (finishReason: string, by: Pick<Dispatched, 'origin' | 'model'>) => void;
}

export interface Completion {
  /** The text to insert; an empty string if there is none. */
  readonly insertion: string;
  readonly model?: string;
  /** The ID of the request in the audit log. */
  readonly request?: string;
}

/** Called with the answer so far whenever more of it has arrived. */
export type OnAnswer = (answer: string) => void;

/**
 * Requests the completion at a place. `around` is the text before the place, the cursor mark, and the text after it.
 * Sends nothing if a secret is nearby: it would be masked, and the model would complete the mask. Throws a ServiceError
 * even for errors that a retry might resolve: the user should not wait while typing.
 */
export async function complete(
  { dispatch, requireEnd }: CompletionParts,
  around: Attachment,
  place: Place,
  signal: AbortSignal,
  onAnswer: OnAnswer = () => undefined,
): Promise<Completion> {
  if (isSecretNear(around, place)) return { insertion: '' };
  const sent = await dispatch.send(
    {
      action: 'inlineCompletions',
      messages: [{ role: 'user', parts: completionParts(around), secrets: 'mask' }],
      modelKey: 'svc.model.code',
      maxTokens: completionTokens,
      folders: [],
    },
    refuse,
    signal,
  );
  let answer = '';
  let named: Pick<Completion, 'request'> = {};
  const { model } = sent;
  for await (const batch of withCleanEnd(sent.events)) {
    for (const event of batch) {
      if (event.type === 'text-delta') answer += event.text;
      else if (event.type === 'response') named = { request: event.request };
      else if (event.type === 'retry-wait') throw event.error;
      else if (event.type === 'finish') requireEnd(event.finishReason, sent);
    }
    onAnswer(answer);
    // Also limits the answers of services that accept no maximum number of tokens.
    if (isEnough(answer, place, around.languageId)) break;
  }
  return { insertion: insertionFrom(answer, place, around.languageId), model, ...named };
}

/** Whether a secret is near the place. In the text, a mark separates what precedes the place from what follows it. */
function isSecretNear({ marks = [] }: Attachment, place: Place): boolean {
  const { from, to } = enclosingComment(place);
  const end = place.before.length + cursorMark.length + to;
  return marks.some((mark) => mark.start < end && mark.end > from);
}

/** If the user has to see each request before it is sent, automatic requests are refused. */
const refuse: ConfirmSend = () =>
  Promise.reject(new ServiceError('policy', 'Nobody is asked.', { code: 'preview-required' }));

/** The maximum length of an answer in tokens; the settings may set less. */
export const completionTokens = 256;

/** The parts of the message that asks for a completion. */
export function completionParts(around: Attachment): readonly (string | Attachment)[] {
  const ask = `Complete this ${around.languageId} code at ${cursorMark}. Answer with only the code that goes in at the mark, without a fence, without explanation, and without repeating what stands before or after it. Keep it short: the rest of the line, or of the block.`;
  return [ask, around];
}
