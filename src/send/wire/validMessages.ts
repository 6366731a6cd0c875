import type { OutgoingMessage } from '../outgoing.ts';
import { callsAsText, resultAsText } from './callsAsText.ts';

/**
 * One message of the wire: one of ours, or several with the same role, which are sent as one. Each of them keeps its
 * treatment of secrets and its label.
 */
export type WireMessage = readonly [OutgoingMessage, ...OutgoingMessage[]];

/**
 * The messages in an order that the strictest service accepts:
 *
 * - only the first message can be `system`;
 * - then `user` and `assistant` alternate, from `user` on; results of tools come between an answer and the next one;
 * - each call has its result directly after its answer, each result its call, and no two calls have the same id;
 * - without tools in the request, there are neither calls nor results: they become text;
 * - the last message is from the user or a tool.
 *
 * No message is dropped. If a message is missing, a sentence in brackets replaces it.
 */
export function validMessages(messages: readonly OutgoingMessage[], offersTools: boolean): readonly WireMessage[] {
  const paired = offersTools ? withResults(messages) : callsAsText(messages);
  return alternating(withSystemFirst(paired.filter((message) => !isEmptyAnswer(message))));
}

/** A call, and the message with its result. */
interface Slot {
  readonly id: string;
  readonly name: string;
  result?: OutgoingMessage;
}

/** Moves each result after its call. A result without a call becomes text; a call without a result gets one. */
function withResults(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  const ids = new Set<string>();
  /** Some services use the same ids for each answer: a result is for the last call with its id. */
  const open = new Map<string, Slot[]>();
  const paired: { readonly message: OutgoingMessage; readonly slots: readonly Slot[] }[] = [];
  for (const message of messages) {
    if (message.role === 'tool') {
      const slot = open.get(message.toolCallId ?? '')?.shift();
      if (slot === undefined) paired.push({ message: resultAsText(message), slots: [] });
      else slot.result = message;
      continue;
    }
    const { toolCalls = [] } = message;
    const calls = toolCalls.map((call) => ({ ...call, id: unusedId(call.id, ids) }));
    const slots = calls.map(({ id, name }): Slot => ({ id, name }));
    for (const { id } of toolCalls) open.set(id, []);
    for (const [index, { id }] of toolCalls.entries()) open.get(id)?.push(slots[index] as Slot);
    const isSame = calls.every(({ id }, index) => id === toolCalls[index]?.id);
    paired.push({ message: isSame ? message : { ...message, toolCalls: calls }, slots });
  }
  return paired.flatMap(({ message, slots }) => [message, ...slots.map(resultOf)]);
}

function unusedId(id: string, used: Set<string>): string {
  const name = id === '' ? 'call' : id;
  let unused = name;
  for (let count = 2; used.has(unused); count += 1) unused = `${name}_${count}`;
  used.add(unused);
  return unused;
}

function resultOf({ id, name, result }: Slot): OutgoingMessage {
  if (result === undefined) return { ...ownWords('tool', noResult), label: name, toolCallId: id };
  return result.toolCallId === id ? result : { ...result, toolCallId: id };
}

/**
 * Turns system messages after any other message, as VS Code may send them, into user messages. If there are only system messages,
 * all become user messages.
 */
function withSystemFirst(messages: readonly OutgoingMessage[]): readonly OutgoingMessage[] {
  const first = messages.findIndex(({ role }) => role !== 'system');
  return messages.map((message, index) =>
    message.role === 'system' && index > first ? { ...message, role: 'user' } : message,
  );
}

function alternating(messages: readonly OutgoingMessage[]): readonly WireMessage[] {
  const wire: [OutgoingMessage, ...OutgoingMessage[]][] = [];
  for (const message of messages) {
    const before = wire.at(-1);
    const role = before?.[0].role;
    if (message.role === role && role !== 'tool') {
      before?.push(message);
      continue;
    }
    if (message.role === 'assistant' && (role === undefined || role === 'system')) {
      wire.push([ownWords('user', beginningMissing)]);
    }
    if (message.role === 'user' && role === 'tool') wire.push([ownWords('assistant', answerEnded)]);
    wire.push([message]);
  }
  if (wire.at(-1)?.[0].role === 'assistant') wire.push([ownWords('user', goOn)]);
  return wire;
}

function isEmptyAnswer({ role, parts, toolCalls = [] }: OutgoingMessage): boolean {
  return role === 'assistant' && toolCalls.length === 0 && parts.every((part) => part === '');
}

function ownWords(role: OutgoingMessage['role'], text: string): OutgoingMessage {
  return { role, parts: [text], secrets: 'mask' };
}

const noResult = '[This call has no result.]';
const answerEnded = '[The answer ended here.]';
const beginningMissing = '[The conversation begins with an answer.]';
const goOn = '[Go on.]';
