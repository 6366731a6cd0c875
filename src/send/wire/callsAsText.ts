import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { Attachment } from '../message/attachment.ts';
import type { OutgoingMessage } from '../outgoing.ts';

/** Longer inputs of a call, in characters, are replaced by their size. */
const shownOfInput = 200;

/**
 * Messages with the tool calls as text of the answer, and their results as text of the user: for a request that offers no
 * tools, because services refuse calls in it. A result in a message of the model would be an example for it to invent results.
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
    return isShown && text.length <= shownOfInput ? `${field}: ${text}` : `${field}: […]`;
  });
  return [`[called ${name}]`, ...lines].join('\n');
}
