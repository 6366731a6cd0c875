import { chatBody } from '../../src/client/chatBody.ts';
import { asMade } from '../../src/gate/content.ts';
import type { Attachment } from '../../src/send/message/attachment.ts';
import { quote } from '../../src/send/message/quote.ts';
import { completionParts, completionTokens } from '../../src/session/inline/complete.ts';
import { cursorMark, type Place } from '../../src/session/inline/place.ts';

import { apiKey } from './localDispatch.ts';

/** What is sent of a place in a file without secrets. */
export function aroundPlace({ before, after }: Place): Attachment {
  const file = { label: 'pay.ts', uri: 'file:///pay.ts', firstLine: 1, languageId: 'typescript', folder: null };
  return { ...file, text: asMade(`${before}${cursorMark}${after}`), marks: [] };
}

/** The peer: a fetch of the same body. Returns the response as it is. */
export async function plainCompletion(baseUrl: string, place: Place, signal?: AbortSignal): Promise<string> {
  const content = completionParts(aroundPlace(place)).map((part) => (typeof part === 'string' ? part : quote(part)));
  const body = chatBody({
    model: 'svc/enterprise-coder-v1',
    messages: [{ role: 'user', content: content.join('\n\n') }],
    stream: true,
    maxTokens: completionTokens,
    temperature: null,
  });
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
  return response.text();
}
