import * as vscode from 'vscode';
import type { ServiceError } from '../../util/errors.ts';
import type { Words } from './cardWords.ts';
import { changedWords } from './describeChanged.ts';

const t = vscode.l10n.t;

/** Why a request, or a part of it, may not leave or cannot be read. A stored error has neither `file` nor `reason`. */
export function gateWords({ code, file = '', reason = '' }: ServiceError<'gate'>): Words {
  switch (code) {
    case 'excluded':
      return {
        title:
          file === ''
            ? t('Nothing was sent: an attached file may not leave this machine')
            : t('Nothing was sent: {0} may not leave this machine', file),
        ...(reason === '' ? {} : { detail: t('It is excluded by {0}.', reason) }),
        actions: ['retry'],
      };
    case 'too-large':
      return {
        title:
          file === ''
            ? t('Nothing was sent: the request is larger than the limit')
            : t('Nothing was sent: {0} is larger than the limit', file),
        detail:
          reason === ''
            ? t('Attach a selection, or begin a new chat.')
            : t('Bytes: {0}. Attach a selection, or begin a new chat.', reason),
        actions: ['retry'],
      };
    case 'untrusted':
      return {
        title:
          reason === 'settings'
            ? t('No setting was changed: this workspace is not trusted')
            : t('Nothing was sent: this workspace is not trusted'),
        detail: t('Its settings cannot be read in Restricted Mode, so what it asks for is unknown.'),
        actions: ['manageTrust', 'retry'],
      };
    case 'changed':
      return changedWords(reason);
    case 'masking-endless':
      return {
        title: t('Nothing was sent: secrets could not be masked in full'),
        detail:
          file === ''
            ? t('After each masking there was another secret. Leave out the lines around the masked ones.')
            : t(
                'After each masking of {0} there was another secret. Leave out the lines around the masked ones.',
                file,
              ),
        actions: ['retry'],
      };
    case 'audit-unwritable':
      return {
        title: t('Nothing was sent: the audit log cannot be written'),
        detail: [t('An audit record is required before a request leaves.'), reason, file]
          .filter((part) => part !== '')
          .join(' '),
        actions: ['retry', 'showLog'],
      };
    case 'gone':
      return title(t('{0} is gone: it was moved, renamed or deleted', file));
    case 'not-text':
      return title(t('{0} cannot be read as text', file));
    case 'no-images':
      return title(t('Nothing was sent: Svc models take text, and there is an image in the request'));
    case 'no-data':
      return title(t('Nothing was sent: Svc models take text, and this is {0}', reason));
    case 'unknown-part':
      return title(t('Nothing was sent: the request holds something that is no text'));
    case 'over-budget':
      return {
        ...title(t('Nothing was sent: more is attached than may go along. Remove {0}', file)),
        ...(reason === '' ? {} : { detail: reason }),
      };
    case 'nothing-there':
      return title(t('There is nothing in {0}', file));
    case 'not-here':
      return title(t('{0} is no file or folder that can be attached', file));
    case 'nothing-to-work-on':
      return title(t('{0} needs something to work on: open a file, or attach one', file));
    case 'broken-prompt':
      return title(t('The prompt {0} cannot be used: {1}', file, reason));
    case 'outside-workspace':
      return {
        ...title(t('Nothing was sent: {0} is outside the workspace', file)),
        detail: t('Open it in an editor, or open its folder, if it is meant.'),
      };
    case 'no-repository':
      return title(t('There is no git repository in this workspace'));
    case 'git-off':
      return title(t('The git extension of VS Code is off, or there is no git on this machine'));
    case 'git-failed':
      return title(t('Git could not tell what has changed: {0}', reason));
    case undefined:
      return title(t('Nothing was sent: something in the request may not leave'));
  }
}

/** Words without an action: the user has to choose again. */
function title(words: string): Words {
  return { title: words, actions: [] };
}
