import * as vscode from 'vscode';
import type { ServiceError } from '../../util/errors.ts';
import type { Words } from './cardWords.ts';

const t = vscode.l10n.t;

/** Why the conversation or an exported file could not be written to the disk. */
export function storageWords({ code, externalCode, file = '', reason = '' }: ServiceError<'storage'>): Words {
  switch (code) {
    case 'not-exported':
      return { title: t('{0} could not be written', file), ...systemDetail(reason), actions: [] };
    case 'newer-version':
      return {
        title: t('The conversation was not saved: a newer version of Svc Coder wrote its file'),
        detail: t('The file was left as it is. Update Svc Coder in this window.'),
        actions: ['showLog'],
      };
    case 'too-large':
      return {
        title: t('The conversation is too large to be saved'),
        detail: t('What was saved before is still there. Begin a new chat.'),
        actions: ['showLog'],
      };
    case 'bad-id':
      return historyWords({ detail: t('The id of a conversation cannot be the name of a file.') });
    case 'locked':
      return historyWords({ detail: t('Another window has been writing it for too long.') });
    case undefined:
      return externalCode === 'ENOSPC' || externalCode === 'EDQUOT'
        ? {
            title: t('The conversation could not be saved: the disk is full'),
            detail: t('What was saved before is still there. It is saved again with the next change.'),
            actions: ['showLog'],
          }
        : historyWords(systemDetail(externalCode));
  }
}

function historyWords(detail: Pick<Words, 'detail'>): Words {
  return { title: t('The conversation history could not be read or written'), ...detail, actions: ['showLog'] };
}

function systemDetail(code = ''): Pick<Words, 'detail'> {
  return code === '' ? {} : { detail: t('The system says {0}.', code) };
}
