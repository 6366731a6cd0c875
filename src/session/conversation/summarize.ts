import { type Content, joinOf, sliceOf } from '../../gate/content.ts';
import type { Attachment } from '../../send/message/attachment.ts';
import type { Outgoing } from '../../send/outgoing.ts';
import { leadOf } from '../prompts/houseRules.ts';
import type { ToolOutput } from '../tools/toolStep.ts';
import { messagesFor } from './messagesFor.ts';
import { outgoingFor, type TurnInPlace } from './outgoingFor.ts';
import { hasAnswer, type Turn } from './turn.ts';

/** The number of the newest turns that stay as they are. */
const keptTurns = 2;
/** The characters that are kept of the result of a tool: half from its beginning, half from its end. */
const keptOfResult = 2000;
/** The maximum number of tokens of a summary. */
const maxTokens = 4096;
/** The maximum size of a summary, as a share of the text that it replaces: a longer one does not help. */
const shareOfReplaced = 0.6;

/**
 * The turns before a question that a summary can replace, oldest first: all but the last two. If only these remain
 * after an earlier summary, they are replaced, too, or a conversation with large last turns could not continue.
 */
export function turnsToSummarize(before: readonly Turn[]): readonly Turn[] {
  const answered = before.filter(hasAnswer);
  const open = answered.length - 1 - answered.findLastIndex(({ summary }) => summary !== undefined);
  if (open === 0) return [];
  return answered.slice(0, open > keptTurns ? -keptTurns : answered.length);
}

/**
 * The request for a summary of the turns before a turn with the prompt for it. It offers no tools: calls and results are
 * text. What does not fit is left out in the usual order, whole turns as well.
 */
export function summaryRequest(place: TurnInPlace): Outgoing {
  const { turn, before, conversation } = place;
  return {
    ...outgoingFor(place, false, { toolbox: null, instructions: [] }),
    messages: messagesFor([...before.map(withShortResults), turn], false, leadOf([])),
    maxTokens,
    fits: { conversation: `${conversation.id} summary`, mayLeaveOutTurns: true },
  };
}

/** Whether a summary is so much shorter than what it replaces that it helps. */
export function isShorter(text: string, turns: readonly Turn[]): boolean {
  const last = turns.findLastIndex(({ summary }) => summary !== undefined);
  const former = turns[last]?.summary?.text ?? '';
  // Attachments are not included, because a long request leaves them out first.
  const replaced = turns
    .slice(last + 1)
    .map(withShortResults)
    .flatMap(textsOf);
  const bytes = [former, ...replaced].reduce((sum, each) => sum + Buffer.byteLength(each), 0);
  return Buffer.byteLength(text) <= shareOfReplaced * bytes;
}

function textsOf({ answer: { text, steps } }: Turn): readonly string[] {
  const results = steps.flatMap(({ output }) => [
    output?.text ?? '',
    ...(output?.attachments ?? []).map((a) => a.text),
  ]);
  return [text, ...results];
}

function withShortResults(turn: Turn): Turn {
  const steps = turn.answer.steps.map((step) =>
    step.output === undefined ? step : { ...step, output: withoutMiddle(step.output) },
  );
  return { ...turn, answer: { ...turn.answer, steps } };
}

function withoutMiddle({ text, attachments }: ToolOutput): ToolOutput {
  return { text, attachments: attachments.map(fileWithoutMiddle) };
}

function fileWithoutMiddle(file: Attachment): Attachment {
  const [head, tail] = endsOf(file.text);
  if (head === null) return file;
  const whole: Content = { text: file.text, marks: file.marks ?? [], covers: file.covers ?? [] };
  const { text, marks } = joinOf([sliceOf(whole, 0, head), gap, sliceOf(whole, tail, file.text.length)]);
  return { ...file, text, ...(file.marks === undefined ? {} : { marks }) };
}

const gap = '\n[…]\n';

/**
 * Returns the positions at which the middle of a long text begins and ends, or null for both if it is short. Whole lines
 * are kept: a part of a secret would not be recognized.
 */
function endsOf(text: string): readonly [head: number, tail: number] | readonly [head: null, tail: null] {
  if (text.length <= keptOfResult) return [null, null];
  const half = keptOfResult / 2;
  const head = text.lastIndexOf('\n', half) + 1;
  const from = text.indexOf('\n', text.length - half) + 1;
  return [head, from === 0 ? text.length : from];
}
