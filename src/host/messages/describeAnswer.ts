import * as vscode from 'vscode';
import type { SettingKey } from '../../policy/settings.ts';
import type { ErrorCode, ServiceError } from '../../util/errors.ts';
import type { Words } from './cardWords.ts';

const t = vscode.l10n.t;

/** An answer that does not match the interface. Only answers that suggest a wrong address link to svc.baseUrl. */
export function protocolWords(error: ServiceError<'protocol'>, host: string): Words {
  const { code, host: other = '', reason, serviceMessage } = error;
  switch (code) {
    case 'tool-call':
      return {
        title: t('The answer calls a tool in a way that is not the Svc interface’s'),
        detail: t('No tool was run for it.'),
        actions: ['retry'],
      };
    case 'tool-call-cut':
      return {
        title:
          reason === 'content_filter'
            ? t('The content filter cut the answer while it called a tool')
            : t('The answer was cut at the length limit while it called a tool'),
        detail: t('No tool was run for it. Ask for less at once, or look at svc.request.maxTokens.'),
        actions: ['retry', 'openSettings'],
        setting: 'svc.request.maxTokens',
      };
    case 'too-long':
      return {
        title: t('The answer is too large to be read'),
        detail: t('{0} sent more than an answer of the Svc interface can be. It was not read to its end.', host),
        actions: ['retry', 'checkHealth'],
      };
    case 'empty':
    case 'no-choices':
    case 'no-content':
      return emptyWords(host);
    case 'no-code':
      return {
        title: t('The answer has nothing in it that could be used here'),
        detail: t('Nothing was changed. Ask again, or say more about what you want.'),
        actions: ['retry'],
      };
    case 'cut':
    case 'filtered':
      return {
        title:
          code === 'cut'
            ? t('The answer reached its greatest length and was cut off')
            : t('The content filter of the service ended the answer'),
        detail: t('Part of an answer is not used. Nothing was changed.'),
        actions: ['retry'],
      };
    case 'unclear-code':
      return {
        title: t('Which code of the answer is for which place cannot be told'),
        detail: t('Its blocks of code ({0}) are not those that were asked for. Nothing was changed.', reason ?? ''),
        actions: ['retry'],
      };
    case 'misplaced-code':
      return {
        title: t('The answer has only a part of the code, and where it belongs cannot be told'),
        detail: t('What stands around the parts it left out is not in this code. Nothing was changed.'),
        actions: ['retry'],
      };
    case 'redirect':
      return {
        title: t('{0} points to another address, {1}', host, other),
        detail: t('Nothing was sent there. Check svc.baseUrl.'),
        actions: ['openSettings'],
      };
    case 'html':
      return {
        title: t('The answer is a web page, not one of the Svc interface'),
        detail: t('A sign-in page of the network may stand before the service. If not, check svc.baseUrl.'),
        actions: ['retry', 'openSettings'],
      };
    case 'status':
    case 'content-type':
    case 'content-coding':
    case 'malformed':
    case undefined:
      return {
        title: t('The answer was not one of the Svc interface'),
        detail:
          serviceMessage ??
          t('Check that svc.baseUrl is the address of the service and that no sign-in page stands before it.'),
        actions: ['retry', 'openSettings'],
      };
  }
}

/** An answer that exceeded one of our time limits, which are settings. */
export function timeoutWords({ code }: ServiceError<'timeout'>, host: string): Words {
  const title = t('{0} did not answer in time', host);
  const setting = limitSetting(code);
  if (setting === undefined) return { title, actions: ['retry', 'checkHealth'] };
  const detail = t('How long it may take is the setting {0}.', setting);
  return { title, detail, actions: ['retry', 'checkHealth', 'openSettings'], setting };
}

function limitSetting(code: ErrorCode<'timeout'> | undefined): SettingKey | undefined {
  switch (code) {
    case 'first-token':
      return 'svc.request.timeout.firstToken';
    case 'stall':
      return 'svc.request.timeout.betweenBytes';
    case 'attempts':
    case 'answer':
      return `svc.request.timeout.${code}`;
    case 'trailing':
    case 'check':
    case 'names':
    case undefined:
      return undefined;
  }
}

/** An answer that ended early. */
export function interruptedWords(
  { code, serviceMessage }: ServiceError<'interrupted'>,
  host: string,
  hasText: boolean,
): Words {
  if (code === 'end' && !hasText) return emptyWords(host);
  const detail = serviceMessage ?? (hasText ? t('What came before is kept.') : undefined);
  return { title: interruptedTitle(code), ...(detail === undefined ? {} : { detail }), actions: ['retry'] };
}

function interruptedTitle(code: ErrorCode<'interrupted'> | undefined): string {
  switch (code) {
    case 'too-long':
      return t('The answer is longer than the maximum');
    case 'window-closed':
      return t('The window was closed before the answer was complete');
    case 'malformed':
      return t('The answer broke off: what followed is not of the Svc interface');
    case 'error-event':
      return t('The answer broke off: the service reported an error');
    case 'end':
    case 'reset':
    case undefined:
      return t('The answer broke off');
    default:
      code satisfies ErrorCode<'timeout'>;
      return t('The answer broke off: what followed did not come in time');
  }
}

function emptyWords(host: string): Words {
  return {
    title: t('The answer is empty'),
    detail: t('{0} took the request and sent no text. Try again, or another model.', host),
    actions: ['retry', 'selectModel'],
  };
}
