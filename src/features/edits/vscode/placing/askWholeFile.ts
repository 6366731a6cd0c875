import * as vscode from 'vscode';
import { showingWaits } from '../../../../platform/messages/waits.ts';
import { withProgress } from '../../../../platform/messages/withErrorReporting.ts';
import { attachRange } from '../../../../platform/sources/attach.ts';
import type { ConfirmSend } from '../../../../send/confirmation.ts';
import type { Dispatch } from '../../../../send/dispatch.ts';
import type { Outgoing } from '../../../../send/outgoing.ts';
import type { Turn } from '../../../../session/conversation/turn.ts';
import { asWritten, wholeOfFileParts } from '../../../../session/prompts/wholePrompt.ts';
import type { Target } from '../target.ts';
import type { CompleteAnswer } from './answer.ts';
import { askWhole, wholeOf } from './askWhole.ts';
import type { Misplaced } from './placed.ts';

const t = vscode.l10n.t;

/** The parts that send requests outside the conversation. */
export interface Sending {
  readonly dispatch: Dispatch;
  readonly confirmSend: ConfirmSend;
}

interface Unplaced {
  readonly why: Misplaced;
  readonly document: vscode.TextDocument;
  readonly target: Target;
  /** The answer, and its block that could not be placed. */
  readonly turn: Pick<Turn, 'question' | 'answer' | 'lastRequest'>;
  readonly block: { readonly info: string; readonly text: string };
}

/** Asks once for the whole of a file with the change that a block of an answer makes. The user can cancel it. */
export async function askWholeFile(
  { dispatch, confirmSend }: Sending,
  { why, document, target, turn, block }: Unplaced,
): Promise<CompleteAnswer> {
  const file = await attachRange(document, undefined);
  const parts = wholeOfFileParts(block, file, asWritten(why.quoted, turn.answer.text), wholeOf(target));
  return withProgress(t('Asking for the whole code…'), (signal, _report, waits) => {
    const waiting = showingWaits(dispatch, waits);
    const outgoing = outgoingFor(turn, parts);
    // The title already states this, and there is no diff yet that could grow.
    const nothing = (): void => undefined;
    return askWhole(why, { dispatch: waiting, confirmSend, outgoing, signal, grow: nothing, say: nothing });
  });
}

/**
 * A request like those of the conversation, with its model. The settings of all folders that the answer is based on
 * apply.
 */
function outgoingFor(
  { question, lastRequest }: Unplaced['turn'],
  parts: Outgoing['messages'][number]['parts'],
): Outgoing {
  const { origin, places } = question;
  return {
    action: 'chat',
    messages: [{ role: 'user', parts, secrets: 'mask' }],
    modelKey: 'svc.model.chat',
    folders: places ?? [],
    ...(lastRequest === undefined ? {} : { askedModel: { model: lastRequest.model, isOfConversation: true } as const }),
    ...(origin === undefined ? {} : { cameFrom: origin }),
  };
}
