import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { Attachment } from '../conversation/attachment.ts';
import type { OutgoingMessage } from '../dispatch/outgoing.ts';

/** What the user says of a call. */
export type ToolDecision = 'once' | 'conversation' | 'deny';

export type ToolStepState =
  /** Another call comes first; the user is asked; it runs. */
  | 'waiting'
  | 'asking'
  | 'running'
  | 'done'
  | 'failed'
  /** It is no call of a tool that was offered, or asks for what may not leave: the user was not even asked. */
  | 'refused'
  | 'denied'
  | 'stopped'
  /** The turn had made all calls that a turn may make. */
  | 'capped';

/** What the model is told of a call. */
export interface ToolOutput {
  readonly text: string;
  /** What came out of files: whether it may leave is asked again with each request that carries it. */
  readonly attachments: readonly Attachment[];
  /** How much there was before it was cut, in bytes of UTF-8; absent where it is whole. */
  readonly cutFrom?: number;
}

/** A call of a tool that an answer asked for, and what became of it. */
export interface ToolStep {
  /** Of the step, in its turn. */
  readonly id: string;
  /** The service's own. */
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Which of the turn's requests asked for it, counted from 0: the calls of one request are answered together. */
  readonly round: number;
  /** How much of the turn's answer stood before it, in characters. */
  readonly at: number;
  readonly state: ToolStepState;
  /** How it was allowed. */
  readonly allowed?: 'once' | 'conversation';
  /** Absent until it has come to an end. */
  readonly output?: ToolOutput;
}

/** Of all that the model is told of a call, in UTF-8. */
export function bytesOf({ output }: ToolStep): number {
  const texts = [output?.text ?? '', ...(output?.attachments ?? []).map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export function isOpen({ state }: ToolStep): boolean {
  return state === 'waiting' || state === 'asking' || state === 'running';
}

/** Nothing will come of a call any more. */
export function closed(step: ToolStep): ToolStep {
  return isOpen(step) ? { ...step, state: 'stopped', output: saying(stoppedText) } : step;
}

export function saying(text: string): ToolOutput {
  return { text, attachments: [] };
}

const stoppedText = 'The person stopped this call before it had a result.';

/**
 * The calls of a turn as messages, in the OpenAI interface's form: for each of its requests what the answer said, what
 * it called, and the results, one directly after the other. `rest` is what the answer said after the last of them.
 */
export function toolMessages(
  steps: readonly ToolStep[],
  answer: string,
): { readonly messages: readonly OutgoingMessage[]; readonly rest: string } {
  const messages: OutgoingMessage[] = [];
  let from = 0;
  for (const round of new Set(steps.map((step) => step.round))) {
    const calls = steps.filter((step) => step.round === round);
    const at = calls[0]?.at ?? from;
    messages.push({
      role: 'assistant',
      parts: [answer.slice(from, at).trim()],
      secrets: 'mask',
      toolCalls: calls.map(({ callId, name, input }) => ({ id: callId, name, input })),
    });
    messages.push(...calls.map(resultMessage));
    from = at;
  }
  return { messages, rest: from === 0 ? answer : answer.slice(from).trimStart() };
}

function resultMessage(step: ToolStep): OutgoingMessage {
  const { text, attachments } = step.output ?? saying(stoppedText);
  // Nobody wrote it for this request, so nobody is asked about secrets in it.
  const parts = [...(text === '' && attachments.length > 0 ? [] : [text]), ...attachments];
  return { role: 'tool', parts, secrets: 'mask', label: step.name, toolCallId: step.callId };
}
