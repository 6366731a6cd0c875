import * as vscode from 'vscode';
import type { Dispatch } from '../../send/dispatch.ts';
import type { DispatchEvent } from '../../send/withAuditOutcome.ts';
import { asText } from './asText.ts';
import { describeError } from './errors/describeError.ts';
import { showHint } from './hint.ts';
import type { WorkLine } from './panelPlace.ts';

const t = vscode.l10n.t;

type Batch = readonly DispatchEvent[];
type RetryWait = Extract<DispatchEvent, { type: 'retry-wait' }>;

/** Shows the user that a request waits before a retry, and offers Cancel. */
export interface WaitView {
  /** Shows a line, which is updated about once a second. It is null when the request was answered or has ended. */
  show(line: WorkLine | null): void;
  /** The minimum duration in milliseconds of a wait that is shown. */
  readonly minMs?: number;
}

/** Functions that end the current waits early, except those in the panel, whose card has its own button. */
const currentWaits = new Set<() => void>();

/** Sends the waiting requests immediately, ignoring the delay that the service asked for. */
export function retryNow(): { readonly ok: boolean } {
  const waiting = [...currentWaits];
  for (const skipWait of waiting) skipWait();
  if (waiting.length === 0) showHint(t('No request is waiting.'));
  return { ok: waiting.length > 0 };
}

/** Wraps `dispatch`: requests that wait before a retry count down in `view`. */
export function showingWaits(dispatch: Dispatch, view: WaitView): Dispatch {
  return {
    ...dispatch,
    async send(...about) {
      const sent = await dispatch.send(...about);
      return { ...sent, events: withWaits(sent.events, view) };
    },
  };
}

async function* withWaits(events: AsyncIterable<Batch>, view: WaitView): AsyncGenerator<Batch> {
  let end = (): void => {};
  try {
    for await (const batch of events) {
      end();
      end = () => {};
      for (const event of batch) if (event.type === 'retry-wait') end = begin(event, view);
      yield batch;
    }
  } finally {
    end();
  }
}

function begin({ delayMs, error, retryNow: sendNow }: RetryWait, view: WaitView): () => void {
  if (delayMs < (view.minMs ?? 0)) return () => {};
  let until = Date.now() + delayMs;
  const why = describeError(error, { canRetry: false, canContinue: false })?.title ?? '';
  const tick = (): void => view.show(lineOf(why, until - Date.now()));
  const skipWait = (): void => {
    until = 0;
    sendNow();
    tick();
  };
  const timer = setInterval(tick, 1000);
  currentWaits.add(skipWait);
  noteWaiting();
  tick();
  return () => {
    clearInterval(timer);
    currentWaits.delete(skipWait);
    noteWaiting();
    view.show(null);
  };
}

function lineOf(why: string, leftMs: number): WorkLine {
  if (leftMs <= 0) return { words: t('{0}. Retrying…', why) };
  return { words: t('{0}. Retrying in {1} s', why, Math.ceil(leftMs / 1000)), canRetryNow: true };
}

/** Returns the line for a notification, which renders command links; the command is in the palette as well. */
export function notificationLine({ words, canRetryNow }: WorkLine): string {
  return canRetryNow ? `${asText(words)} · [${t('Retry Now')}](command:svc.retryNow)` : asText(words);
}

function noteWaiting(): void {
  void vscode.commands.executeCommand('setContext', 'svc.isWaiting', currentWaits.size > 0);
}

/**
 * Returns a view that shows the countdown and Cancel in a notification during a wait. VS Code's own chat needs it, because
 * it has no place for them.
 */
export function waitNotification(cancel: () => void): WaitView {
  let shown: { readonly say: (line: string) => void; readonly end: () => void } | undefined;
  const open = () => {
    const closed = Promise.withResolvers<void>();
    let lastLine = '';
    let progress: vscode.Progress<{ message: string }> | undefined;
    const options = { location: vscode.ProgressLocation.Notification, title: t('Svc is waiting'), cancellable: true };
    void vscode.window.withProgress(options, (own, token) => {
      progress = own;
      own.report({ message: lastLine });
      token.onCancellationRequested(cancel);
      return closed.promise;
    });
    const say = (line: string): void => {
      lastLine = line;
      progress?.report({ message: line });
    };
    return { say, end: () => closed.resolve() };
  };
  return {
    minMs: 1000,
    show(line) {
      if (line === null) {
        shown?.end();
        shown = undefined;
        return;
      }
      shown ??= open();
      shown.say(notificationLine(line));
    },
  };
}
