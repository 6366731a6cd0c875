import type { JsonObject } from '../../client/answer/answerShape.ts';
import type { ToolCall } from '../../client/chat.ts';
import { isOpen, type ToolStepState } from '../../protocol/toolStepState.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import type { OutgoingMessage } from '../../send/outgoing.ts';
import { type OwnText, ownText } from './ownText.ts';

/** The user's decision on a call. */
export type ToolDecision = 'once' | 'conversation' | 'deny';

/** The result of a call for the model. */
export interface ToolOutput {
  readonly text: OwnText;
  /** All other content, made by the maker: each request that contains it checks again whether it may be sent. */
  readonly attachments: readonly Attachment[];
  /** The size in bytes of UTF-8 before the result was cut; undefined if it is complete. */
  readonly cutFrom?: number;
}

/** A call of a tool that an answer asked for, and its outcome. */
export interface ToolStep {
  /** The id of the step within its turn. */
  readonly id: string;
  /** The id that the service gave the call. */
  readonly callId: string;
  readonly name: string;
  readonly input: JsonObject;
  /** The index of the turn's request that asked for it, from 0: the calls of one request are answered together. */
  readonly round: number;
  /** The length in characters of the turn's answer before it. */
  readonly at: number;
  readonly state: ToolStepState;
  /** The decision that allowed the call; undefined if it was not allowed, or the user was not asked. */
  readonly allowed?: 'once' | 'conversation';
  /** Whether the user, who is asked, can allow only this call. */
  readonly isOnlyOnce?: true;
  /** The details that the user sees while they are asked. They are not kept. */
  readonly question?: string;
  /** The number of the question, while the user is asked: an answer to an earlier question is not one to this. */
  readonly asked?: number;
  /** Undefined until the call has ended. */
  readonly output?: ToolOutput;
}

/** The steps of the calls of an answer, which wait. */
export function stepsOf(
  calls: readonly ToolCall[],
  { text, steps }: { readonly text: string; readonly steps: readonly ToolStep[] },
): readonly ToolStep[] {
  const round = (steps.at(-1)?.round ?? -1) + 1;
  return calls.map(({ id: callId, name, input }, index) => ({
    id: `${round}.${index}`,
    callId,
    name,
    input,
    round,
    at: text.length,
    state: 'waiting',
  }));
}

/** The size of the complete result for the model, in UTF-8. */
export function bytesOf({ output }: ToolStep): number {
  const texts = [output?.text ?? '', ...(output?.attachments ?? []).map(({ text }) => text)];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

/** Closes the step of a call that will make no more progress. */
export function closed(step: ToolStep): ToolStep {
  if (!isOpen(step)) return step;
  const { question: _, isOnlyOnce: __, asked: ___, ...kept } = step;
  return { ...kept, state: 'stopped', output: saying(stoppedText) };
}

export function saying(text: OwnText): ToolOutput {
  return { text, attachments: [] };
}

const stoppedText = ownText`The user stopped this call before it had a result.`;

/**
 * The calls of a turn as messages, in the OpenAI interface's form: for each of its requests the text of the answer, its
 * calls, and the results directly after each other. `rest` is the text after the last result.
 */
export function toolMessages(
  turn: string,
  { text: answer, steps }: { readonly text: string; readonly steps: readonly ToolStep[] },
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
      place: { turn },
    });
    for (const step of calls) messages.push(resultMessage(step, turn));
    from = at;
  }
  return { messages, rest: from === 0 ? answer : answer.slice(from).trimStart() };
}

function resultMessage(step: ToolStep, turn: string): OutgoingMessage {
  const { text, attachments } = step.output ?? saying(stoppedText);
  // The result is not the user's new text, so the user is not asked about secrets in it.
  const parts = [...(text === '' && attachments.length > 0 ? [] : [text]), ...attachments];
  const place = { turn, step: step.id };
  return { role: 'tool', parts, secrets: 'mask', label: step.name, toolCallId: step.callId, place };
}
