import type { ChatRequest } from './chat.ts';

/**
 * The body of POST /chat/completions, the exact text that is sent (UTF-8). The interface document's fields and `stream`,
 * nothing else: a field it does not know may be refused.
 */
export function chatBody({ model, messages, stream, maxTokens, temperature }: ChatRequest): string {
  return JSON.stringify({
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(stream ? { stream } : {}),
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    ...(temperature === null ? {} : { temperature }),
  });
}
