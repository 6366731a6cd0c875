import * as vscode from 'vscode';
import { type HelperFault, type HelperField, type ServiceError, systemFaults } from '../../../util/errors.ts';
import { asText } from '../asText.ts';
import type { Words } from '../cardWords.ts';

const t = vscode.l10n.t;

/** Describes why a credential helper gave no key, and who can change that. A stored error has no details. */
export function helperWords({ details: { helper } }: ServiceError<'auth'>, host: string): Words {
  const title = t('The credential helper gave no API key for {0}', host);
  if (helper === undefined) return { title, actions: ['retry'] };
  const { program, by, fault, said } = helper;
  const detail = [
    faultWords(fault, program),
    said === '' ? '' : t('Its error output begins with: {0}', asText(said)),
    by === 'managed' ? t('The managed policy names this program: show this message to your administrator.') : '',
  ];
  return {
    title,
    detail: detail.filter((words) => words !== '').join(' '),
    actions: ['retry', by === 'managed' ? 'showPolicy' : 'openSettings'],
    setting: 'svc.credentialHelper',
  };
}

/** Describes a refusal of what a credential helper gives. */
export function refusedKeyWords({ serviceMessage }: ServiceError<'auth'>, host: string): Words {
  const help = t('Sign in again with the credential helper, or ask its administrator.');
  return {
    title: t('The API key of the credential helper was not accepted'),
    detail: serviceMessage === undefined ? `${t('{0} answered 401.', host)} ${help}` : `${serviceMessage} ${help}`,
    actions: ['retry', 'openSettings'],
    setting: 'svc.credentialHelper',
  };
}

function faultWords(fault: HelperFault, program: string): string {
  switch (fault.is) {
    case 'not-started':
      return notStartedWords(fault.code, program);
    case 'exit':
      return t('{0} ended with exit code {1}. Run it in a terminal to see why.', program, fault.code);
    case 'signal':
      return t('{0} was ended by {1}. Run it in a terminal to see why.', program, fault.name);
    case 'writable':
      return t(
        '{0} is not started, because you can write {1}. Only an administrator may be able to write the program and its folders.',
        program,
        fault.path,
      );
    case 'late':
      return t(
        '{0} did not end within {1} s and was stopped. Run it in a terminal to see why.',
        program,
        fault.seconds,
      );
    case 'no-lock':
      return t('{0} was not started: Svc Coder cannot write to VS Code’s global storage ({1}).', program, fault.code);
    case 'too-long':
      return t('{0} printed more than 64 KiB and was stopped. {1}', program, outputWords());
    case 'not-json':
      return t('The output of {0} cannot be used. {1}', program, outputWords());
    case 'wrong-field':
      return t('The output of {0} cannot be used: {1}.', program, fieldWords(fault.field));
    case 'expired':
      return t(
        'The key that {0} printed expired at {1}. Sign in again, or check the clock of this machine.',
        program,
        new Date(fault.at).toISOString(),
      );
  }
}

function notStartedWords(code: string, program: string): string {
  switch (systemFaults.find((fault) => fault === code)) {
    case 'ENOENT':
      return t('{0} does not exist. Install it, or correct its path.', program);
    case 'EACCES':
    case 'EPERM':
    case 'EISDIR':
      return t('{0} cannot be started. It must be a program that you may execute.', program);
    case undefined:
      return t('{0} did not start ({1}).', program, code);
  }
}

function outputWords(): string {
  return t('It must print one JSON object in UTF-8 and nothing else, such as {0}.', '{ "key": "…" }');
}

function fieldWords(field: HelperField): string {
  switch (field) {
    case 'key':
      return t('{0} must be a string of visible ASCII characters, without a space or a line break', '"key"');
    case 'expiresAt':
      return t('{0} must be a time with its zone, such as {1}', '"expiresAt"', '2026-11-26T10:00:00Z');
    case 'subject':
      return t('{0} must be a text of at most {1} characters on one line', '"subject"', 200);
    case 'visit':
      return t('{0} must be an {1} address without a user name', '"visit"', 'https');
    case 'code':
      return t('{0} must be a text of at most {1} characters on one line', '"code"', 100);
    case 'other':
      return t('allowed are {0}, and on a first line {1}', '"key", "expiresAt", "subject"', '"visit", "code"');
  }
}
