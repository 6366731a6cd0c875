import type { ChatBody } from './chatBody.ts';
import type { Completion } from './completion.ts';
import { callFor } from './rules/tools.ts';
import type { Delivery } from './scenario.ts';

/** The calls in the answer to a request: one if tools are offered and its last message asks for one. */
export function toolCallsFor(
  { tools, messages, mustCall }: ChatBody,
  requestId: string,
  { spoilsCall }: Delivery,
): Completion['toolCalls'] & {} {
  const last = messages.at(-1);
  if (tools.length === 0 || last?.role !== 'user') return [];
  const call = callFor(last.content, tools, mustCall);
  if (call === null) return [];
  const input = JSON.stringify(call.input);
  const id = `call_${requestId}`;
  switch (spoilsCall) {
    case 'malformed':
      return [{ id, name: call.name, input: `${input.slice(0, -1)}, "rest` }];
    case 'oversized':
      return [{ id, name: call.name, input: JSON.stringify({ ...call.input, much: 'x'.repeat(2 * 1024 * 1024) }) }];
    case 'unknown':
      return [{ id, name: 'delete_everything', input }];
    default:
      return [{ id, name: call.name, input }];
  }
}
