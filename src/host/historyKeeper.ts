import * as vscode from 'vscode';
import { allTurns } from '../session/branches.ts';
import { type Conversation, foldersOf } from '../session/conversation.ts';
import type { Session, SessionEvent } from '../session/session.ts';
import type { StoreNotice } from '../store/conversationReader.ts';
import type { ConversationStore } from '../store/conversations.ts';
import { Disposable } from '../util/disposable.ts';
import { isServiceError } from '../util/errors.ts';
import type { Logger } from '../util/logger.ts';
import { showFailure } from './commands/attempt.ts';
import { mayBeKept } from './keptOnDisk.ts';
import type { Retention } from './standing.ts';

const t = vscode.l10n.t;
const shownKey = 'svc.conversation';
/** While an answer streams it is saved this often, in milliseconds: what a crash may cost. */
const saveEveryMs = 1000;

export interface HistoryParts {
  readonly session: Session;
  readonly store: ConversationStore;
  /** Remembers which conversation was shown, by its id. */
  readonly state: vscode.Memento;
  /** Whether the policy for these folders lets content reach the disk. Asked each time. */
  readonly retention: (folders: readonly string[]) => Retention;
  readonly logger: Logger;
}

/**
 * Keeps what the session holds, and keeps it off the disk where zero retention holds: a conversation that was begun
 * without it and is continued with it is removed from the disk, and the person is told.
 */
export class HistoryKeeper extends Disposable {
  readonly #parts: HistoryParts;
  #timer: NodeJS.Timeout | undefined;
  #hasFailed = false;
  /** Conversations that are known not to be on the disk, because zero retention holds. */
  readonly #forgotten = new Set<string>();

  constructor(parts: HistoryParts) {
    super();
    this.#parts = parts;
    this._register(parts.session.onDidChange((event) => this.#onSession(event)));
    this._register(parts.store.onDidNotice((notice) => void vscode.window.showWarningMessage(noticeWords(notice))));
    this._register({ dispose: () => clearTimeout(this.#timer) });
  }

  /** Shows the conversation that was shown when the window was closed, where it was kept. */
  async restore(): Promise<void> {
    const { state, store, session, logger } = this.#parts;
    const id = state.get<string>(shownKey);
    if (id === undefined || session.conversation.turns.length > 0) return;
    try {
      const conversation = await store.load(id);
      // A question may have been asked while it was read.
      if (conversation === undefined || session.conversation.turns.length > 0) return;
      session.open(conversation);
    } catch {
      logger.warn('The last conversation could not be read.');
    }
  }

  /** Looks again whether the shown conversation may be on the disk: called when a setting changed. */
  reconsider(): void {
    this.#keep(this.#parts.session.conversation);
  }

  /** What is still to be written is on the disk, as far as it may be. */
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
        this.#keep(event.conversation);
        return;
      case 'conversation-changed':
      case 'turn-added':
      case 'turn-changed':
        this.#keep(this.#parts.session.conversation);
        return;
      case 'busy-changed':
        return;
    }
  }

  #keep(conversation: Conversation): void {
    const { state, retention, session } = this.#parts;
    if (conversation.turns.length === 0) return;
    if (this.#forgotten.has(conversation.id)) return;
    const isShown = conversation.id === session.conversation.id;
    // All branches are in one file.
    const turns = allTurns(conversation);
    const allowed = mayBeKept(turns) ? retention(foldersOf(turns)) : 'none';
    switch (allowed) {
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
        // Nothing is written while nobody knows, and nothing that was written is taken away.
        return;
    }
  }

  async #save(conversation: Conversation): Promise<void> {
    const { store, session, logger } = this.#parts;
    try {
      const isKept = await store.save(conversation);
      this.#hasFailed = false;
      // Deleted in another window: what is shown here is all there is of it.
      if (isKept || this.#forgotten.has(conversation.id)) return;
      this.#forgotten.add(conversation.id);
      if (conversation.id !== session.conversation.id) return;
      void vscode.window.showInformationMessage(
        t('This conversation was deleted in another window. What is shown here is not kept any more.'),
      );
    } catch (error) {
      logger.warn('A conversation could not be saved.');
      if (this.#hasFailed || !isServiceError(error)) return;
      // Said once, until saving works again.
      this.#hasFailed = true;
      void showFailure(error, '');
    }
  }

  async #forget(id: string): Promise<void> {
    try {
      if (!(await this.#parts.store.delete(id))) return;
      void vscode.window.showInformationMessage(
        t('Zero retention holds now: this conversation was removed from the disk and is not kept any more.'),
      );
    } catch {
      void vscode.window.showErrorMessage(
        t('Zero retention holds now, but this conversation could not be removed from the disk.'),
      );
    }
  }
}

function noticeWords({ reason, file }: StoreNotice): string {
  switch (reason) {
    case 'damaged':
      return t('A conversation is damaged and was set aside: {0}. The others are there.', file);
    case 'newer':
      return t('A conversation was written by a newer version of Svc Coder and is left as it is: {0}.', file);
    case 'unreadable':
      return t('A conversation could not be read: {0}. The others are there.', file);
  }
}
