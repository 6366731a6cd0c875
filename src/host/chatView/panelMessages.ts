import * as vscode from 'vscode';
import type { Card, PanelMessage } from '../../protocol/messages.ts';
import { Disposable } from '../../util/disposable.ts';
import { isServiceError } from '../../util/errors.ts';
import { describeError } from '../messages/describeError.ts';

/** Says no to what the user did in the panel; the message, in words, stands there. */
export class Refusal extends Error {}

/** Of the message about what was asked for last and refused. */
export const refusalId = 'refusal';

/**
 * What the panel says beside the conversation, until the user closes it or it holds no more. Of each `id` there is one: what
 * it says later takes the place of what it said.
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

  /** Does what the user asks for in the panel. Why it cannot be done stands there until they ask for something again. */
  async answering(work: () => Promise<void>): Promise<void> {
    this.dismiss(refusalId);
    try {
      await work();
    } catch (error) {
      const card = cardOf(error);
      if (card === undefined) throw error;
      if (card !== null) this.show(refusalId, card);
    }
  }

  #set(messages: readonly PanelMessage[]): void {
    this.#shown = messages;
    this.#changed.fire();
  }
}

/** Nothing to show for a cancel, and undefined for what is no answer to the user. */
function cardOf(error: unknown): Card | null | undefined {
  if (error instanceof Refusal) return { severity: 'error', title: error.message, actions: [] };
  return isServiceError(error) ? describeError(error, { host: '', canRetry: false, canContinue: false }) : undefined;
}
