import * as vscode from 'vscode';
import type { Card } from '../../protocol/card.ts';
import type { ServiceError } from '../../util/errors.ts';
import { cardAction, type Words } from './cardWords.ts';
import { interruptedWords, protocolWords, timeoutWords } from './describeAnswer.ts';
import { forbiddenWords } from './describeForbidden.ts';
import { gateWords } from './describeGate.ts';
import { certificateWords, proxyWords } from './describeNetwork.ts';
import { storageWords } from './describeStorage.ts';

const t = vscode.l10n.t;

/** What was happening when the error occurred; unknown fields are absent. */
export interface ErrorContext {
  readonly host?: string;
  readonly model?: string;
  /** The request can be sent again from the card. */
  readonly canRetry: boolean;
  /** A partial answer exists. */
  readonly canContinue: boolean;
}

/** Converts each kind of error to a card with text and actions. null for an aborted request. */
export function describeError(error: ServiceError, context: ErrorContext): Card | null {
  const words = wordsFor(error, context);
  if (words === null) return null;
  const ids = new Set(words.actions.filter((id) => context.canRetry || id !== 'retry'));
  if (context.canContinue) ids.add('continue');
  const detail = [words.detail, reference(error)].filter((part) => part !== undefined && part !== '').join(' ');
  return {
    severity: error.kind === 'interrupted' ? 'warning' : 'error',
    title: words.title,
    ...(detail === '' ? {} : { detail }),
    actions: [...ids].map((id) => cardAction(id, error, words.setting)),
  };
}

function wordsFor(error: ServiceError, context: ErrorContext): Words | null {
  const { model = '', canContinue } = context;
  const host = context.host || t('the service');
  const said = error.serviceMessage;
  switch (error.kind) {
    case 'aborted':
      return null;
    case 'auth':
      return { ...authWords(error, host), actions: ['setApiKey', 'retry'] };
    case 'permission':
      error.code satisfies undefined;
      return {
        title: model === '' ? t('Your key does not allow this') : t('Your key does not allow the model {0}', model),
        detail: said ?? t('Choose another model, or ask for access.'),
        actions: ['selectModel', 'retry'],
      };
    case 'rateLimit':
      error.code satisfies undefined;
      return {
        title:
          error.retryAfterMs === undefined
            ? t('Too many requests')
            : t('The service asks to wait {0} s', Math.ceil(error.retryAfterMs / 1000)),
        ...(said === undefined ? {} : { detail: said }),
        actions: ['retry'],
      };
    case 'request':
      return requestWords(error, host, model, said);
    case 'timeout':
      return timeoutWords(error, host);
    case 'network':
      error.code satisfies undefined;
      return {
        title: t('Cannot reach {0}', error.host ?? host),
        detail:
          error.externalCode === undefined
            ? t('The connection broke.')
            : t('The connection failed with {0}.', error.externalCode),
        actions: ['retry', 'checkHealth', 'openSettings'],
        ...(error.externalCode === 'UND_ERR_CONNECT_TIMEOUT' ? { setting: 'svc.request.timeout.connect' } : {}),
      };
    case 'proxy':
      return { ...proxyWords(error), actions: ['retry', 'openSettings'] };
    case 'certificate':
      return { ...certificateWords(error, error.host ?? host), actions: ['retry', 'openSettings'] };
    case 'server':
      error.code satisfies undefined;
      return {
        title:
          error.status === undefined || error.status < 400
            ? t('The service answered with an error')
            : t('The service failed ({0})', error.status),
        ...(said === undefined ? {} : { detail: said }),
        actions: ['retry', 'checkHealth'],
      };
    case 'protocol':
      return protocolWords(error, host);
    case 'interrupted':
      return interruptedWords(error, host, canContinue);
    case 'internal':
      error.code satisfies 'internal' | undefined;
      return {
        title: t('Svc Coder itself failed'),
        detail:
          error.reason === undefined
            ? t('This is a fault of the extension, not of the service or your settings. If it stays, report it.')
            : t(
                'This is a fault of the extension ({0}), not of the service or your settings. If it stays, report it.',
                error.reason,
              ),
        actions: ['retry'],
      };
    case 'policy':
      return forbiddenWords(error);
    case 'gate':
      return gateWords(error);
    case 'storage':
      return storageWords(error);
  }
}

function authWords({ code, serviceMessage }: ServiceError<'auth'>, host: string): Omit<Words, 'actions'> {
  switch (code) {
    case 'no-key':
      return { title: t('No API key is stored for {0}', host) };
    case 'malformed-key':
      return {
        title: t('The API key cannot be sent'),
        detail: t('It has characters that a header cannot carry. Set it again.'),
      };
    case undefined:
      return {
        title: t('The API key was not accepted'),
        detail:
          serviceMessage ?? t('{0} answered 401. Set a new key; the old one stays until the new one works.', host),
      };
  }
}

function requestWords(error: ServiceError<'request'>, host: string, model: string, said: string | undefined): Words {
  switch (error.code) {
    case 'wrong-argument':
      return {
        title: t('Nothing was done: a command was called with what it does not take'),
        ...(error.reason === undefined ? {} : { detail: error.reason }),
        actions: [],
      };
    case undefined:
      return refusedWords(error.status, host, model, said);
  }
}

function refusedWords(status: number | undefined, host: string, model: string, said: string | undefined): Words {
  const detail = said === undefined ? {} : { detail: said };
  switch (status) {
    case 404:
      return {
        title: t('{0} does not know this address, or not the model {1}', host, model),
        ...detail,
        actions: ['selectModel', 'openSettings', 'retry'],
      };
    case 413:
      return { title: t('The request is too large for the service'), ...detail, actions: [] };
    default:
      return {
        title: t('The service did not accept the request ({0})', status ?? 400),
        ...detail,
        actions: ['retry'],
      };
  }
}

/** Status and request ID, which the user can report to the operator of the service. */
function reference({ status, requestId }: ServiceError): string {
  const parts = [
    status === undefined ? '' : t('Status {0}.', status),
    requestId === undefined ? '' : t('Request {0}.', requestId),
  ];
  return parts.filter((part) => part !== '').join(' ');
}
