import * as vscode from 'vscode';
import { retentionOf } from '../../../../platform/confirm/keptOnDisk.ts';
import { describeError } from '../../../../platform/messages/errors/describeError.ts';
import type { Retention } from '../../../../platform/settings/requestContextReader.ts';
import type { Card } from '../../../../protocol/card.ts';
import { allTurns } from '../../../../session/conversation/branches.ts';
import type { Conversation } from '../../../../session/conversation/conversation.ts';
import type { Session } from '../../../../session/session.ts';
import type { SessionEvent } from '../../../../session/sessionEvent.ts';
import type { StoreNotice } from '../../../../store/conversations/conversationReader.ts';
import type { ConversationStore } from '../../../../store/conversations/conversations.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { isServiceError } from '../../../../util/errors.ts';
import type { Logger } from '../../../../util/logger.ts';
import type { PanelMessages } from '../panelMessages.ts';

const t = vscode.l10n.t;
const shownKey = 'svc.conversation';
/** The interval in milliseconds at which a streaming answer is saved. A crash loses at most the text of one interval. */
const saveEveryMs = 1000;

interface HistoryParts {
  readonly session: Session;
  readonly store: ConversationStore;
  /** Stores the ID of the shown conversation. */
  readonly state: vscode.Memento;
  /** Whether the policy for these folders allows content on the disk. Called each time. */
  readonly retention: (folders: readonly string[]) => Retention;
  /** Shows the user what happened to the conversation. */
  readonly messages: PanelMessages;
  readonly logger: Logger;
}

/**
 * Saves the conversation of the session, except under zero retention. A conversation that started without zero
 * retention and continues with it is removed from the disk, and the user is told.
 */
export class HistoryKeeper extends Disposable {
  readonly #parts: HistoryParts;
  #timer: NodeJS.Timeout | undefined;
  /** IDs of conversations that are not on the disk because of zero retention. */
  readonly #forgotten = new Set<string>();

  constructor(parts: HistoryParts) {
    super();
    this.#parts = parts;
    this._register(parts.session.onDidChange((event) => this.#onSession(event)));
    this._register(
      parts.store.onDidNotice((notice) =>
        parts.messages.show(`notice ${notice.file}`, messageCard('warning', noticeWords(notice))),
      ),
    );
    this._register({ dispose: () => clearTimeout(this.#timer) });
  }

  /** Shows the conversation that was shown when the window was closed, if it was saved. */
  async restore(): Promise<void> {
    const { state, store, session, logger } = this.#parts;
    const id = state.get<string>(shownKey);
    if (id === undefined || session.conversation.turns.length > 0) return;
    try {
      const conversation = await store.load(id);
      // The user may have asked a question while the conversation was read.
      if (conversation === undefined || session.conversation.turns.length > 0) return;
      session.open(conversation);
    } catch {
      logger.warn('The last conversation could not be read.');
    }
  }

  /** Checks again whether the shown conversation may be on the disk. Called when a setting changes. */
  reconsider(): void {
    this.#keep(this.#parts.session.conversation);
  }

  /** Writes everything pending to the disk, as far as that is allowed. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#keep(this.#parts.session.conversation);
    await this.#parts.store.flush().catch(() => undefined);
  }

  #onSession(event: SessionEvent): void {
    switch (event.type) {
      case 'delta':
        this.#timer ??= setTimeout(() => {
          this.#timer = undefined;
          this.#keep(this.#parts.session.conversation);
        }, saveEveryMs);
        return;
      case 'conversation-left':
        // These messages are about this conversation.
        this.#parts.messages.dismiss(...Object.values(messageIds));
        this.#keep(event.conversation);
        return;
      case 'conversation-changed':
      case 'turn-added':
      case 'turn-changed':
      case 'model-changed':
      case 'mode-changed':
        this.#keep(this.#parts.session.conversation);
        return;
      case 'busy-changed':
      case 'thinking':
        return;
    }
  }

  #keep(conversation: Conversation): void {
    const { state, retention, session } = this.#parts;
    if (conversation.turns.length === 0) return;
    if (this.#forgotten.has(conversation.id)) return;
    const isShown = conversation.id === session.conversation.id;
    // All branches are in one file.
    switch (retentionOf(allTurns(conversation), { retention })) {
      case 'keep':
        if (isShown && state.get(shownKey) !== conversation.id) void state.update(shownKey, conversation.id);
        void this.#save(conversation);
        return;
      case 'none':
        if (isShown && state.get(shownKey) !== undefined) void state.update(shownKey, undefined);
        this.#forgotten.add(conversation.id);
        void this.#forget(conversation.id);
        return;
      case 'unknown':
        // The policy is unknown, so nothing is written or deleted.
        return;
    }
  }

  async #save(conversation: Conversation): Promise<void> {
    const { store, session, messages, logger } = this.#parts;
    try {
      const isKept = await store.save(conversation);
      messages.dismiss(messageIds.notSaved);
      // Another window deleted the file: only this window still has the conversation.
      if (isKept || this.#forgotten.has(conversation.id)) return;
      this.#forgotten.add(conversation.id);
      if (conversation.id !== session.conversation.id) return;
      const words = t('This conversation was deleted in another window. It is no longer saved.');
      messages.show(messageIds.deleted, messageCard('info', words));
    } catch (error) {
      logger.warn('A conversation could not be saved.');
      if (!isServiceError(error)) return;
      // The message stays until saving works again.
      const card = describeError(error, { host: '', canRetry: false, canContinue: false });
      if (card !== null) messages.show(messageIds.notSaved, card);
    }
  }

  async #forget(id: string): Promise<void> {
    const { store, session, messages } = this.#parts;
    const isShown = (): boolean => id === session.conversation.id;
    try {
      if (!(await store.delete(id))) return;
      const words = isShown()
        ? t('Zero retention is on now. This conversation was removed from the disk and is no longer saved.')
        : t(
            'Zero retention is on now. The earlier part of this conversation was removed from the disk and is no longer saved.',
          );
      messages.show(messageIds.removed, messageCard('info', words));
    } catch {
      const words = isShown()
        ? t('Zero retention is on now, but this conversation could not be removed from the disk.')
        : t('Zero retention is on now, but the earlier part of this conversation could not be removed from the disk.');
      messages.show(messageIds.removed, messageCard('error', words));
    }
  }
}

/** IDs of messages about the shown conversation. */
const messageIds = { deleted: 'deleted', removed: 'removed', notSaved: 'not-saved' } as const;

function messageCard(severity: Card['severity'], title: string): Card {
  return { severity, title, actions: [] };
}

function noticeWords({ reason, file }: StoreNotice): string {
  switch (reason) {
    case 'damaged':
      return t('A conversation file is damaged and was moved aside: {0}. The other conversations are available.', file);
    case 'newer':
      return t('A newer version of Svc Coder wrote this conversation, so it was not opened: {0}.', file);
    case 'unreadable':
      return t('Could not read a conversation: {0}. The other conversations are available.', file);
  }
}
