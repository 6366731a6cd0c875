import { questionOf } from '../../send/message/quote.ts';
import type { OutgoingMessage } from '../../send/outgoing.ts';
import { append } from '../../util/append.ts';
import { partsOf } from '../prompts/prompts.ts';
import { toolMessages } from '../tools/toolStep.ts';
import type { Turn } from './turn.ts';

/**
 * The kind of answer that a request asks for: false for a new one, true for the rest of the existing one, `shorter-call`
 * if that ended inside a tool call, and `near-limit` for a new one when few tool calls or requests are left.
 */
export type Continues = boolean | 'shorter-call' | 'near-limit';

/**
 * The messages of a request for the last of `turns`. The interface document shows only the role `user`; `assistant` for earlier
 * answers comes from the OpenAI interface, with which the service claims compatibility. `system` is never needed. The user is
 * asked about secrets in the last question unless they have chosen; earlier messages stay as they were sent. A choice to send
 * secrets unmasked applies to one destination: elsewhere, the user is asked again, and secrets in earlier messages are masked.
 * `lead` precedes the first question. Turns that are summarized are replaced with their questions and the summary.
 */
export function messagesFor(
  turns: readonly Turn[],
  continues: Continues,
  lead: NonNullable<OutgoingMessage['lead']> = [],
): readonly OutgoingMessage[] {
  const messages: OutgoingMessage[] = [];
  const last = turns.at(-1);
  const { rest, earlier } = summarized(turns);
  for (const turn of rest) {
    const first = messages.length > 0 ? {} : { ...(lead.length > 0 ? { lead } : {}), ...earlier };
    const place = { turn: turn.id };
    messages.push({
      role: 'user',
      ...first,
      parts: partsOf(turn.question),
      secrets: secretsOf(turn, turn === last),
      place,
    });
    const called = toolMessages(turn.id, turn.answer);
    append(messages, called.messages);
    if (turn !== last || continues !== false) append(messages, answerMessages(called.rest, turn.id));
    if (turn === last) append(messages, asked(continues, called.rest));
  }
  return messages;
}

/** The turns that are sent, and the text that replaces the turns before them. */
function summarized(turns: readonly Turn[]): {
  readonly rest: readonly Turn[];
  readonly earlier: Pick<OutgoingMessage, 'earlier'>;
} {
  // The summary of the last turn is for the turns after it.
  const index = turns.slice(0, -1).findLastIndex(({ summary }) => summary !== undefined);
  const summary = turns[index]?.summary;
  if (summary === undefined) return { rest: turns, earlier: {} };
  const { text, isEdited } = summary;
  const questions = turns.slice(0, index + 1).map((turn) => questionOf(partsOf({ ...turn.question, outdated: [] })));
  const shown = { text, ...(isEdited ? { isEdited } : {}) };
  return { rest: turns.slice(index + 1), earlier: { earlier: { questions, summary: shown } } };
}

function secretsOf({ question: { secrets } }: Turn, isLast: boolean): OutgoingMessage['secrets'] {
  const otherwise = isLast ? 'ask' : 'mask';
  if (secrets === undefined || secrets === 'mask') return secrets ?? otherwise;
  return { ...secrets, otherwise };
}

function answerMessages(answer: string, turn: string): readonly OutgoingMessage[] {
  return answer === '' ? [] : [{ role: 'assistant', parts: [answer], secrets: 'mask', place: { turn } }];
}

function asked(continues: Continues, answer: string): readonly OutgoingMessage[] {
  if (continues === 'shorter-call') return [{ role: 'user', parts: [shorterCallPrompt], secrets: 'mask' }];
  if (continues === 'near-limit') return [{ role: 'user', parts: [nearLimitPrompt], secrets: 'mask' }];
  return continues && answer !== '' ? [{ role: 'user', parts: [continuePrompt], secrets: 'mask' }] : [];
}

/** Asks for the rest of an interrupted answer. */
export const continuePrompt =
  'Your answer broke off. Continue it from exactly where it stopped, without repeating or introducing anything.';

/** Tells the model that the turn will be stopped. */
const nearLimitPrompt = 'This turn has almost reached its limit of tool calls. Answer now with what you know.';

/** Asks for a tool call again that did not fit into the answer. */
const shorterCallPrompt = 'Your call was cut off. Make it shorter.';
