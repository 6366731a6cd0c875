import * as vscode from 'vscode';
import type { ServiceError } from '../../../util/errors.ts';
import type { Words } from '../cardWords.ts';

const t = vscode.l10n.t;

/** Explains why the conversation, a setting or an exported file could not be written to the disk. */
export function storageWords({
  code,
  externalCode,
  file = '',
  reason = '',
  host = '',
}: ServiceError<'storage'>): Words {
  switch (code) {
    case 'not-exported':
      return { title: t('{0} could not be written', file), ...systemDetail(reason), actions: [] };
    case 'not-signed':
      return {
        title: t('The audit log cannot be signed now'),
        detail: [
          t('Every request is still recorded. Records that are not signed yet are signed as soon as possible.'),
          systemDetail(reason).detail ?? '',
        ]
          .join(' ')
          .trim(),
        actions: ['showLog'],
      };
    case 'not-delivered':
      return {
        title: t('Nothing was deleted: the audit log is not delivered'),
        detail: t(
          'Your administrator requires that it is delivered to {0} before it is deleted. Try again later.',
          host,
        ),
        actions: ['showPolicy', 'showLog'],
      };
    case 'not-set':
      // VS Code's own message, in the user's language: the settings file has unsaved changes or an error, or is read-only.
      return { title: t('The setting was not changed'), detail: reason, actions: ['openSettings'] };
    case 'newer-version':
      return {
        title: t('The conversation was not saved: a newer version of Svc Coder wrote its file'),
        detail: t('The file was not changed. Reload this window to use the newer version of Svc Coder.'),
        actions: ['showLog'],
      };
    case 'too-large':
      return {
        title: t('The conversation is too large to be saved'),
        detail: t('Everything saved before is kept. Start a new chat.'),
        actions: ['showLog'],
      };
    case 'bad-id':
      return historyWords({ detail: t('The ID of a conversation cannot be used as a file name.') });
    case 'locked':
      return historyWords({ detail: t('Another window has been writing to it for too long.') });
    case undefined:
      return externalCode === 'ENOSPC' || externalCode === 'EDQUOT'
        ? {
            title: t('The conversation could not be saved: the disk is full'),
            detail: t('Everything saved before is kept. The next change is saved again.'),
            actions: ['showLog'],
          }
        : historyWords(systemDetail(externalCode));
  }
}

function historyWords(detail: Pick<Words, 'detail'>): Words {
  return { title: t('Could not read or save the conversation history'), ...detail, actions: ['showLog'] };
}

function systemDetail(code = ''): Pick<Words, 'detail'> {
  return code === '' ? {} : { detail: t('System error: {0}.', code) };
}
