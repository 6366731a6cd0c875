import * as vscode from 'vscode';
import { type ReadAnswer, readAnswer } from '../../../../edits/reading/answer.ts';
import { type DoubtfulAnswer, doubtIn, mayUseAnswer } from '../../../../platform/messages/answerEnds.ts';
import { showWarning } from '../../../../platform/messages/show.ts';
import { withCleanEnd } from '../../../../send/cleanEnd.ts';
import type { ConfirmSend } from '../../../../send/confirmation.ts';
import type { Dispatch, Dispatched } from '../../../../send/dispatch.ts';
import { type Outgoing, withChoice } from '../../../../send/outgoing.ts';
import { continuation } from '../../../../session/conversation/continuation.ts';
import { continuePrompt } from '../../../../session/conversation/messagesFor.ts';
import { abortedError, ServiceError } from '../../../../util/errors.ts';
import { type Cut, whyCut } from '../../../../util/whyCut.ts';
import { warnIfContradicted } from '../../../compliance/vscode/describeReceipt.ts';
import type { CodeSource } from '../acceptedCode.ts';

const t = vscode.l10n.t;

export interface Asking {
  readonly dispatch: Dispatch;
  readonly confirmSend: ConfirmSend;
  readonly outgoing: Outgoing;
  readonly signal: AbortSignal;
  /** Called with the answer received so far. */
  readonly grow: (answer: string) => void;
}

export interface CompleteAnswer {
  readonly read: ReadAnswer;
  /** The last request of the answer and its model. */
  readonly source: CodeSource;
}

/**
 * Reads the answer to its end. If it is cut off, asks the user whether to request the rest, and appends it: a partial
 * answer is not usable code. Throws a ServiceError if the service filtered the answer, and `aborted` if the user does
 * not request the rest.
 */
export async function completeAnswer(first: Dispatched, asking: Asking): Promise<CompleteAnswer> {
  let sent = first;
  let answer = '';
  let named: { readonly request?: string } = {};
  for (;;) {
    const join = continuation(answer);
    let finishReason: string | undefined;
    for await (const batch of withCleanEnd(sent.events)) {
      for (const event of batch) {
        if (event.type === 'text-delta') answer += join(event.text);
        else if (event.type === 'finish') finishReason = event.finishReason;
        else if (event.type === 'response') named = { request: event.request };
        else if (event.type === 'receipt') warnIfContradicted(event.receipt);
      }
      asking.grow(answer);
    }
    answer += join(null);
    const cut = whyCut(finishReason);
    if (cut === 'filter') throw new ServiceError('protocol', 'The service filtered the answer.', { code: 'filtered' });
    const read = readAnswer(answer);
    if (cut !== 'length' && !read.isOpen) {
      await confirmUse({ reason: doubtIn(finishReason), origin: sent.origin, model: sent.model, isClosed: true });
      return { read, source: { model: sent.model, ...named } };
    }
    if (!(await mayContinue(cut))) throw abortedError();
    sent = await asking.dispatch.send(rest(asking.outgoing, answer, first), asking.confirmSend, asking.signal);
  }
}

/** If an answer may be incomplete, asks the user whether to use it; throws `aborted` if they do not. */
async function confirmUse({ reason, ...about }: Omit<DoubtfulAnswer, 'reason'> & { reason: string | null }) {
  if (reason !== null && !(await mayUseAnswer({ ...about, reason }))) throw abortedError();
}

async function mayContinue(cut: Cut | null): Promise<boolean> {
  const goOn = t('Continue');
  const why =
    cut === 'length'
      ? t('The answer reached the maximum length and was cut off.')
      : t('The answer ends in the middle of a code block.');
  const detail = t(
    'The rest of the answer is missing. Continue requests the rest and adds it before you see the diff.',
  );
  return (await showWarning(why, { modal: true, detail }, goOn)) === goOn;
}

function rest(outgoing: Outgoing, answer: string, sent: Dispatched): Outgoing {
  return withFollowUp(outgoing, answer, continuePrompt, sent);
}

/**
 * The request, followed by an answer and a further question. The user's choice about secrets still applies if the
 * destination is the same.
 */
export function withFollowUp(outgoing: Outgoing, answer: string, question: string, sent: Dispatched): Outgoing {
  const { messages } = withChoice(outgoing, sent);
  const reply = { role: 'assistant', parts: [answer], secrets: 'mask' } as const;
  return { ...outgoing, messages: [...messages, reply, { role: 'user', parts: [question], secrets: 'mask' }] };
}
