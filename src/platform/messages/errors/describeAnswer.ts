import * as vscode from 'vscode';
import type { SettingKey } from '../../../policy/settings.ts';
import { type AnswerCode, isStopCode, type StopCode } from '../../../util/errorKinds.ts';
import type { ErrorCode, ServiceError } from '../../../util/errors.ts';
import type { Cut } from '../../../util/whyCut.ts';
import { endWords } from '../answerEnds.ts';
import type { Words, WordsByCode } from '../cardWords.ts';
import type { ErrorContext } from '../errorCard.ts';
import { editWords } from './describeEdit.ts';
import { summaryWords } from './describeLength.ts';
import { stopWords } from './describeStop.ts';

const t = vscode.l10n.t;

/** Describes an answer that does not match the interface. Only answers that suggest a wrong address link to svc.baseUrl. */
export function protocolWords(error: ServiceError<'protocol'>, host: string): Words {
  return error.code === undefined ? unexpectedWords(error) : words[error.code](error, host);
}

const answerWords: WordsByCode<AnswerCode, 'protocol'> = {
  'tool-call': () => ({
    title: t('The answer contains an invalid tool call'),
    detail: t('No tool ran for this call.'),
    actions: ['retry'],
  }),
  'tool-call-cut': ({ details }) => ({
    title: cutCallTitle(details.cut),
    detail: t('No tool ran for this call. Ask for less in one step, or increase svc.request.maxTokens.'),
    actions: ['retry', 'openSettings'],
    setting: 'svc.request.maxTokens',
  }),
  'too-long': (_, host) => ({
    title: t('The answer is too large'),
    detail: t('{0} sent too much data. The answer was cut off.', host),
    actions: ['retry', 'checkHealth'],
  }),
  empty: (_, host) => emptyWords(host),
  'no-choices': (_, host) => emptyWords(host),
  'no-content': (_, host) => emptyWords(host),
  cut: (error) => unusedWords(error, t('The answer reached the maximum length and was cut off')),
  filtered: (error) => unusedWords(error, t('The content filter of the service stopped the answer')),
  'doubtful-end': ({ reason = '', details }) => ({
    title: endWords(reason),
    ...(details.cut === undefined ? { detail: t('A part of it may be missing, so it was not used.') } : {}),
    actions: ['retry', 'selectModel'],
  }),
  redirect: ({ host: other = '' }, host) => ({
    title: t('{0} redirected the request to another address, {1}', host, other),
    detail: t('Nothing was sent there. Check svc.baseUrl.'),
    actions: ['openSettings'],
  }),
  html: () => ({
    title: t('Unexpected response: a web page instead of an answer'),
    detail: t('The network may have redirected the request to a sign-in page. If not, check svc.baseUrl.'),
    actions: ['diagnoseConnection', 'retry', 'openSettings'],
  }),
  status: unexpectedWords,
  'content-type': unexpectedWords,
  'content-coding': unexpectedWords,
  malformed: unexpectedWords,
};

const words: WordsByCode<ErrorCode<'protocol'>, 'protocol'> = { ...answerWords, ...editWords, ...summaryWords };

function unexpectedWords({ serviceMessage }: ServiceError<'protocol'>): Words {
  return {
    title: t('Unexpected response from the service'),
    detail:
      serviceMessage ??
      t('Check that svc.baseUrl is the address of the service, and that the network requires no sign-in.'),
    actions: ['diagnoseConnection', 'retry', 'openSettings'],
  };
}

/** In a chat, the part of the answer that has arrived stays; any other incomplete answer is not used. */
function unusedWords({ details }: ServiceError<'protocol'>, title: string): Words {
  const detail = t('An incomplete answer is not used. Nothing was changed.');
  return { title, ...(details.cut === undefined ? { detail } : {}), actions: ['retry'] };
}

function cutCallTitle(cut: Cut | undefined): string {
  if (cut === 'filter') return t('The content filter stopped the answer during a tool call');
  if (cut === 'other') return t('The service ended the answer during a tool call');
  return t('The answer reached the maximum length during a tool call');
}

/** Describes an answer that exceeded a time limit; most time limits are settings. */
export function timeoutWords({ code }: ServiceError<'timeout'>, host: string): Words {
  const title = t('{0} did not answer in time', host);
  if (code === 'host-stack') {
    const detail = t(
      'The network stack of VS Code waits for data for five minutes at most. Turn svc.request.stream on, or select undici in svc.network.stack.',
    );
    return { title, detail, actions: ['retry', 'checkHealth', 'openSettings'], setting: 'svc.network.stack' };
  }
  const setting = limitSetting(code);
  if (setting === undefined) return { title, actions: ['retry', 'checkHealth'] };
  const limit = t('The setting {0} defines this time limit.', setting);
  // The time until the first text includes all attempts.
  const isBeforeText = code === 'first-token' || code === 'attempts';
  const detail = isBeforeText
    ? `${limit} ${t('If the service does not stream, its first text comes at the end of the answer: then turn off svc.request.stream.')}`
    : limit;
  return { title, detail, actions: ['retry', 'checkHealth', 'openSettings'], setting };
}

function limitSetting(code: ErrorCode<'timeout'> | undefined): SettingKey | undefined {
  switch (code) {
    case 'first-token':
      return 'svc.request.timeout.firstToken';
    case 'stall':
      return 'svc.request.timeout.betweenBytes';
    case 'attempts':
    case 'answer':
      return `svc.request.timeout.${code}`;
    case 'trailing':
    case 'check':
    case 'names':
    case 'host-stack':
    case undefined:
      return undefined;
  }
}

/** Describes an answer that ended early. */
export function interruptedWords(
  { code, serviceMessage }: ServiceError<'interrupted'>,
  host: string,
  { canContinue: hasText, hasProposed = false }: Pick<ErrorContext, 'canContinue' | 'hasProposed'>,
): Words {
  if (isStopCode(code)) return stopWords(code, hasProposed);
  if (code === 'end' && !hasText) return emptyWords(host);
  const detail = serviceMessage ?? (hasText ? t('The partial answer was kept.') : undefined);
  return { title: interruptedTitle(code), ...(detail === undefined ? {} : { detail }), actions: ['retry'] };
}

function interruptedTitle(code: Exclude<ErrorCode<'interrupted'>, StopCode> | undefined): string {
  switch (code) {
    case 'too-long':
      return t('The answer exceeds the maximum length');
    case 'window-closed':
      return t('The window was closed before the answer was complete');
    case 'malformed':
      return t('The answer was interrupted: the service sent unexpected data');
    case 'error-event':
      return t('The answer was interrupted: the service reported an error');
    case 'end':
    case 'reset':
    case undefined:
      return t('The answer was interrupted');
    default:
      code satisfies ErrorCode<'timeout'>;
      return t('The answer was interrupted: the service stopped sending');
  }
}

function emptyWords(host: string): Words {
  return {
    title: t('The answer is empty'),
    detail: t('{0} accepted the request but sent no text. Try again, or use another model.', host),
    actions: ['retry', 'selectModel'],
  };
}
