import * as vscode from 'vscode';
import type { ErrorCode, RefusalCode } from '../../../util/errorKinds.ts';
import type { ErrorDetails, ServiceError } from '../../../util/errors.ts';
import type { Words, WordsByCode } from '../cardWords.ts';
import { limitSourceWords, usedWords } from '../describeDayLimit.ts';
import { describeOverLimit } from '../describeNumber.ts';
import { errorName } from '../errorName.ts';
import { changedWords } from './describeChanged.ts';
import { contextWords } from './describeContext.ts';
import { untrustedWords } from './describeForbidden.ts';
import { gitWords } from './describeGit.ts';
import { lengthWords } from './describeLength.ts';

const t = vscode.l10n.t;

/**
 * Explains why a request, or a part of it, may not be sent or cannot be read. A stored error has neither `file`, `reason`
 * nor details.
 */
export function gateWords(error: ServiceError<'gate'>): Words {
  if (error.code !== undefined) return words[error.code](error, error.host ?? '');
  return { title: t('Nothing was sent: the request contains excluded content'), actions: [] };
}

const refusalWords: WordsByCode<RefusalCode, 'gate'> = {
  excluded: ({ file = '', reason = '' }) => ({
    title:
      file === '' ? t('Nothing was sent: an attached file is excluded') : t('Nothing was sent: {0} is excluded', file),
    ...(reason === '' ? {} : { detail: t('Excluded by {0}.', reason) }),
    // A retry would read the same rules.
    actions: ['removeFile', 'newChat'],
  }),
  'too-large': ({ file = '', details }) => ({
    title:
      file === '' ? t('Nothing was sent: the request is too large') : t('Nothing was sent: {0} is too large', file),
    detail:
      details.size === undefined
        ? t('Attach a selection instead, or start a new chat.')
        : t('It has {0}. Attach a selection instead, or start a new chat.', describeOverLimit(details.size)),
    actions: ['removeFile', 'newChat'],
  }),
  untrusted: ({ details }) => untrustedWords(details),
  changed: ({ details }) => changedWords(details.changes),
  'masking-endless': ({ file = '' }) => ({
    title: t('Nothing was sent: some secrets could not be masked'),
    detail:
      file === ''
        ? t(
            'The text still contained a secret after it was masked several times. Leave out the lines around the masked secrets.',
          )
        : t(
            '{0} still contained a secret after it was masked several times. Leave out the lines around the masked secrets.',
            file,
          ),
    actions: ['retry'],
  }),
  'not-recognized': ({ reason = '', file = '' }) => ({
    title: t('Nothing was sent: not all excluded files are recognized by their content'),
    detail: [
      t('Your administrator requires this.'),
      ...(reason === '' ? [] : [`${reason}.`]),
      ...(file === '' ? [] : [t('Move these files and folders out of the workspace: {0}', file)]),
    ].join(' '),
    actions: ['retry', 'showPolicy'],
  }),
  'audit-unwritable': ({ file = '', reason = '' }) => ({
    title: t('Nothing was sent: the audit log cannot be read or written'),
    detail: [t('Every request needs an audit record before it is sent.'), reason, file]
      .filter((part) => part !== '')
      .join(' '),
    actions: ['retry', 'showLog'],
  }),
  'not-delivered': ({ details }, host) => ({
    title: t('Nothing was sent: the audit log is not delivered'),
    detail: undeliveredWords(host, details),
    actions: ['retry', 'showPolicy', 'showLog'],
  }),
  'day-limit': ({ file = '', details: { dayLimit } }) => ({
    title: t('Nothing was sent: a daily limit is reached'),
    ...(dayLimit === undefined ? {} : { detail: `${usedWords(dayLimit)}. ${limitSourceWords(dayLimit, file)}` }),
    actions: ['showPolicy', 'retry'],
  }),
};

const words: WordsByCode<ErrorCode<'gate'>, 'gate'> = {
  ...refusalWords,
  ...contextWords,
  ...gitWords,
  ...lengthWords,
};

function undeliveredWords(host: string, { size, failure }: ErrorDetails<'gate'>): string {
  return [
    t('Your administrator requires that it is delivered before more is sent.'),
    ...(size === undefined ? [] : [t('Not yet delivered to {0}: {1}.', host, describeOverLimit(size))]),
    ...(failure === undefined ? [] : [t('The last attempt failed: {0}.', errorName(failure))]),
  ].join(' ');
}
