import type { ChatBody } from './chatBody.ts';
import type { Completion } from './completion.ts';
import { callsFor, type RuledCall } from './rules/tools.ts';
import type { Delivery } from './scenario.ts';

type WholeCall = (Completion['toolCalls'] & {})[number];

/** The calls in the answer to a request: those that the last message of the user still asks for, of the tools that are offered. */
export function toolCallsFor(
  { tools, messages, mustCall }: ChatBody,
  requestId: string,
  { spoilsCall }: Delivery,
): readonly WholeCall[] {
  const asked = messages.findLastIndex(({ role }) => role === 'user');
  const rounds = messages.slice(asked + 1).filter(({ role }) => role === 'assistant').length;
  const calls = tools.length === 0 ? [] : callsFor(messages[asked]?.content ?? '', tools, mustCall);
  return (calls[rounds] ?? []).map((call, at) =>
    spoiled(call, at === 0 ? `call_${requestId}` : `call_${requestId}_${at}`, spoilsCall),
  );
}

function spoiled(call: RuledCall, id: string, spoilsCall: Delivery['spoilsCall']): WholeCall {
  const input = JSON.stringify(call.input);
  switch (spoilsCall) {
    case 'malformed':
      return { id, name: call.name, input: `${input.slice(0, -1)}, "rest` };
    case 'oversized':
      return { id, name: call.name, input: JSON.stringify({ ...call.input, much: 'x'.repeat(2 * 1024 * 1024) }) };
    case 'unknown':
      return { id, name: 'delete_everything', input };
    default:
      return { id, name: call.name, input };
  }
}
