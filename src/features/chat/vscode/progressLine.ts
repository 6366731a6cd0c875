import * as vscode from 'vscode';
import type { Session } from '../../../session/session.ts';
import { chatViewId } from './chatViewId.ts';

/** Shows VS Code's progress line at the top of the panel while a request is under way. */
export function showProgressLine(session: Pick<Session, 'onDidChange'>): vscode.Disposable {
  let end: (() => void) | undefined;
  const stop = (): void => {
    end?.();
    end = undefined;
  };
  const listening = session.onDidChange((event) => {
    if (event.type !== 'busy-changed') return;
    stop();
    if (!event.busy) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    end = resolve;
    void vscode.window.withProgress({ location: { viewId: chatViewId } }, () => promise);
  });
  return vscode.Disposable.from(listening, { dispose: stop });
}
