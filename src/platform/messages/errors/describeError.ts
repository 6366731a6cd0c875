import * as vscode from 'vscode';
import type { Card } from '../../../protocol/card.ts';
import type { ServiceError } from '../../../util/errors.ts';
import { declaredWords, type Words } from '../cardWords.ts';
import { describeNumber } from '../describeNumber.ts';
import { type ErrorContext, errorCard } from '../errorCard.ts';
import { interruptedWords, protocolWords, timeoutWords } from './describeAnswer.ts';
import { withNames } from './describeBlockingFiles.ts';
import { forbiddenWords } from './describeForbidden.ts';
import { gateWords } from './describeGate.ts';
import { helperWords, refusedKeyWords } from './describeHelper.ts';
import { certificateWords, networkWords, proxyWords } from './describeNetwork.ts';
import { storageWords } from './describeStorage.ts';

const t = vscode.l10n.t;

/** Converts an error of any kind to a card with text and actions. Returns null for an aborted request. */
export function describeError(error: ServiceError, context: ErrorContext): Card | null {
  const words = wordsFor(error, context);
  return words === null ? null : errorCard(error, words, context);
}

function wordsFor(error: ServiceError, context: ErrorContext): Words | null {
  const { model = '' } = context;
  const host = hostOf(error.origin) || context.host || t('the service');
  const serviceMessage = error.serviceMessage;
  switch (error.kind) {
    case 'aborted':
      return null;
    case 'auth':
      if (error.code === 'page') return pageWords(error.status, host);
      if (error.code === 'helper') return helperWords(error, host);
      if (error.code === 'helper-refused') return refusedKeyWords(error, host);
      return { ...authWords(error, host), actions: ['setApiKey', 'retry'] };
    case 'permission':
      if (error.code === 'page') return pageWords(error.status, host);
      error.code satisfies undefined;
      return {
        title:
          model === ''
            ? t('Your API key has no permission for this')
            : t('Your API key has no access to the model {0}', model),
        detail: serviceMessage ?? t('Select another model, or request access.'),
        actions: ['selectModel', 'retry'],
      };
    case 'rateLimit':
      error.code satisfies undefined;
      return {
        title:
          error.retryAfterMs === undefined
            ? t('Too many requests')
            : t('The service asked to wait {0} s', Math.ceil(error.retryAfterMs / 1000)),
        ...(serviceMessage === undefined ? {} : { detail: serviceMessage }),
        actions: ['retry'],
      };
    case 'request':
      return requestWords(error, host, context);
    case 'timeout':
      return timeoutWords(error, host);
    case 'network':
      error.code satisfies undefined;
      return {
        ...networkWords(error, host),
        actions: ['diagnoseConnection', 'retry', 'openSettings'],
        ...(error.externalCode === 'UND_ERR_CONNECT_TIMEOUT' ? { setting: 'svc.request.timeout.connect' } : {}),
      };
    case 'proxy':
      return { ...proxyWords(error), actions: ['openSettings', 'diagnoseConnection', 'retry'] };
    case 'certificate':
      return {
        ...certificateWords(error, error.host ?? host),
        actions: ['openSettings', 'diagnoseConnection', 'retry'],
      };
    case 'server':
      error.code satisfies undefined;
      return {
        title:
          error.status === undefined || error.status < 400
            ? t('The service reported an error')
            : t('The service reported an internal error ({0})', error.status),
        ...(serviceMessage === undefined ? {} : { detail: serviceMessage }),
        actions: ['retry', 'checkHealth'],
      };
    case 'protocol':
      return protocolWords(error, host);
    case 'interrupted':
      return interruptedWords(error, host, context);
    case 'internal':
      error.code satisfies 'internal' | undefined;
      return {
        title: t('Svc Coder failed'),
        detail:
          error.reason === undefined
            ? t(
                'This is an error in the extension, not in the service or your settings. If it happens again, report it.',
              )
            : t(
                'This is an error in the extension ({0}), not in the service or your settings. If it happens again, report it.',
                error.reason,
              ),
        actions: ['retry'],
      };
    case 'policy':
      return withNames(forbiddenWords(error), error);
    case 'gate':
      return gateWords(error);
    case 'storage':
      return storageWords(error);
  }
}

/** Returns the host of an origin, which may come from a file, or an empty string if it has no host. */
export function hostOf(origin: string | undefined): string {
  return origin === undefined ? '' : (URL.parse(origin)?.host ?? '');
}

/** Describes a web page that a firewall or a proxy returned; the service may not have received the request. */
function pageWords(status: number | undefined, host: string): Words {
  return {
    title: t('A web page answered in place of {0} ({1})', host, status ?? ''),
    detail: t('A firewall or a sign-in page of the network may block the request. The API key may still be valid.'),
    actions: ['diagnoseConnection', 'retry', 'openSettings'],
  };
}

function authWords({ code, serviceMessage }: ServiceError<'auth'>, host: string): Omit<Words, 'actions'> {
  switch (code) {
    case 'no-key':
      return { title: t('No API key is stored for {0}', host) };
    case 'malformed-key':
      return {
        title: t('The API key cannot be sent'),
        detail: t('It contains characters that a header cannot carry. Set the key again.'),
      };
    case 'page':
    case 'helper':
    case 'helper-refused':
    case undefined:
      return {
        title: t('The API key was not accepted'),
        detail:
          serviceMessage ??
          t('{0} answered 401. Set a new key. The current key is kept until the new one works.', host),
      };
  }
}

function requestWords(error: ServiceError<'request'>, host: string, context: ErrorContext): Words {
  switch (error.code) {
    case 'wrong-argument':
      return {
        title: t('The command did not run: its arguments are invalid'),
        ...(error.reason === undefined ? {} : { detail: error.reason }),
        actions: [],
      };
    case 'context-length':
      return contextWords(error, context);
    case 'quota':
      return {
        title: t('The quota or the budget at {0} is used up', host),
        detail: error.serviceMessage ?? t('Ask the administrator of the service, or select another model.'),
        actions: ['selectModel', 'retry'],
      };
    case 'content-filter':
      return {
        title: t('The content filter of the service refused the request'),
        detail: error.serviceMessage ?? t('The same request is refused again. Change the question or its attachments.'),
        actions: ['newChat', 'retry'],
      };
    case undefined:
      return refusedWords(error.status, host, context.model ?? '', error.serviceMessage);
  }
}

/**
 * Describes a request that is too long. `reason` is the window that the settings declare, if the model's window is smaller.
 * A stored error does not have it.
 */
function contextWords(
  { contextTokens, file, reason, serviceMessage }: ServiceError,
  { model, question }: ErrorContext,
): Words {
  return {
    title: model ? t('The request is too long for {0}', model) : t('The request is too long for the model'),
    detail: [
      contextTokens === undefined
        ? ''
        : t('The context window of the model has {0} tokens.', describeNumber(contextTokens)),
      reason === undefined ? '' : declaredWords(Number(reason)),
      helpFor(file, question),
      serviceMessage ?? '',
    ]
      .filter((part) => part !== '')
      .join(' '),
    actions: [
      ...(['removeFile', 'summarize', 'newChat', 'selectModel', 'setModelWindow'] as const),
      ...(reason === undefined ? [] : (['openSettings'] as const)),
    ],
    setting: 'svc.context.windows',
  };
}

function helpFor(file: string | undefined, question: ErrorContext['question']): string {
  if (question === undefined) return t('Send less code, or select a model with a larger context window.');
  return file !== undefined && question.files.includes(file)
    ? t('Remove {0}, start a new chat, or select a model with a larger context window.', file)
    : t('Start a new chat, or select a model with a larger context window.');
}

function refusedWords(
  status: number | undefined,
  host: string,
  model: string,
  serviceMessage: string | undefined,
): Words {
  const detail = serviceMessage === undefined ? {} : { detail: serviceMessage };
  switch (status) {
    case 404:
      return {
        title:
          model === '' ? t('Address not found at {0}', host) : t('Address or model {1} not found at {0}', host, model),
        ...detail,
        actions: ['selectModel', 'openSettings', 'retry'],
      };
    case 413:
      return { title: t('The request is too large for the service'), ...detail, actions: ['newChat'] };
    default:
      return {
        title: t('The service rejected the request ({0})', status ?? 400),
        ...detail,
        actions: ['retry'],
      };
  }
}
