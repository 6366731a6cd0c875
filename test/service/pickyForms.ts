import { type ChatBody, isRecord } from './chatBody.ts';
import type { Exchange } from './exchange.ts';
import { badRequest, HttpError } from './httpError.ts';

/** Throws the refusal of a request whose form a service does not take, each in the words of services that do so. */
export type Picky = (body: ChatBody, exchange: Exchange) => void;

/** The most tools of `few-tools`. */
const mostTools = 4;

const field = ({ request }: Exchange, name: string): unknown =>
  isRecord(request.json) ? request.json[name] : undefined;

export const picky = {
  /** Names the second tool. */
  namedTool: ({ tools }) => {
    const [, second] = tools;
    if (second === undefined || second.name !== 'list_files') return;
    const message = `Invalid schema for function '${second.name}': the scenario does not take it.`;
    throw badRequest('invalid_function_parameters', 'tools[1].function.parameters', message);
  },
  /** Names nothing. */
  silentTool: ({ tools }) => {
    if (tools.some(({ name }) => name === 'search_text')) {
      throw new HttpError(400, 'invalid_request_error', 'bad_request', 'Bad Request');
    }
  },
  fewTools: ({ tools }) => {
    if (tools.length <= mostTools) return;
    const message = `Invalid 'tools': array too long. Expected an array with maximum length ${mostTools}, but got an array with length ${tools.length} instead.`;
    throw badRequest('array_above_max_length', 'tools', message);
  },
  noMaxTokens: (_, exchange) => {
    if (field(exchange, 'max_tokens') === undefined) return;
    const message =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    throw badRequest('unsupported_parameter', 'max_tokens', message);
  },
  noTemperature: (_, exchange) => {
    if (field(exchange, 'temperature') === undefined) return;
    const message =
      "Unsupported value: 'temperature' does not support this value. Only the default (1) value is supported.";
    throw badRequest('unsupported_value', 'temperature', message);
  },
  noSystemRole: ({ messages }) => {
    if (!messages.some(({ role }) => role === 'system')) return;
    throw new HttpError(400, 'invalid_request_error', 'bad_request', 'System role not supported');
  },
  noSystemTemplate: ({ messages }) => {
    if (!messages.some(({ role }) => role === 'system')) return;
    const message =
      "While executing CallExpression at line 1, column 32 in source: {{ raise_exception('System role not supported') }}";
    throw new HttpError(500, 'server_error', '500', `${message} Error: Jinja Exception: System role not supported`);
  },
  noResults: ({ messages }) => {
    if (!messages.some(({ role }) => role === 'tool')) return;
    throw new HttpError(400, 'invalid_request_message_order', '3230', "Unexpected role 'tool' after role 'assistant'");
  },
} as const satisfies Record<string, Picky>;
