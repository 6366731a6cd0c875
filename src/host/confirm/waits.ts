import * as vscode from 'vscode';
import type { Dispatch } from '../../session/dispatch/dispatch.ts';
import type { DispatchEvent } from '../../session/dispatch/withAuditOutcome.ts';
import { asText } from '../asText.ts';
import { describeError } from '../messages/describeError.ts';

const t = vscode.l10n.t;

type Batch = readonly DispatchEvent[];
type RetryWait = Extract<DispatchEvent, { type: 'retry-wait' }>;

/** Where the user sees that a request waits before it is sent again. Whoever has one offers Cancel, too. */
export interface WaitView {
  /** A line for now, about each second another; null when the request was answered or has ended. */
  show(line: string | null): void;
  /** A shorter wait than this, in milliseconds, is not worth what it would open. */
  readonly leastMs?: number;
}

/** The waits that are under way outside the panel, whose card has a button of its own. */
const underWay = new Set<() => void>();

/** Sends what waits at once. What the service asked for is then no longer waited for. */
export function retryNow(): { readonly ok: boolean } {
  const waiting = [...underWay];
  for (const hurry of waiting) hurry();
  return { ok: waiting.length > 0 };
}

/** The same door, whose requests count down in `view` while they wait before they are sent again. */
export function showingWaits(dispatch: Dispatch, view: WaitView): Dispatch {
  return {
    preview: (outgoing) => dispatch.preview(outgoing),
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

function begin({ delayMs, error, retryNow: hurryUp }: RetryWait, view: WaitView): () => void {
  if (delayMs < (view.leastMs ?? 0)) return () => {};
  let until = Date.now() + delayMs;
  const why = describeError(error, { canRetry: false, canContinue: false })?.title ?? '';
  const tick = (): void => view.show(lineOf(why, until - Date.now()));
  const hurry = (): void => {
    until = 0;
    hurryUp();
    tick();
  };
  const timer = setInterval(tick, 1000);
  underWay.add(hurry);
  noteWaiting();
  tick();
  return () => {
    clearInterval(timer);
    underWay.delete(hurry);
    noteWaiting();
    view.show(null);
  };
}

/** Notifications make links of commands; the command is in the palette, too. */
function lineOf(why: string, leftMs: number): string {
  const words = asText(why);
  if (leftMs <= 0) return t('{0}. Retrying…', words);
  const button = `[${t('Retry now')}](command:svc.retryNow)`;
  return t('{0}. Retrying in {1} s · {2}', words, Math.ceil(leftMs / 1000), button);
}

function noteWaiting(): void {
  void vscode.commands.executeCommand('setContext', 'svc.isWaiting', underWay.size > 0);
}

/** A notification with the countdown and Cancel, for as long as a wait is: VS Code's own chat has no place for them. */
export function waitNotification(cancel: () => void): WaitView {
  let shown: { readonly say: (line: string) => void; readonly end: () => void } | undefined;
  const open = () => {
    const over = Promise.withResolvers<void>();
    let said = '';
    let progress: vscode.Progress<{ message: string }> | undefined;
    const options = { location: vscode.ProgressLocation.Notification, title: t('Svc waits'), cancellable: true };
    void vscode.window.withProgress(options, (own, token) => {
      progress = own;
      own.report({ message: said });
      token.onCancellationRequested(cancel);
      return over.promise;
    });
    const say = (line: string): void => {
      said = line;
      progress?.report({ message: line });
    };
    return { say, end: () => over.resolve() };
  };
  return {
    leastMs: 1000,
    show(line) {
      if (line === null) {
        shown?.end();
        shown = undefined;
        return;
      }
      shown ??= open();
      shown.say(line);
    },
  };
}
