import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { Attachment } from '../message/attachment.ts';
import type { OutgoingMessage } from '../outgoing.ts';

/** The maximum length of an argument in characters; a longer one becomes `[…]`. */
const maxShownInput = 200;

/**
 * Turns tool calls into text of the assistant, and their results into text of the user, for a request without tools: services
 * refuse calls in such a request. Results in a message of the assistant would teach the model to invent them.
 */
export function callsAsText(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  return messages.map((message) => {
    if (message.role === 'tool') return resultAsText(message);
    const { toolCalls, ...kept } = message;
    if (toolCalls === undefined || toolCalls.length === 0) return message;
    return { ...kept, parts: [...message.parts.filter((part) => part !== ''), ...toolCalls.map(textOfCall)] };
  });
}

export function resultAsText({ toolCallId: _, ...message }: OutgoingMessage): OutgoingMessage {
  const parts: readonly (string | Attachment)[] = [`[result of ${message.label ?? 'a tool'}]`, ...message.parts];
  return { ...message, role: 'user', parts };
}

/** The text of a call, without escapes, because the scanner for secrets reads it as text. */
function textOfCall({ name, input }: { readonly name: string; readonly input: JsonObject }): string {
  const lines = Object.entries(input).map(([field, value]) => {
    const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const text = isShown ? String(value) : '';
    return isShown && text.length <= maxShownInput ? `${field}: ${text}` : `${field}: […]`;
  });
  return [`[called ${name}]`, ...lines].join('\n');
}
