import * as vscode from 'vscode';
import type { Card, PanelMessage } from '../../protocol/card.ts';
import { Disposable } from '../../util/disposable.ts';
import { asServiceError, isServiceError } from '../../util/errors.ts';
import { describeError } from '../messages/describeError.ts';

const nothingMore = { host: '', canRetry: false, canContinue: false } as const;

/** Rejects an action of the user in the panel, which shows the message: it is localised. */
export class Refusal extends Error {}

/** The id of the message about the last refused action. */
export const refusalId = 'refusal';

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

/** null for a cancellation, which shows nothing; undefined for an error that is not meant for the user. */
function cardOf(error: unknown): Card | null | undefined {
  if (error instanceof Refusal) return { severity: 'error', title: error.message, actions: [] };
  return isServiceError(error) ? describeError(error, nothingMore) : undefined;
}

/** The text that the page shows for a failed call: of every error in the user's language, '' for a cancellation. */
export function replyWords(error: unknown): string {
  if (error instanceof Refusal) return error.message;
  return describeError(asServiceError(error), nothingMore)?.title ?? '';
}
