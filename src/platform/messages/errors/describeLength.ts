import * as vscode from 'vscode';
import type { LengthCode, SummaryCode } from '../../../util/errorKinds.ts';
import type { ServiceError } from '../../../util/errors.ts';
import type { Cut } from '../../../util/whyCut.ts';
import type { Words, WordsByCode } from '../cardWords.ts';
import { describeNumber } from '../describeNumber.ts';

const t = vscode.l10n.t;

export const lengthWords: WordsByCode<LengthCode, 'gate'> = {
  'conversation-too-long': (error) =>
    conversationWords(error, t('If you summarize or leave out earlier turns, your questions in them are still sent.')),
  'summary-wanted': (error) =>
    conversationWords(
      error,
      t('When you send the question, a request for a summary of the earlier turns is sent first.'),
    ),
  'nothing-to-summarize': () => ({
    title: t('There are no earlier turns to summarize'),
    actions: ['removeFile', 'newChat', 'openSettings'],
    setting: 'svc.context.maxTokens',
  }),
  'question-too-long': ({ file = '', contextTokens, details }) => ({
    title: t('Nothing was sent: the question exceeds the context window of the model'),
    detail: [
      sizeWords(details.tokens, contextTokens),
      file === ''
        ? t('Ask a shorter question, or raise the limit in the settings.')
        : t('Remove {0}, attach a selection instead, or raise the limit in the settings.', file),
    ]
      .filter((part) => part !== '')
      .join(' '),
    actions: ['removeFile', 'retry', 'newChat', 'setModelWindow', 'openSettings'],
    setting: 'svc.context.maxTokens',
  }),
};

/** The messages about a summary that is not used. */
export const summaryWords: WordsByCode<SummaryCode, 'protocol'> = {
  'summary-cut': ({ details }) => unusedSummary(cutSummaryTitle(details.cut)),
  'summary-too-long': () => unusedSummary(t('The summary is hardly shorter than the answers that it would replace')),
  'summary-unread': () => ({
    ...unusedSummary(t('The model may not have read all of the turns')),
    detail: t('The service counted far fewer tokens than were sent. The next request is kept shorter.'),
  }),
};

function unusedSummary(title: string): Words {
  return { title, actions: ['summarize', 'leaveOutTurns', 'newChat'] };
}

function conversationWords({ details, contextTokens }: ServiceError<'gate'>, detail: string): Words {
  return {
    title: tooLongTitle(details.tokens, contextTokens),
    detail,
    actions: ['summarize', 'leaveOutTurns', 'newChat', 'setModelWindow', 'openSettings'],
    setting: 'svc.context.maxTokens',
  };
}

/** A stored error has no estimate. */
function tooLongTitle(tokens: number | undefined, limit: number | undefined): string {
  if (tokens === undefined || limit === undefined)
    return t('This conversation exceeds the context window of the model');
  const [size, fits] = [describeNumber(tokens), describeNumber(limit)];
  return t('This conversation exceeds the context window of the model: about {0} tokens; the limit is {1}', size, fits);
}

/** A stored error has no estimate. */
function sizeWords(tokens: number | undefined, limit: number | undefined): string {
  if (tokens === undefined || limit === undefined) return '';
  return t('It has about {0} tokens. The limit is {1}.', describeNumber(tokens), describeNumber(limit));
}

function cutSummaryTitle(cut: Cut | undefined): string {
  if (cut === 'filter') return t('The content filter of the service stopped the summary');
  if (cut === 'other') return t('The service ended the summary before it was complete');
  return t('The summary reached the maximum length and was cut off');
}
