import * as vscode from 'vscode';
import type { CardAction } from '../../protocol/card.ts';
import { asServiceError, codeOf, isServiceError, ServiceError } from '../../util/errors.ts';
import type { Logger } from '../../util/logger.ts';
import { isPanelAction, performAction } from './actions.ts';
import { asText } from './asText.ts';
import { withSignal } from './cancellation.ts';
import { actionLabel, cardText } from './cardWords.ts';
import { describeError } from './errors/describeError.ts';
import { panelPlace, type ShownWork } from './panelPlace.ts';
import { showError } from './show.ts';
import { notificationLine, type WaitView } from './waits.ts';

/** The result that a failed command returns to a keybinding or other code. */
export interface Failure {
  readonly ok: false;
  readonly error: Pick<ServiceError, 'kind' | 'status' | 'requestId'> & {
    /** The error code of the extension, the system or the service. */
    readonly code: string | undefined;
    /** The argument of the command that is invalid, and the allowed values. */
    readonly reason?: string;
  };
}

/**
 * Runs long work that the user can cancel. A ServiceError becomes a message with actions and a Failure; a
 * cancellation is silent.
 */
export async function withErrorReporting<T extends { readonly ok: true }>(
  title: string,
  host: string,
  work: Work<T>,
): Promise<T | Failure> {
  try {
    return await withProgress(title, work);
  } catch (error) {
    if (!isServiceError(error)) throw error;
    // This is not awaited: the command has ended and must not wait for the user's reaction to the message.
    void showFailure(error, host, () => withErrorReporting(title, host, work));
    return failureOf(error);
  }
}

/** Runs the preparation of a command: an error becomes a message and a Failure, a cancellation is silent. */
export async function orFailure<T>(work: () => Promise<T>): Promise<T | Failure> {
  try {
    return await work();
  } catch (error) {
    if (!isServiceError(error)) throw error;
    void showFailure(error, '');
    return failureOf(error);
  }
}

/**
 * Converts any error to one that orFailure() reports. An internal error is logged with its stack, but without its original
 * message, which could quote anything.
 */
export function asLogged(thrown: unknown, log: Pick<Logger, 'error'>): ServiceError {
  const error = asServiceError(thrown);
  if (error.kind === 'internal' && thrown instanceof Error) {
    const frames = thrown.stack?.split('\n').filter((line) => /^\s+at /.test(line)) ?? [];
    log.error([error.message, ...frames].join('\n'));
  }
  return error;
}

export function failureOf(error: ServiceError): Failure {
  const { kind, code, status, requestId, reason } = error;
  const wrong = code === 'wrong-argument' && reason !== undefined ? { reason } : {};
  return { ok: false, error: { kind, code: codeOf(error), status, requestId, ...wrong } };
}

/** Returns the failure for a prompt that the user dismissed. */
export function notAsked(): Failure {
  return failureOf(new ServiceError('aborted', 'Nothing was asked.', { code: 'aborted' }));
}

let beforeRetry: (error: ServiceError) => void = () => undefined;

/** Sets the function that is called before a command runs again because the user chose Retry below its error. */
export function setBeforeRetry(next: (error: ServiceError) => void): void {
  beforeRetry = next;
}

/**
 * Shows an error of a command with its actions: in the panel while it is visible, otherwise in a message of VS Code, which
 * keeps an error with a button until the user closes it.
 */
export async function showFailure(error: ServiceError, host: string, retry?: () => unknown): Promise<void> {
  const card = describeError(error, { host, canRetry: retry !== undefined, canContinue: false });
  if (card === null) return;
  const retryCommand =
    retry === undefined
      ? undefined
      : () => {
          beforeRetry(error);
          return retry();
        };
  const panel = panelPlace();
  if (panel !== undefined) return panel.fail(card, retryCommand);
  const actions = card.actions.length > 0 ? card.actions : [{ id: 'showLog', label: actionLabel('showLog') } as const];
  const chosen = await showError(cardText(card), ...actions.map(({ label }) => label));
  const action: CardAction | undefined = actions.find(({ label }) => label === chosen);
  if (action === undefined) return;
  if (action.id === 'retry') await retryCommand?.();
  else if (!isPanelAction(action.id)) await performAction(action.id, action.setting);
}

/** Reports the progress of long work: a message, and the additional percentage done. */
type Report = (message: string, increment: number) => void;

type Work<T> = (signal: AbortSignal, report: Report, waits: WaitView) => Promise<T>;

/**
 * Runs work that the user can cancel. They see its progress, and the countdown of a wait: in the panel while it is visible,
 * otherwise in a notification.
 */
export function withProgress<T>(title: string, work: Work<T>): PromiseLike<T> {
  const panel = panelPlace();
  if (panel === undefined) return inNotification(title, work);
  const controller = new AbortController();
  return inPanel(
    panel.begin(title, () => controller.abort()),
    controller.signal,
    work,
  );
}

async function inPanel<T>({ show, end }: ShownWork, signal: AbortSignal, work: Work<T>): Promise<T> {
  let lastMessage = '';
  const report: Report = (words) => {
    lastMessage = words;
    show({ words });
  };
  try {
    return await work(signal, report, { show: (line) => show(line ?? { words: lastMessage }) });
  } finally {
    end();
  }
}

function inNotification<T>(title: string, work: Work<T>): PromiseLike<T> {
  const options = { location: vscode.ProgressLocation.Notification, title: asText(title), cancellable: true };
  return vscode.window.withProgress(options, (progress, token) => {
    let lastMessage = '';
    const report: Report = (message, increment) => {
      lastMessage = asText(message);
      progress.report({ message: lastMessage, increment });
    };
    const waits: WaitView = {
      show: (line) => progress.report({ message: line === null ? lastMessage : notificationLine(line) }),
    };
    return withSignal(token, (signal) => work(signal, report, waits));
  });
}
