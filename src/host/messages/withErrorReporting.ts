import * as vscode from 'vscode';
import type { CardAction } from '../../protocol/messages.ts';
import { isServiceError, ServiceError } from '../../util/errors.ts';
import { asText } from '../asText.ts';
import { withSignal } from '../cancellation.ts';
import type { WaitView } from '../confirm/waits.ts';
import { showError } from '../messages.ts';
import { performAction } from './actions.ts';
import { actionLabel } from './cardWords.ts';
import { describeError } from './describeError.ts';

/** What a command returns to a keybinding or other code when it did not work. */
export interface Failure {
  readonly ok: false;
  readonly error: Pick<ServiceError, 'kind' | 'code' | 'status' | 'requestId'> & {
    /** Which argument of the command was wrong, and what is allowed there. */
    readonly reason?: string;
  };
}

/**
 * Runs long work under a notification that can be cancelled. A ServiceError becomes a message with what to do and a
 * Failure; a cancel is silent.
 */
export async function withErrorReporting<T extends { readonly ok: true }>(
  title: string,
  host: string,
  work: (signal: AbortSignal, report: Report, waits: WaitView) => Promise<T>,
): Promise<T | Failure> {
  try {
    return await withProgress(title, work);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // Not awaited: the command is done; what the user does about the message is another matter.
    void showFailure(error, host, () => withErrorReporting(title, host, work));
    return failureOf(error);
  }
}

/** What a command returns where it could not begin: an error becomes a message and a Failure, a cancel is silent. */
export async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
}

export function failureOf({ kind, code, status, requestId, reason }: ServiceError): Failure {
  const wrong = code === 'wrong-argument' && reason !== undefined ? { reason } : {};
  return { ok: false, error: { kind, code, status, requestId, ...wrong } };
}

/** A person was asked, and wanted nothing after all. */
export function notAsked(): Failure {
  return failureOf(new ServiceError('aborted', 'Nothing was asked.', { code: 'aborted' }));
}

/** Shows an error outside the panel, with its actions. VS Code leaves an error there as long as it has a button. */
export async function showFailure(error: ServiceError, host: string, retry?: () => unknown): Promise<void> {
  const card = describeError(error, { host, canRetry: retry !== undefined, canContinue: false });
  if (card === null) return;
  const text = card.detail === undefined ? card.title : `${card.title}. ${card.detail}`;
  const actions = card.actions.length > 0 ? card.actions : [{ id: 'showLog', label: actionLabel('showLog') } as const];
  const chosen = await showError(text, ...actions.map(({ label }) => label));
  const action: CardAction | undefined = actions.find(({ label }) => label === chosen);
  if (action === undefined) return;
  if (action.id === 'retry') await retry?.();
  else if (action.id !== 'continue') await performAction(action.id, action.setting);
}

/** Of long work, how far it has come: what to say, and how many more hundredths are done. */
export type Report = (message: string, increment: number) => void;

/** Runs work under a notification with Cancel, which also says how far it has come and counts down its waits. */
export function withProgress<T>(
  title: string,
  work: (signal: AbortSignal, report: Report, waits: WaitView) => Promise<T>,
): Thenable<T> {
  const options = { location: vscode.ProgressLocation.Notification, title: asText(title), cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    let said = '';
    const report: Report = (message, increment) => {
      said = asText(message);
      progress.report({ message: said, increment });
    };
    const waits: WaitView = { show: (line) => progress.report({ message: line ?? said }) };
    return withSignal(token, (signal) => work(signal, report, waits));
  });
}
