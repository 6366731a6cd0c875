import * as vscode from 'vscode';
import type { Change } from '../../session/dispatch/admitAgain.ts';
import type { Words } from './cardWords.ts';

const t = vscode.l10n.t;

/**
 * Why a delayed request was not sent again. `reason`: the names of what changed; absent for a turn of an earlier
 * window.
 */
export function changedWords(reason: string): Words {
  const names = reason === '' ? [] : reason.split(', ').map((name) => changeWords(name as Change));
  return {
    title: t('The request was not sent again, because it has changed'),
    detail: [
      ...(names.length === 0 ? [] : [t('Changed while the request waited: {0}.', names.join(', '))]),
      t('Retry sends the request with the current settings.'),
    ].join(' '),
    actions: ['retry', 'openSettings'],
  };
}

function changeWords(name: Change): string {
  switch (name) {
    case 'address':
      return t('the address of the service');
    case 'headers':
      return t('the Svc headers');
    case 'body':
      return t('the model, its settings or the limits');
    case 'key':
      return t('the API key');
    case 'rules':
      return t('the preview, audit or secret masking rules');
  }
}
