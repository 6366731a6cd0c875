import type { ChatBody } from './chatBody.ts';
import { countTokens } from './completion.ts';
import { HttpError } from './httpError.ts';
import type { ScenarioSettings } from './scenario.ts';

/** The error of a service for a request that exceeds the context window: each has its own status, code and message. */
export type ContextWording = keyof typeof wordings;

const wordings = {
  openai: (tokens: number, limit: number) =>
    new HttpError(
      400,
      'invalid_request_error',
      'context_length_exceeded',
      `This model's maximum context length is ${limit} tokens. However, your messages resulted in ${tokens} tokens.`,
    ),
  anthropic: (tokens: number, limit: number) =>
    new HttpError(400, 'invalid_request_error', '400', `prompt is too long: ${tokens} tokens > ${limit} maximum`),
  tgi: (tokens: number, limit: number) =>
    new HttpError(
      422,
      'validation',
      'validation',
      `Input validation error: \`inputs\` must have less than ${limit} tokens. Given: ${tokens}`,
    ),
  /** Names only how many are too many, as Ollama does. */
  excess: (tokens: number, limit: number) =>
    new HttpError(
      400,
      'api_error',
      'bad_request',
      `prompt too long; exceeded max context length by ${tokens - limit} tokens`,
    ),
  chinese: (tokens: number, limit: number) =>
    new HttpError(400, 'invalid_request', '400', `对话中的tokens数量（${tokens}）超过了最大限制${limit}`),
  /** As Xinference answers: with the status of a failed server. */
  serverError: (tokens: number, limit: number) =>
    new HttpError(
      500,
      'server_error',
      '500',
      `The decoder prompt (length ${tokens}) is longer than the maximum model length of ${limit}.`,
    ),
  /** Does not name the limit. */
  unnumbered: () =>
    new HttpError(413, 'invalid_request_error', 'context_length_exceeded', 'Your input exceeds the context window.'),
} as const;

/** Throws the refusal of a request that has too many tokens. */
export function limitContext(
  body: ChatBody,
  { contextTokens = 32_768, contextWording = 'openai' }: ScenarioSettings,
): void {
  const tokens = promptTokensOf(body);
  if (tokens > contextTokens) throw wordings[contextWording](tokens, contextTokens);
}

/** The tokens of the messages and of the tools that are offered. */
export function promptTokensOf({ messages, tools }: ChatBody): number {
  const text = messages.reduce((sum, { content }) => sum + content.length, 0);
  return countTokens(text + (tools.length === 0 ? 0 : JSON.stringify(tools).length));
}
