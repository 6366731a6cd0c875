import * as vscode from 'vscode';
import type { ServiceError, ServiceErrorKind } from '../../util/errors.ts';

const t = vscode.l10n.t;

/** Names an error in one or two words, for a sentence or a row: by its status, by its external code, or by its kind. */
export function errorName(error: ServiceError): string {
  const { kind, code, status, externalCode } = error;
  if (status !== undefined && status !== 200) {
    return code === 'redirect' ? t('{0}, a redirect', status) : String(status);
  }
  return externalCode ?? kindName(kind);
}

/** Names the kind of an error, with its status or external code. */
export function errorWords(kind: ServiceErrorKind, detail: string): string {
  return detail === '' ? kindName(kind) : `${kindName(kind)}, ${detail}`;
}

/** Names a kind of error in one or two words. */
export function kindName(kind: ServiceErrorKind): string {
  switch (kind) {
    case 'auth':
      return t('API key not accepted');
    case 'permission':
      return t('no permission');
    case 'rateLimit':
      return t('too many requests');
    case 'request':
      return t('request rejected');
    case 'timeout':
      return t('no answer in time');
    case 'network':
      return t('no connection');
    case 'proxy':
      return t('proxy error');
    case 'certificate':
      return t('certificate not accepted');
    case 'server':
      return t('error of the service');
    case 'protocol':
      return t('unexpected answer');
    case 'interrupted':
      return t('answer interrupted');
    case 'policy':
      return t('not allowed by the settings');
    case 'gate':
      return t('not allowed to be sent');
    case 'storage':
      return t('error of the disk');
    case 'internal':
      return t('error in Svc Coder');
    case 'aborted':
      return t('canceled');
  }
}
