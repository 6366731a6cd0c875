import * as vscode from 'vscode';

/** The steps of the walkthrough. */
export type FirstStep = 'connected' | 'asked' | 'changed' | 'looked';

const done = new vscode.EventEmitter<FirstStep>();
/** Fires when a step of the walkthrough was done, by whichever feature. */
export const onDidFirstStep = done.event;

/** Marks a step as done. Called on success, so that a failed command does not tick a step. */
export function stepDone(step: FirstStep): void {
  done.fire(step);
}
