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
    title: t('The request was not sent again: it is not the one that was admitted'),
    detail: [
      ...(names.length === 0 ? [] : [t('Changed while it waited: {0}.', names.join(', '))]),
      t('Retry sends it as it would be sent now.'),
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
      return t('the model, its settings or what may go along');
    case 'key':
      return t('the API key');
    case 'rules':
      return t('preview, audit or secrets rules');
  }
}
