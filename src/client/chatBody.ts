import type { ChatRequest, Message, ToolDefinition } from './chat.ts';
import { objectSchema } from './objectSchema.ts';

/**
 * Returns the exact body text (UTF-8) of POST /chat/completions. It has only the interface document's fields and
 * `stream`, because an unknown field may be refused. Fields of the OpenAI interface are added only for tools and for the
 * token counts of a stream.
 */
export function chatBody(request: ChatRequest): string {
  return jsonOf(bodyOf(request));
}

/**
 * Returns JSON without half of a surrogate pair: JSON allows it, but many services refuse the whole request. It is in a text that
 * was cut inside a character, such as an emoji.
 */
function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) => (typeof each === 'string' ? each.toWellFormed() : each));
}

export type ChatBody = ReturnType<typeof bodyOf>;

/** Reads a body that chatBody() made. */
export function readChatBody(body: string): ChatBody {
  return JSON.parse(body);
}

function bodyOf(request: ChatRequest) {
  const { model, messages, stream, asksUsage, maxTokens, isMaxTokensRenamed, temperature, offer } = request;
  return {
    model,
    messages: messages.map(messageBody),
    ...(stream ? { stream } : {}),
    ...(stream && asksUsage ? { stream_options: { include_usage: true } } : {}),
    ...(maxTokens === null || isMaxTokensRenamed ? {} : { max_tokens: maxTokens }),
    ...(maxTokens === null || !isMaxTokensRenamed ? {} : { max_completion_tokens: maxTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(offer === undefined || offer.tools.length === 0
      ? {}
      : {
          tools: offer.tools.map(toolBody),
          ...(offer.isChoiceLeftOut ? {} : { tool_choice: offer.choice }),
        }),
  };
}

function messageBody({ role, content, toolCalls = [], toolCallId }: Message) {
  const calls = toolCalls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: jsonOf(input) },
  }));
  return {
    role,
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}

function toolBody({ name, description, schema }: ToolDefinition) {
  return { type: 'function', function: { name, description, parameters: objectSchema(schema) } };
}
