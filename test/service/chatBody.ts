import { badRequest, HttpError } from './httpError.ts';
import type { ReceivedRequest } from './received.ts';

export interface BodyMessage {
  readonly role: string;
  readonly content: string;
}

/** The body of POST /chat/completions (interface document, 2.1), checked. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly BodyMessage[];
  readonly maxTokens: number | null;
  readonly stream: boolean;
  /** The OpenAI interface's stream_options.include_usage. */
  readonly includeUsage: boolean;
  /** The OpenAI interface's response_format asks for JSON. */
  readonly wantsJson: boolean;
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Throws an HttpError, a 400 that names the field at fault or a 415. Fields it does not know are ignored. */
export function parseChatBody(request: ReceivedRequest): ChatBody {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    const message = 'A request with a body carries Content-Type: application/json.';
    throw new HttpError(415, 'invalid_request_error', 'unsupported_media_type', message, { param: 'Content-Type' });
  }
  if (request.json === undefined) throw badRequest('invalid_json', 'body', 'The body is not valid JSON.');
  if (!isRecord(request.json)) throw invalid('body', 'a JSON object is expected');
  const { model, messages, max_tokens, temperature, stream, stream_options, response_format } = request.json;
  if (typeof model !== 'string' || model === '') throw invalid('model', 'a non-empty string is expected');
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages', 'a non-empty array is expected');
  if (!isAbsent(temperature) && typeof temperature !== 'number') throw invalid('temperature', 'a number is expected');
  if (!isAbsent(stream) && typeof stream !== 'boolean') throw invalid('stream', 'true or false is expected');
  return {
    model,
    messages: messages.map(parseMessage),
    maxTokens: parseMaxTokens(max_tokens),
    stream: stream === true,
    includeUsage: isRecord(stream_options) && stream_options.include_usage === true,
    wantsJson: isRecord(response_format) && /^json_/.test(String(response_format.type)),
  };
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseMessage(value: unknown, index: number): BodyMessage {
  const at = `messages[${index}]`;
  if (!isRecord(value)) throw invalid(at, 'an object with role and content is expected');
  const { role, content } = value;
  if (typeof role !== 'string') throw invalid(`${at}.role`, 'a string is expected');
  if (!roles.includes(role)) throw invalid(`${at}.role`, `one of ${roles.join(', ')} is expected`);
  if (typeof content !== 'string') throw invalid(`${at}.content`, 'a string is expected');
  return { role, content };
}

function parseMaxTokens(value: unknown): number | null {
  if (isAbsent(value)) return null;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1)
    throw invalid('max_tokens', 'an integer of 1 or more is expected');
  return value;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function invalid(field: string, fault: string): HttpError {
  return badRequest('invalid_body', field, `The field ${field} is wrong: ${fault}.`);
}
