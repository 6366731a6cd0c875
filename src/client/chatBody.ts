import type { ChatRequest, Message, ToolDefinition } from './chat.ts';

/**
 * The body of POST /chat/completions, the exact text that is sent (UTF-8). The interface document's fields and `stream`,
 * nothing else: a field it does not know may be refused. Tools alone, where there are any, add the OpenAI interface's.
 */
export function chatBody({ model, messages, stream, maxTokens, temperature, offer }: ChatRequest): string {
  return JSON.stringify({
    model,
    messages: messages.map(messageBody),
    ...(stream ? { stream } : {}),
    ...(maxTokens === null ? {} : { max_tokens: maxTokens }),
    ...(temperature === null ? {} : { temperature }),
    ...(offer === undefined || offer.tools.length === 0
      ? {}
      : { tools: offer.tools.map(toolBody), tool_choice: offer.choice }),
  });
}

function messageBody({ role, content, toolCalls = [], toolCallId }: Message) {
  const calls = toolCalls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  return {
    role,
    content,
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    ...(toolCallId === undefined ? {} : { tool_call_id: toolCallId }),
  };
}

function toolBody({ name, description, schema }: ToolDefinition) {
  return { type: 'function', function: { name, description, ...(schema === undefined ? {} : { parameters: schema }) } };
}
