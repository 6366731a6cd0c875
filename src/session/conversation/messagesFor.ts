import type { OutgoingMessage } from '../dispatch/outgoing.ts';
import { partsOf } from '../prompts/prompts.ts';
import { toolMessages } from '../tools/toolStep.ts';
import type { Turn } from './conversation.ts';

/**
 * The messages of a request for the last of `turns`. The interface document shows the role `user` alone; `assistant`
 * for earlier answers is the OpenAI interface's, which the service says it speaks. `system` is never needed. About
 * secrets in the last question the user is asked, unless they have chosen; earlier ones stay as they were sent. To send
 * them as they are was chosen for one destination: elsewhere, the user is asked again, and earlier ones are masked. What
 * earlier turns called goes along where tools are offered; a model that takes none may not take the results either.
 */
export function messagesFor(
  turns: readonly Turn[],
  continues: boolean,
  offersTools = false,
): readonly OutgoingMessage[] {
  const messages: OutgoingMessage[] = [];
  const last = turns.at(-1);
  for (const turn of turns) {
    messages.push({ role: 'user', parts: partsOf(turn), secrets: secretsOf(turn, turn === last) });
    const called = toolMessages(offersTools || turn === last ? (turn.steps ?? []) : [], turn.answer);
    messages.push(...called.messages);
    if (turn !== last || continues) messages.push(...said(called.rest));
    if (turn === last && continues && called.rest !== '') {
      messages.push({ role: 'user', parts: [continuePrompt], secrets: 'mask' });
    }
  }
  return messages;
}

function secretsOf({ secrets, asIsFor }: Turn, isLast: boolean): OutgoingMessage['secrets'] {
  const otherwise = isLast ? 'ask' : 'mask';
  if (secrets !== 'as-is') return secrets ?? otherwise;
  return asIsFor === undefined ? otherwise : { asIsFor, otherwise };
}

function said(answer: string): readonly OutgoingMessage[] {
  return answer === '' ? [] : [{ role: 'assistant', parts: [answer], secrets: 'mask' }];
}

/** Asks for the rest of an answer that broke off. */
export const continuePrompt =
  'Your answer broke off. Continue it from exactly where it stopped, without repeating or introducing anything.';
