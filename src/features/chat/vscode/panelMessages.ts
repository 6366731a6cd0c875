import * as vscode from 'vscode';
import { cardOfCall, Refusal } from '../../../platform/pages/callError.ts';
import type { Card, CardAction, PanelMessage } from '../../../protocol/card.ts';
import { Disposable } from '../../../util/disposable.ts';
import { isServiceError } from '../../../util/errors.ts';

/** The id of the message about the last refused action. */
export const refusalId = 'refusal';

/** The ids of the last command's messages: its result, a warning, the result of a review, and a short note. */
export const outcomeIds = {
  end: 'outcome',
  warning: 'outcome-warning',
  review: 'outcome-review',
  hint: 'hint',
} as const;

/** The actions of the buttons of a message that have no command. */
export type Does = Partial<Readonly<Record<CardAction['id'], () => unknown>>>;

/**
 * Messages that the panel shows beside the conversation until the user closes them or they no longer apply. A message
 * replaces an earlier one with the same `id`.
 */
export class PanelMessages extends Disposable {
  readonly #changed = this._register(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#changed.event;
  #shown: readonly PanelMessage[] = [];
  /** The actions by the id of the message. */
  readonly #does = new Map<string, Does>();
  /** The topics of the messages that keep() has shown and that still apply, by their IDs. */
  readonly #topics = new Map<string, string>();

  get shown(): readonly PanelMessage[] {
    return this.#shown;
  }

  show(id: string, card: Card, does: Does = {}): void {
    this.#does.set(id, does);
    const isShown = this.#shown.some((message) => message.id === id);
    const message = { id, card };
    this.#set(isShown ? this.#shown.map((old) => (old.id === id ? message : old)) : [...this.#shown, message]);
  }

  /**
   * Shows a message that applies until this is called with null. While it is shown, its words are updated. After the user has
   * closed it, it is shown again only for another topic.
   */
  keep(id: string, card: Card | null, topic = ''): void {
    const isOther = this.#topics.get(id) !== topic;
    if (card === null) {
      this.#topics.delete(id);
      this.dismiss(id);
      return;
    }
    this.#topics.set(id, topic);
    const shown = this.#shown.find((message) => message.id === id)?.card;
    if (isOther || (shown !== undefined && shown.title !== card.title)) this.show(id, card);
  }

  /** Performs the action of a button of a message. Returns false if the message does not implement it. */
  perform(id: string, action: CardAction['id']): boolean {
    const run = this.#does.get(id)?.[action];
    run?.();
    return run !== undefined;
  }

  dismiss(...ids: readonly string[]): void {
    for (const id of ids) this.#does.delete(id);
    const remaining = this.#shown.filter(({ id }) => !ids.includes(id));
    if (remaining.length < this.#shown.length) this.#set(remaining);
  }

  /** Called when the user begins an action in the panel: the messages of the last action no longer apply. */
  onAction(): void {
    this.dismiss(refusalId, outcomeIds.hint);
  }

  /** Runs an action of the user in the panel. An error is shown there until the next action. */
  async answering(work: () => Promise<void>): Promise<void> {
    this.onAction();
    try {
      await work();
    } catch (error) {
      const card = cardOfCall(error);
      const offers = error instanceof Refusal ? error.offers : [];
      // An offered action is an action of the user, too.
      const does = offers.map(({ id, run }) => [id, () => this.answering(async () => void (await run()))] as const);
      if (card !== null) this.show(refusalId, card, Object.fromEntries(does));
      // The channel logs an error in our own code.
      if (!(error instanceof Refusal || isServiceError(error))) throw error;
    }
  }

  #set(messages: readonly PanelMessage[]): void {
    this.#shown = messages;
    this.#changed.fire();
  }
}
