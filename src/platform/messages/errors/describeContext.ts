import * as vscode from 'vscode';
import type { ContextCode } from '../../../util/errorKinds.ts';
import type { Words, WordsByCode } from '../cardWords.ts';

const t = vscode.l10n.t;

export const contextWords: WordsByCode<ContextCode, 'gate'> = {
  gone: ({ file = '' }) => title(t('{0} no longer exists. It was moved, renamed or deleted', file)),
  'not-text': ({ file = '' }) => title(t('{0} cannot be read as text', file)),
  'no-images': ({ file = '' }) => ({
    title:
      file === ''
        ? t('Nothing was sent: the request contains an image, and Svc models accept only text')
        : t('{0} is an image, and Svc models accept only text', file),
    detail: t('Describe what the image shows, or attach a file with its text.'),
    actions: [],
  }),
  'no-data': ({ reason = '' }) => title(t('Nothing was sent: Svc models accept only text, not {0}', reason)),
  'unknown-part': () => title(t('Nothing was sent: the request contains content that is not text')),
  'over-budget': ({ file = '', reason = '' }) => ({
    ...title(t('Nothing was sent: the attachments are too large. Remove {0}', file)),
    ...(reason === '' ? {} : { detail: reason }),
  }),
  'nothing-there': ({ file = '' }) => title(t('{0} is empty', file)),
  'not-here': ({ file = '' }) => title(t('{0} is not a file or folder that can be attached', file)),
  'nothing-to-work-on': ({ file = '' }) => title(t('{0} needs some code. Open a file or attach one', file)),
  'broken-prompt': ({ file = '', reason = '' }) => title(t('The prompt {0} cannot be used: {1}', file, reason)),
  'outside-workspace': ({ file = '' }) => ({
    ...title(t('Nothing was sent: {0} is outside the workspace', file)),
    detail: t('Open the file in an editor, or open its folder, to attach it.'),
  }),
};

/** Returns a message without an action, because the user has to choose again. */
function title(words: string): Words {
  return { title: words, actions: [] };
}
