import type { ChatBody } from './chatBody.ts';
import { isRecord } from './chatBody.ts';
import { limitContext, promptTokensOf } from './contextLimit.ts';
import { badRequest, type HttpError } from './httpError.ts';

/** The rules of the strict service; some real services have each of them. */
export const strictRules = ['roles', 'tools', 'parameters', 'window'] as const;
export type StrictRule = (typeof strictRules)[number];

/** The tokens that its model reads, the answer included. */
const strictWindow = 4000;
const mostTools = 8;
const fields = new Set(['model', 'messages', 'stream', 'tools', 'tool_choice', 'max_completion_tokens']);

/** Throws a 400 for what such services refuse in a request, the first that there is. */
export function refuseUnlessStrict(body: ChatBody, json: unknown, rules: readonly StrictRule[], window?: number): void {
  if (!isRecord(json)) return;
  if (rules.includes('parameters')) checkParameters(json);
  if (rules.includes('tools')) checkTools(json);
  if (rules.includes('roles')) checkRoles(json);
  if (rules.includes('window')) checkWindow(body, json, window ?? strictWindow);
}

/** It knows few parameters; the length of an answer has its newer name. */
function checkParameters(json: Readonly<Record<string, unknown>>): void {
  const other = Object.keys(json).find((name) => !fields.has(name));
  if (other === undefined) return;
  const hint = other === 'max_tokens' ? " Use 'max_completion_tokens' instead." : '';
  throw badRequest('unsupported_parameter', other, `Unsupported parameter: '${other}' is not supported.${hint}`);
}

/** Each tool has an object of properties; a schema has no alternatives at its top. */
function checkTools({ tools = [] }: Readonly<Record<string, unknown>>): void {
  if (!Array.isArray(tools)) return;
  if (tools.length > mostTools) throw badRequest('invalid_tools', 'tools', `At most ${mostTools} tools are accepted.`);
  for (const [index, tool] of tools.entries()) {
    const { name, parameters } = tool.function;
    const at = `tools[${index}].function.parameters`;
    if (!isRecord(parameters) || parameters.type !== 'object' || !isRecord(parameters.properties))
      throw badRequest(
        'invalid_function_parameters',
        at,
        `Invalid schema for function '${name}': type must be object.`,
      );
    const choice = ['oneOf', 'anyOf', 'allOf', 'enum', 'not'].find((key) => Object.hasOwn(parameters, key));
    if (choice !== undefined)
      throw badRequest(
        'invalid_function_parameters',
        at,
        `Invalid schema for function '${name}': '${choice}' at the top.`,
      );
  }
}

/**
 * The rules of templates that take nothing else: `system` first or not at all, then `user` and `assistant` in turn, results
 * directly after the answer with their calls, and no words of the model at the end.
 */
function checkRoles({ messages = [], tools }: Readonly<Record<string, unknown>>): void {
  if (!Array.isArray(messages)) return;
  const ids = new Set<unknown>();
  let open = new Set<unknown>();
  let before = 'start';
  for (const [index, { role, content, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    const fault = (why: string): HttpError => badRequest('invalid_messages', `messages[${index}]`, why);
    const isResult = role === 'tool';
    if ((isResult || calls !== undefined) && tools === undefined)
      throw fault('Calls and results need the tools parameter.');
    if (open.size > 0 && !isResult) throw fault('The result of each call must follow its call.');
    if (!mayFollow(before, role)) throw fault(`Unexpected role '${role}' after role '${before}'.`);
    if (role !== 'assistant' && !isResult && content === '') throw fault('The content must not be empty.');
    if (role === 'assistant' && content === '' && calls === undefined) throw fault('The answer is empty.');
    if (isResult && !open.delete(id)) throw fault(`No call has the id '${id}'.`);
    for (const call of calls ?? []) {
      if (ids.has(call.id)) throw fault(`The id '${call.id}' is not unique.`);
      ids.add(call.id);
      open = new Set([...open, call.id]);
    }
    before = role;
  }
  if (open.size > 0) throw badRequest('invalid_messages', 'messages', 'The result of each call must follow its call.');
  if (before !== 'user' && before !== 'tool')
    throw badRequest('invalid_messages', 'messages', `Expected last role user or tool, but got ${before}.`);
}

function mayFollow(before: string, role: unknown): boolean {
  switch (role) {
    case 'system':
      return before === 'start';
    case 'user':
      return before === 'start' || before === 'system' || before === 'assistant';
    case 'assistant':
      return before === 'user' || before === 'tool';
    case 'tool':
      return before === 'assistant' || before === 'tool';
    default:
      return false;
  }
}

/** As in vLLM, the requested length of the answer must fit as well. */
function checkWindow(body: ChatBody, json: Readonly<Record<string, unknown>>, window: number): void {
  limitContext(body, { contextTokens: window });
  const answer = [json.max_completion_tokens, json.max_tokens].find((value) => typeof value === 'number') ?? 0;
  const prompt = promptTokensOf(body);
  const asked = prompt + (answer as number);
  if (asked <= window) return;
  const parts = `${prompt} in the messages, ${answer} in the completion`;
  const words = `This model's maximum context length is ${window} tokens. However, you requested ${asked} tokens (${parts}).`;
  throw badRequest('context_length_exceeded', 'messages', words);
}
