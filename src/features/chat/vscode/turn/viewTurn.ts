import * as vscode from 'vscode';
import { describeConfirmation } from '../../../../platform/confirm/describeConfirmation.ts';
import { sentFormNotes } from '../../../../platform/confirm/describeForm.ts';
import { doubtInTurn } from '../../../../platform/messages/answerEnds.ts';
import { describeNumber } from '../../../../platform/messages/describeNumber.ts';
import { describeError, hostOf } from '../../../../platform/messages/errors/describeError.ts';
import type { Card } from '../../../../protocol/card.ts';
import { isLive } from '../../../../protocol/turnStatus.ts';
import type { EndView, LiveView, TurnMeta, TurnStateView, TurnView } from '../../../../protocol/turnView.ts';
import { hasAnswer, summarizingOf, type Turn } from '../../../../session/conversation/turn.ts';
import { hasWrittenCall } from '../../../../session/tools/writtenCall.ts';
import type { ServiceError } from '../../../../util/errors.ts';
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
  const { id, question, answer, summary, lastRequest, state } = turn;
  const { thinking, contentLeftOut } = state.memory;
  const model = lastRequest?.model ?? '';
  const { repeated = [], changesOnly = [], shortened } = lastRequest ?? {};
  const notice = lastRequest === undefined ? null : fitNotice(lastRequest);
  const notes = notesOf(turn);
  return {
    id,
    context: question.attachments.map(({ label }) => label),
    ...(repeated.length === 0 ? {} : { repeated }),
    ...(changesOnly.length === 0 ? {} : { changesOnly }),
    ...(shortened === undefined ? {} : { leftOut: viewLeftOut(shortened) }),
    ...(contentLeftOut === undefined ? {} : { contentLeftOut: viewContentLeftOut(contentLeftOut) }),
    ...(notice === null ? {} : { notice }),
    ...(summary === undefined ? {} : { summary: viewSummary(summary) }),
    model,
    ...stateView(turn),
    ...(thinking === undefined ? {} : { thought: viewThought(thinking) }),
    ...(answer.steps.length === 0 ? {} : { steps: answer.steps.map(viewStep) }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(siblings.length < 2 ? {} : { siblings: siblings.map((sibling) => sibling.id) }),
  };
}

/** The part of a turn's view that depends on its current phase, or on how it ended. */
function stateView(turn: Turn): TurnStateView {
  const { answer, state } = turn;
  switch (state.status) {
    case 'waiting': {
      const { status, sentAt } = state;
      return {
        status,
        ...waitsFor(turn),
        ...(sentAt === undefined ? {} : { waitedMs: Math.max(0, Date.now() - sentAt) }),
      };
    }
    case 'confirming':
      return {
        ...{ status: state.status, asked: state.asked },
        ...waitsFor(turn),
        confirmation: describeConfirmation(state.request),
      };
    case 'retrying': {
      const { untilMs, attempt, error } = state.retry;
      const retry = { untilMs, attempt, reason: errorCard(turn, error)?.title ?? '' };
      return { status: state.status, ...waitsFor(turn), retry };
    }
    case 'streaming':
    case 'calling':
      return { status: state.status, ...waitsFor(turn) };
    case 'complete': {
      const cut = whyCut(answer.finishReason);
      return {
        status: state.status,
        ...endParts(turn),
        ...(cut === null ? {} : { cut }),
        ...(cut === null && hasFiles(turn) ? { hasFiles: true } : {}),
        ...(isFinishedPlan(turn) ? { isPlan: true } : {}),
      };
    }
    case 'stopped':
      return { status: state.status, ...endParts(turn) };
    case 'interrupted':
    case 'failed': {
      const card = state.error === undefined ? null : errorCard(turn, state.error);
      return { status: state.status, ...endParts(turn), ...(card === null ? {} : { card }) };
    }
  }
}

/** Whether the answer is a complete plan, which can be carried out. */
export function isFinishedPlan({ question, answer, state }: Turn): boolean {
  return question.mode === 'plan' && state.status === 'complete' && whyCut(answer.finishReason) === null;
}

function waitsFor(turn: Turn): LiveView {
  const summarizing = summarizingOf(turn);
  return summarizing === undefined ? {} : { waitsFor: summarizingWords(summarizing) };
}

function endParts(turn: Turn): EndView {
  const { answer, lastRequest } = turn;
  const { serviceRequestId: requestId, headers: requested } = lastRequest ?? {};
  const receipt = viewReceipt({
    ...(answer.receipt === undefined ? {} : { receipt: answer.receipt }),
    ...(requested === undefined ? {} : { requested }),
    ...(requestId === undefined ? {} : { requestId }),
  });
  const footer = footerOf(turn);
  return {
    ...(receipt === null ? {} : { receipt }),
    ...(doubtInTurn(turn) === null ? {} : { asksToUse: true }),
    ...(footer === '' ? {} : { footer }),
  };
}

function errorCard(turn: Turn, error: ServiceError): Card | null {
  const { parent, question, lastRequest, state } = turn;
  return describeError(error, {
    // A stored error may lack the address, and the current address may be another one.
    host: hostOf(question.origin),
    model: lastRequest?.model ?? '',
    canRetry: true,
    canContinue: state.status === 'interrupted' && hasAnswer(turn),
    question: { files: question.attachments.map(({ label }) => label), isFirst: parent === null },
    isSummary: summarizingOf(turn) !== undefined,
    ...(state.memory.hasProposed === undefined ? {} : { hasProposed: true }),
  });
}

function notesOf(turn: Turn): readonly string[] {
  const { question, answer, lastRequest, state } = turn;
  const { outdated } = question;
  return [
    ...(answer.isWithoutTools
      ? [t('This answer was made without tools: {0} did not accept the request with them.', lastRequest?.model ?? '')]
      : []),
    ...(outdated.length === 0
      ? []
      : [
          t(
            'Changed or removed since you attached it: {0}. The request tells the model. To send the new text, attach it again.',
            outdated.join(', '),
          ),
        ]),
    ...sentFormNotes(turn),
    ...(!isLive(state) && hasWrittenCall(answer.text)
      ? [t('The answer contains a tool call as text. It was not run.')]
      : []),
  ];
}

export function viewTurn(turn: Turn, siblings?: readonly Turn[]): TurnView {
  const { question, answer, state } = turn;
  const { thinking } = state.memory;
  const texts = { prompt: question.prompt, answer: answer.text };
  return { ...viewMeta(turn, siblings), ...texts, ...(thinking === undefined ? {} : { thinking: thinking.text }) };
}

/** The line below an ended answer. */
function footerOf({ answer, lastRequest, state }: Turn): string {
  const { model = '', masked = 0 } = lastRequest ?? {};
  const tokens = answer.usage?.totalTokens;
  const isStopped = state.status === 'stopped';
  const parts = [
    isStopped ? t('stopped') : finishWords(answer.finishReason),
    isStopped && lastRequest === undefined ? t('not sent') : model,
    tokens === undefined ? '' : t('{0} tokens', describeNumber(tokens)),
    masked === 0 ? '' : t('secrets masked: {0}', masked),
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

/** Returns an empty text if the answer is complete, or if the service returned no reason. */
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
