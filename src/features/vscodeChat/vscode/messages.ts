import { isObject, textOf } from '../../../client/answer/answerShape.ts';
import type { ToolCall } from '../../../client/chat.ts';
import type { OutgoingMessage } from '../../../send/outgoing.ts';
import { ServiceError } from '../../../util/errors.ts';
import { textOfData } from '../../context/vscode/textData.ts';
import { bookkeeping, resultText } from '../../context/vscode/toolResult.ts';

/** A message from VS Code. It is read by its shape, because newer versions send parts that the typings do not have. */
interface GivenMessage {
  readonly role: number;
  readonly content: readonly unknown[];
}

/** The labels for the source of a secret in text that the user did not write. */
interface MessageLabels {
  readonly instructions: string;
}

/** 3 is VS Code's value for a system message; the typings do not have it. */
const roles: Readonly<Record<number, 'user' | 'assistant' | 'system'>> = { 1: 'user', 2: 'assistant', 3: 'system' };

/**
 * Converts VS Code's messages to the OpenAI format. Callers send the whole conversation each time, so the user is asked only
 * about secrets after the last answer; earlier secrets are masked. Throws a ServiceError (`gate`) for parts that are not
 * text: `no-images`, `no-data` or `unknown-part`.
 */
export function outgoingMessages(given: readonly GivenMessage[], labels: MessageLabels): readonly OutgoingMessage[] {
  const lastAnswer = given.findLastIndex(({ role }) => roles[role] === 'assistant');
  const names = new Map<string, string>();
  return given.flatMap(({ role: number, content }, index) => {
    const role = roles[number];
    if (role === undefined) throw refused('unknown-part');
    const parts = content.map(readPart);
    const secrets = index > lastAnswer ? 'ask' : 'mask';
    const toolCalls = parts.flatMap(({ call }) => call ?? []);
    for (const { id, name } of toolCalls) names.set(id, name);
    // The interface requires tool results directly after the message with the calls.
    const results = parts.flatMap(({ result }): OutgoingMessage[] => {
      if (result === undefined) return [];
      const label = names.get(result.id) ?? 'tool';
      return [{ role: 'tool', parts: [result.text], secrets, label, toolCallId: result.id }];
    });
    const text = parts.map((part) => part.text ?? '').join('');
    if (text === '' && toolCalls.length === 0) return results;
    const message: OutgoingMessage = {
      role,
      parts: [text],
      secrets,
      ...(role === 'system' ? { label: labels.instructions } : {}),
      ...(toolCalls.length === 0 ? {} : { toolCalls }),
    };
    return [...results, message];
  });
}

/** Returns the text of a message for the token estimate. Parts that cannot be sent are ignored. */
export function textOfMessage({ content }: Pick<GivenMessage, 'content'>): string {
  return content
    .map((part) => {
      if (!isObject(part)) return '';
      if (isObject(part.input)) return JSON.stringify(part.input);
      return Array.isArray(part.content) ? resultText(part.content) : textOf(part.value);
    })
    .join('\n');
}

interface ReadPart {
  readonly text?: string;
  readonly call?: ToolCall;
  readonly result?: { readonly id: string; readonly text: string };
}

function readPart(part: unknown): ReadPart {
  if (!isObject(part)) throw refused('unknown-part');
  const { value, callId, name, input, content, mimeType, data } = part;
  if (typeof callId === 'string' && typeof name === 'string') {
    return { call: { id: callId, name, input: isObject(input) ? input : {} } };
  }
  if (typeof callId === 'string' && Array.isArray(content)) {
    return { result: { id: callId, text: resultText(content) } };
  }
  if (typeof mimeType === 'string') return dataPart(mimeType, data);
  // Reasoning of an earlier answer is meant for the model that produced it; the interface has no field for it.
  if ('metadata' in part) return {};
  if (typeof value === 'string') return { text: value };
  throw refused('unknown-part');
}

function dataPart(mimeType: string, data: unknown): ReadPart {
  if (bookkeeping.has(mimeType)) return {};
  const text = textOfData(mimeType, data);
  if (text !== null) return { text };
  throw mimeType.toLowerCase().startsWith('image/') ? refused('no-images') : refused('no-data', mimeType);
}

function refused(code: 'no-images' | 'no-data' | 'unknown-part', reason?: string): ServiceError {
  return new ServiceError('gate', 'A message contains a part that is not text.', { code, reason });
}
