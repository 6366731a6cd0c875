import * as vscode from 'vscode';
import { describeError } from '../../../platform/messages/errors/describeError.ts';
import { asServiceError, withFacts } from '../../../util/errors.ts';
import { languageModelErrorCode } from './errorCode.ts';
import { withoutNames } from './withoutNames.ts';

const t = vscode.l10n.t;

/**
 * Converts any error to VS Code's error type with our own message. VS Code logs the errors of a provider, so the service's
 * message, which may quote the request, is not included, nor is the message of an internal error.
 */
export function toLanguageModelError(thrown: unknown, model: string): Error {
  const error = asServiceError(thrown);
  if (error.kind === 'aborted') return vscode.LanguageModelError.Blocked(t('Not sent. You canceled the request.'));
  const withoutMessage = error.serviceMessage === undefined ? error : withFacts(error, { serviceMessage: undefined });
  const card = describeError(withoutNames(withoutMessage), { model, canRetry: false, canContinue: false });
  const message = [card?.title, card?.detail].filter((words) => words !== undefined).join('. ');
  const code = languageModelErrorCode(error);
  return code === null ? new Error(message) : vscode.LanguageModelError[code](message);
}
