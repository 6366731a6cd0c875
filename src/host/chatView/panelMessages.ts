import * as vscode from 'vscode';
import type { Card, PanelMessage } from '../../protocol/card.ts';
import { Disposable } from '../../util/disposable.ts';
import { isServiceError } from '../../util/errors.ts';
import { cardOfCall, Refusal } from '../page/callError.ts';

/** The id of the message about the last refused action. */
export const refusalId = 'refusal';

/** The ids of the last command's messages: its result, and a warning. */
export const outcomeIds = { end: 'outcome', warning: 'outcome-warning' } as const;

/**
 * Messages that the panel shows beside the conversation until the user closes them or they no longer apply. A message
 * replaces an earlier one with the same `id`.
 */
export class PanelMessages extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #shown: readonly PanelMessage[] = [];

  get shown(): readonly PanelMessage[] {
    return this.#shown;
  }

  show(id: string, card: Card): void {
    this.#set([...this.#shown.filter((message) => message.id !== id), { id, card }]);
  }

  dismiss(...ids: readonly string[]): void {
    const left = this.#shown.filter(({ id }) => !ids.includes(id));
    if (left.length < this.#shown.length) this.#set(left);
  }

  /** Runs an action of the user in the panel. An error is shown there until the next action. */
  async answering(work: () => Promise<void>): Promise<void> {
    this.dismiss(refusalId);
    try {
      await work();
    } catch (error) {
      const card = cardOfCall(error);
      if (card !== null) this.show(refusalId, card);
      // The channel logs a fault of our own.
      if (!(error instanceof Refusal || isServiceError(error))) throw error;
    }
  }

  #set(messages: readonly PanelMessage[]): void {
    this.#shown = messages;
    this.#changed.fire();
  }
}
