import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { Attachment } from '../conversation/attachment.ts';
import type { OutgoingMessage } from '../dispatch/outgoing.ts';

/** Longer inputs of a call, in characters, are replaced by their size. */
const shownOfInput = 200;

/**
 * Messages with the tool calls and results as text of the answer: for a request that offers no tools, because services
 * refuse calls in it. Roles alternate if those of the turns did.
 */
export function callsAsText(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  const joined: OutgoingMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const parts = textOf(message);
    if (message.role === 'user' || last?.role !== 'assistant') {
      const { toolCalls: _, toolCallId: __, ...kept } = message;
      joined.push({ ...kept, role: message.role === 'user' ? 'user' : 'assistant', parts });
    } else {
      joined[joined.length - 1] = { ...last, parts: [...last.parts, ...parts] };
    }
  }
  return joined;
}

function textOf({ role, parts, label = '', toolCalls = [] }: OutgoingMessage): readonly (string | Attachment)[] {
  if (role === 'user') return parts;
  if (role === 'tool') return [`[result of ${label}]`, ...parts];
  const calls = toolCalls.map(({ name, input }) => [`[called ${name}]`, ...inputLines(input)].join('\n'));
  return [...parts.filter((part) => part !== ''), ...calls];
}

/** Without escapes: the scanner for secrets reads it as text. */
function inputLines(input: JsonObject): readonly string[] {
  return Object.entries(input).map(([name, value]) => {
    const isShown = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    const text = isShown ? String(value) : '';
    return isShown && text.length <= shownOfInput ? `${name}: ${text}` : `${name}: […]`;
  });
}
