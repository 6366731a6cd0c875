import { badRequest, HttpError } from './httpError.ts';
import type { ReceivedRequest } from './received.ts';

export interface BodyMessage {
  readonly role: string;
  /** '' if an answer contains only calls. */
  readonly content: string;
}

/** A tool that the request offers (the OpenAI interface's `function`). */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** The validated body of POST /chat/completions (interface document, 2.1). */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly BodyMessage[];
  readonly maxTokens: number | null;
  readonly stream: boolean;
  /** The OpenAI interface's stream_options.include_usage. */
  readonly includeUsage: boolean;
  /** The OpenAI interface's response_format asks for JSON. */
  readonly wantsJson: boolean;
  readonly tools: readonly OfferedTool[];
  /** The request's tool_choice requires a call. */
  readonly mustCall: boolean;
}

const roles = ['system', 'developer', 'user', 'assistant', 'tool'];

/** Throws an HttpError: a 400 that names the invalid field, or a 415. Unknown fields are ignored. */
export function parseChatBody(request: ReceivedRequest): ChatBody {
  const contentType = request.headers['content-type'] ?? '';
  if (!/^application\/json\s*(;|$)/i.test(contentType)) {
    const message = 'A request with a body carries Content-Type: application/json.';
    throw new HttpError(415, 'invalid_request_error', 'unsupported_media_type', message, { param: 'Content-Type' });
  }
  if (request.json === undefined) throw badRequest('invalid_json', 'body', 'The body is not valid JSON.');
  if (!isRecord(request.json)) throw invalid('body', 'a JSON object is expected');
  const {
    model,
    messages,
    max_tokens,
    max_completion_tokens,
    temperature,
    stream,
    stream_options,
    response_format,
    tools,
    tool_choice,
  } = request.json;
  if (typeof model !== 'string' || model === '') throw invalid('model', 'a non-empty string is expected');
  if (!Array.isArray(messages) || messages.length === 0) throw invalid('messages', 'a non-empty array is expected');
  if (!isAbsent(temperature) && typeof temperature !== 'number') throw invalid('temperature', 'a number is expected');
  if (!isAbsent(stream) && typeof stream !== 'boolean') throw invalid('stream', 'true or false is expected');
  requireCalls(messages);
  return {
    model,
    tools: parseTools(tools),
    mustCall: parseChoice(tool_choice, tools) === 'required',
    messages: messages.map(parseMessage),
    maxTokens: parseMaxTokens(max_completion_tokens ?? max_tokens),
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
  if (isAbsent(content) && role === 'assistant' && Array.isArray(value.tool_calls)) return { role, content: '' };
  if (typeof content !== 'string') throw invalid(`${at}.content`, 'a string is expected');
  return { role, content };
}

/** As in the OpenAI interface: each result follows the answer with its call, and each call gets one. */
function requireCalls(messages: readonly unknown[]): void {
  let open = new Set<unknown>();
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message)) continue;
    const at = `messages[${index}]`;
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) throw invalid(`${at}.tool_call_id`, 'the id of an open call is expected');
      continue;
    }
    if (open.size > 0) throw invalid(at, 'the result of every call is expected first');
    if (isAbsent(message.tool_calls)) continue;
    if (!Array.isArray(message.tool_calls) || message.role !== 'assistant' || message.tool_calls.length === 0)
      throw invalid(`${at}.tool_calls`, 'the calls of an answer are expected');
    open = new Set(message.tool_calls.map((call, each) => parseCall(call, `${at}.tool_calls[${each}]`)));
  }
}

function parseCall(call: unknown, at: string): string {
  if (!isRecord(call) || typeof call.id !== 'string' || call.type !== 'function' || !isRecord(call.function))
    throw invalid(at, 'an object with id, type "function" and function is expected');
  const { name, arguments: text } = call.function;
  if (typeof name !== 'string' || typeof text !== 'string')
    throw invalid(`${at}.function`, 'name and arguments are expected, both strings');
  return call.id;
}

function parseTools(tools: unknown): readonly OfferedTool[] {
  if (isAbsent(tools)) return [];
  if (!Array.isArray(tools)) throw invalid('tools', 'an array is expected');
  return tools.map((tool, index) => {
    const about = isRecord(tool) && tool.type === 'function' ? tool.function : undefined;
    if (!isRecord(about) || typeof about.name !== 'string' || !/^[\w-]{1,64}$/.test(about.name))
      throw invalid(`tools[${index}]`, 'a function with a name of 1 to 64 letters, digits, _ and - is expected');
    const { name, description, parameters } = about;
    return { name, description: String(description ?? ''), parameters: isRecord(parameters) ? parameters : {} };
  });
}

function parseChoice(choice: unknown, tools: unknown): unknown {
  if (isAbsent(choice)) return undefined;
  if (isAbsent(tools)) throw invalid('tool_choice', 'nothing is expected where there are no tools');
  if (!['auto', 'none', 'required'].includes(String(choice))) throw invalid('tool_choice', 'auto, none or required');
  return choice;
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
