import * as vscode from 'vscode';

/** The steps of the walkthrough. */
export type FirstStep = 'connected' | 'asked' | 'changed' | 'looked';

const done = new vscode.EventEmitter<FirstStep>();
/** Fires when any feature has marked a step of the walkthrough as done. */
export const onDidFirstStep = done.event;

/** Marks a step as done. It is called on success only, so that a failed command does not complete a step. */
export function stepDone(step: FirstStep): void {
  done.fire(step);
}
