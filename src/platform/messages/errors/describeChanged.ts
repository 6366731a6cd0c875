import * as vscode from 'vscode';
import type { RequestChange } from '../../../util/errors.ts';
import type { Words } from '../cardWords.ts';

const t = vscode.l10n.t;

/** Explains why a delayed request was not sent again. A turn of an earlier window has no changes. */
export function changedWords(changes: readonly RequestChange[] = []): Words {
  const names = changes.map(changeWords);
  return {
    title: t('The request was not sent again, because it has changed'),
    detail: [
      ...(names.length === 0 ? [] : [t('Changed while the request waited: {0}.', names.join(', '))]),
      t('Retry sends the request with the current settings.'),
    ].join(' '),
    actions: ['retry', 'openSettings'],
  };
}

function changeWords(name: RequestChange): string {
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
