import * as vscode from 'vscode';
import { type FirstStep, onDidFirstStep, stepDone } from '../../../platform/messages/firstStep.ts';
import type { Session } from '../../../session/session.ts';
import { Disposable } from '../../../util/disposable.ts';

const remembered = 'svc.firstSteps';
/**
 * Ticks the steps of the walkthrough through context keys, and stores which ones are done. VS Code reads the
 * walkthrough when it is first shown, and a key set before that never ticks a step. Steps done earlier therefore use
 * other keys, which are set after the walkthrough is shown.
 */
export class FirstSteps extends Disposable {
  readonly #state: vscode.Memento;

  constructor(state: vscode.Memento, session: Session) {
    super();
    this.#state = state;
    this._register(onDidFirstStep((step) => this.#onStep(step)));
    this._register(
      session.onDidChange((event) => {
        // A complete answer proves that a question was asked and that the connection works.
        if (event.type === 'turn-changed' && event.turn.state.status === 'complete') stepDone('asked');
      }),
    );
  }

  async show(): Promise<{ readonly ok: true }> {
    await vscode.commands.executeCommand('workbench.action.openWalkthrough', 'svc.svc-coder#firstSteps', false);
    for (const step of this.#done()) await tick('before', step);
    return { ok: true };
  }

  #onStep(step: FirstStep): void {
    void tick('done', step);
    const done = this.#done();
    if (!done.includes(step)) void this.#state.update(remembered, [...done, step]);
  }

  #done(): readonly FirstStep[] {
    return this.#state.get<readonly FirstStep[]>(remembered, []);
  }
}

function tick(when: 'done' | 'before', step: FirstStep): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', `svc.${when}.${step}`, true);
}
