import * as vscode from 'vscode';
import { describeConfirmation } from '../../../../platform/confirm/describeConfirmation.ts';
import { sentFormNotes } from '../../../../platform/confirm/describeForm.ts';
import { doubtInTurn } from '../../../../platform/messages/answerEnds.ts';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import { describeError, hostOf } from '../../../../platform/messages/errors/describeError.ts';
import { isLive } from '../../../../protocol/turnStatus.ts';
import type { TurnMeta, TurnView } from '../../../../protocol/turnView.ts';
import type { Turn } from '../../../../session/conversation/conversation.ts';
import { hasWrittenCall } from '../../../../session/tools/writtenCall.ts';
import { callsMissing, whyCut } from '../../../../util/whyCut.ts';
import { viewReceipt } from '../../../compliance/vscode/describeReceipt.ts';
import { viewStep } from '../../../tools/vscode/describeTool.ts';
import { fitNotice, viewContentLeftOut, viewLeftOut } from './describeFit.ts';
import { hasFiles } from './hasFiles.ts';
import { summarizingWords, viewSummary } from './viewSummary.ts';
import { viewThought } from './viewThought.ts';

const t = vscode.l10n.t;

/** A turn as the view renders it: errors and the quiet line are already text. */
export function viewMeta(turn: Turn, siblings: readonly Turn[] = []): TurnMeta {
  const { id, attachments, status, model, error, retry, confirmation } = turn;
  const context = {
    // An error of an earlier version does not name the address itself. The present one says nothing about it.
    host: hostOf(turn.origin),
    model: model ?? '',
    canRetry: true,
    canContinue: status === 'interrupted' && turn.answer !== '',
    question: { files: attachments.map(({ label }) => label), isFirst: turn.parent === null },
    isSummary: turn.summarizing !== undefined,
  };
  const card = error === undefined ? null : describeError(error, context);
  const waitingFor = retry === undefined ? null : describeError(retry.error, { ...context, canContinue: false });
  const receipt = isLive(turn) ? null : viewReceipt(turn);
  const footer = footerOf(turn);
  const notice = fitNotice(turn);
  const cut = whyCut(turn.finishReason);
  const notes = notesOf(turn);
  return {
    id,
    context: attachments.map(({ label }) => label),
    ...(turn.repeated === undefined ? {} : { repeated: turn.repeated }),
    ...(turn.changesOnly === undefined ? {} : { changesOnly: turn.changesOnly }),
    ...(turn.shortened === undefined ? {} : { leftOut: viewLeftOut(turn.shortened) }),
    ...(turn.contentLeftOut === undefined ? {} : { contentLeftOut: viewContentLeftOut(turn.contentLeftOut) }),
    ...(notice === null ? {} : { notice }),
    ...(turn.summary === undefined ? {} : { summary: viewSummary(turn.summary) }),
    ...(turn.summarizing === undefined || !isLive(turn) ? {} : { waitsFor: summarizingWords(turn.summarizing) }),
    model: model ?? '',
    status,
    ...(status === 'waiting' && turn.sentAt !== undefined ? { waitedMs: Math.max(0, Date.now() - turn.sentAt) } : {}),
    ...(retry === undefined
      ? {}
      : { retry: { untilMs: retry.untilMs, attempt: retry.attempt, reason: waitingFor?.title ?? '' } }),
    ...(turn.thinking === undefined ? {} : { thought: viewThought(turn.thinking) }),
    ...(turn.steps === undefined ? {} : { steps: turn.steps.map(viewStep) }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(card === null ? {} : { card }),
    ...(confirmation === undefined ? {} : { confirmation: describeConfirmation(confirmation) }),
    ...(receipt === null ? {} : { receipt }),
    ...(siblings.length < 2 ? {} : { siblings: siblings.map((sibling) => sibling.id) }),
    ...(status === 'complete' && cut !== null ? { cut } : {}),
    ...(doubtInTurn(turn) === null ? {} : { asksToUse: true }),
    ...(status === 'complete' && cut === null && hasFiles(turn) ? { hasFiles: true } : {}),
    ...(footer === '' ? {} : { footer }),
  };
}

function notesOf(turn: Turn): readonly string[] {
  const { model, isWithoutTools, answer, outdated = [] } = turn;
  return [
    ...(isWithoutTools
      ? [t('This answer was made without tools: {0} did not accept the request with them.', model ?? '')]
      : []),
    ...(outdated.length === 0
      ? []
      : [
          t(
            'Changed or removed since you attached it: {0}. The model was told. To send the new text, attach it again.',
            outdated.join(', '),
          ),
        ]),
    ...sentFormNotes(turn),
    ...(!isLive(turn) && hasWrittenCall(answer) ? [t('The answer contains a tool call as text. It was not run.')] : []),
  ];
}

export function viewTurn(turn: Turn, siblings?: readonly Turn[]): TurnView {
  return { ...viewMeta(turn, siblings), prompt: turn.prompt, answer: turn.answer, ...textOf(turn) };
}

function textOf({ thinking }: Turn): Pick<TurnView, 'thinking'> {
  return thinking === undefined ? {} : { thinking: thinking.text };
}

function footerOf(turn: Turn): string {
  if (isLive(turn)) return '';
  const { status, finishReason, model, usage, masked = 0 } = turn;
  const parts = [
    status === 'stopped' ? t('stopped') : finishWords(finishReason),
    model ?? '',
    usage?.totalTokens === undefined ? '' : t('{0} tokens', describeNumber(usage.totalTokens)),
    masked === 0 ? '' : t('secrets masked: {0}', masked),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Empty where the answer is complete, or the service returned no reason. */
function finishWords(finishReason: string | undefined): string {
  switch (whyCut(finishReason)) {
    case 'length':
      return t('stopped at the maximum length');
    case 'filter':
      return t('stopped by the content filter');
    case 'other':
      return finishReason === callsMissing
        ? t('announces a tool call, but contains none')
        : t('ended for another reason: {0}', finishReason ?? '');
    case null:
      return '';
  }
}
