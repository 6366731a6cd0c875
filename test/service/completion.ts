import type { Delivery } from './scenario.ts';
import type { SvcConstraints } from './svcHeaders.ts';

/** A chat answer, ready to be delivered whole or as a stream. */
export interface Completion {
  /** `chatcmpl-` and the request's id. */
  readonly id: string;
  /** Epoch, seconds. */
  readonly created: number;
  readonly model: string;
  /** The parts of the answer, each one delta of a stream. */
  readonly pieces: readonly string[];
  /** The parts of the thinking before the answer, each one delta of a stream. */
  readonly thoughts?: readonly string[];
  /** The tools that it calls, with the input as JSON or as a scenario changes it. */
  readonly toolCalls?: readonly { readonly id: string; readonly name: string; readonly input: string }[];
  readonly finishReason: string;
  readonly refusal: string | null;
  readonly usage: Readonly<Record<'prompt_tokens' | 'completion_tokens' | 'total_tokens', number>>;
  /** undefined if the request had no Svc-* header. */
  readonly security: SecurityReport | undefined;
}

/** The `security` object. The interface document does not show its content, so this one is invented and states that. */
export interface SecurityReport {
  readonly note: string;
  readonly level: string;
  readonly residency: string | null;
  readonly audit: boolean | null;
  readonly zeroRetention: boolean | null;
  readonly frameworks: readonly string[];
  readonly requestId: string;
}

const lowerLevel: Readonly<Record<string, string>> = { maximum: 'standard', high: 'standard', standard: 'none' };

export function securityReport(
  asked: SvcConstraints,
  requestId: string,
  { contradictsSecurity }: Delivery = {},
): SecurityReport | undefined {
  if (asked.sent.length === 0) return undefined;
  const level = asked.level ?? 'standard';
  return {
    note: 'content made up by the local test service',
    level: contradictsSecurity ? (lowerLevel[level] ?? 'none') : level,
    residency: asked.residency,
    audit: asked.audit,
    zeroRetention: asked.zeroRetention,
    frameworks: asked.frameworks,
    requestId,
  };
}

/** The whole answer in the format of OpenAI-compatible clients. */
export function completionBody(completion: Completion): Readonly<Record<string, unknown>> {
  const { id, created, model, pieces, finishReason, refusal, usage, security, toolCalls = [], thoughts } = completion;
  const content = refusal === null && toolCalls.length === 0 ? pieces.join('') : null;
  const calls = toolCalls.map(({ id: call, name, input }) => ({
    id: call,
    type: 'function',
    function: { name, arguments: input },
  }));
  const message = {
    ...{ role: 'assistant', content, refusal },
    ...(thoughts === undefined ? {} : { reasoning_content: thoughts.join('') }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    id,
    object: 'chat.completion',
    created,
    model,
    choices: [{ index: 0, message, finish_reason: finishReason }],
    usage,
    ...(security === undefined ? {} : { security }),
  };
}

/** One chunk of a stream. */
export function chunk(
  { id, created, model }: Pick<Completion, 'id' | 'created' | 'model'>,
  delta: Readonly<Record<string, unknown>>,
  finishReason: string | null = null,
): Readonly<Record<string, unknown>> {
  return {
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, finish_reason: finishReason }],
  };
}

/** The chunks of tool calls: name and id first, then the input in pieces split at arbitrary positions. */
export function callChunks(completion: Completion): readonly Readonly<Record<string, unknown>>[] {
  return (completion.toolCalls ?? []).flatMap(({ id, name, input }, index) => {
    const size = Math.max(7, Math.ceil(input.length / 200));
    const cuts = Array.from({ length: Math.ceil(input.length / size) }, (_, each) => each * size);
    return [
      { index, id, type: 'function', function: { name, arguments: '' } },
      ...cuts.map((at) => ({ index, function: { arguments: input.slice(at, at + size) } })),
    ].map((call) => chunk(completion, { tool_calls: [call] }));
  });
}

/** The finish chunk, the usage chunk if requested, and the security object on the last of them. */
export function closingChunks(
  completion: Completion,
  includeUsage: boolean,
): readonly Readonly<Record<string, unknown>>[] {
  const finish = chunk(completion, {}, completion.finishReason);
  const chunks = includeUsage ? [finish, { ...chunk(completion, {}), choices: [], usage: completion.usage }] : [finish];
  if (completion.security === undefined) return chunks;
  const last = chunks.length - 1;
  return chunks.map((each, index) => (index === last ? { ...each, security: completion.security } : each));
}

/** Words with the preceding white space. Joined, they are the original text. */
export function splitIntoPieces(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** About four characters per token, as a substitute for a tokenizer. */
export function countTokens(characters: number): number {
  return Math.ceil(characters / 4);
}
