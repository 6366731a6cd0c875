import * as vscode from 'vscode';
import type { SessionEvent } from '../session/session.ts';

/**
 * The steps of the walkthrough, each ticked by a context key of this name, which is set where it is known that the step
 * was done: a command that was called and failed ticks nothing. VS Code remembers what is ticked; we keep nothing.
 */
export type FirstStep = 'connected' | 'asked' | 'changed' | 'looked';

export function stepDone(step: FirstStep): void {
  void vscode.commands.executeCommand('setContext', `svc.done.${step}`, true);
}

/** Listens to the session: an answer that came to its end is a question asked, and proves the connection. */
export function tickAsked(event: SessionEvent): void {
  if (event.type === 'turn-changed' && event.turn.status === 'complete') stepDone('asked');
}

export async function showFirstSteps(): Promise<{ readonly ok: true }> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'svc.svc-coder#firstSteps', false);
  return { ok: true };
}
