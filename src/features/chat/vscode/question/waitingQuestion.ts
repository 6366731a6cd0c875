import * as vscode from 'vscode';
import { Refusal } from '../../../../platform/pages/callError.ts';
import type { WaitingView } from '../../../../protocol/panelEvents.ts';
import { isLive } from '../../../../protocol/turnStatus.ts';
import type { Conversation } from '../../../../session/conversation/conversation.ts';
import type { Question, Turn } from '../../../../session/conversation/turn.ts';
import type { Session } from '../../../../session/session.ts';
import type { SessionEvent } from '../../../../session/sessionEvent.ts';
import { Disposable } from '../../../../util/disposable.ts';
import { Emitter } from '../../../../util/event.ts';
import type { Logger } from '../../../../util/logger.ts';
import { whyCut } from '../../../../util/whyCut.ts';
import type { ContextService } from '../../../context/vscode/attachments/contextService.ts';
import type { PendingAttachments } from '../../../context/vscode/attachments/pendingAttachments.ts';
import type { PanelMessages } from '../panelMessages.ts';

const t = vscode.l10n.t;

/** The maximum number of characters of a question that are shown while it waits. */
const shownLength = 2_000;

/** A message of the composer: the typed text, then long texts that were pasted. */
interface Message {
  readonly text: string;
  /** The length of the typed text. */
  readonly typed: number;
}

interface WaitingParts {
  readonly session: Session;
  /** The attachments of the composer. */
  readonly attachments: PendingAttachments;
  /** The attachments of the question that waits. */
  readonly held: PendingAttachments;
  readonly context: () => Promise<Pick<ContextService, 'question' | 'pin'>>;
  readonly messages: Pick<PanelMessages, 'answering'>;
  readonly logger: Pick<Logger, 'warn'>;
}

interface Waiting extends Message {
  /** The end of the conversation that the question follows. */
  readonly after: string;
}

/**
 * The question that waits for the end of an answer, kept only in memory. It is sent when the answer is complete; after any
 * other end, if the user asks for it. Its attachments are read when it is sent. If the user leaves its conversation or
 * branch, it is moved back to the composer.
 */
export class WaitingQuestion extends Disposable {
  readonly #parts: WaitingParts;
  readonly #changed = this._register(new Emitter<void>());
  readonly #back = this._register(new Emitter<void>());
  /** Fires when the question or its attachments have changed. */
  readonly onDidChange = this.#changed.event;
  /** Fires when there is a message to take back. */
  readonly onDidGiveBack = this.#back.event;
  #waiting: Waiting | undefined;
  #isSending = false;
  /** Whether the user has asked to stop the answer and send the question. */
  #isWanted = false;
  /** The turn that ended last. */
  #ended: Turn | undefined;
  #returned: readonly Message[] = [];

  constructor(parts: WaitingParts) {
    super();
    this.#parts = parts;
    this._register(parts.held.onDidChange(() => this.#waiting !== undefined && this.#changed.fire()));
    this._register(parts.session.onDidChange((event) => this.#onSession(event)));
  }

  get shown(): WaitingView | undefined {
    if (this.#waiting === undefined) return undefined;
    const { text } = this.#waiting;
    return {
      text: text.length > shownLength ? `${text.slice(0, shownLength)}…` : text,
      attachments: this.#parts.held.chips,
      isSending: this.#isSending,
    };
  }

  /** Throws a Refusal if a question already waits: only one can. */
  requireNone(): void {
    if (this.#waiting === undefined) return;
    throw new Refusal(t('A question is already waiting. Send, edit, or remove it first.'));
  }

  /** Moves a message and the attachments here from the composer. Throws a Refusal or ServiceError if they stay there. */
  async put(message: Message): Promise<void> {
    const { session, attachments, held, context } = this.#parts;
    const after = endOf(session.conversation);
    // The editor may show another file by the time the question is sent.
    if (message.text.startsWith('/')) await (await context()).pin(message.text);
    this.requireNone();
    if (endOf(session.conversation) !== after) {
      throw new Refusal(t('Another conversation or branch was opened. The question was not sent.'));
    }
    attachments.moveTo(held);
    this.#set({ ...message, after });
    if (!session.isBusy) this.#sendLater();
  }

  remove(): void {
    if (this.#waiting === undefined) return;
    this.#parts.held.clear();
    this.#set(undefined);
  }

  /** Moves the question back to the composer, with its attachments. */
  giveBack(): void {
    if (this.#waiting === undefined) return;
    const { held, attachments } = this.#parts;
    this.#returned = [...this.#returned, this.#waiting];
    this.#set(undefined);
    held.moveTo(attachments);
    this.#back.fire();
  }

  /** Passes on the message that is moved back to the composer. `take` returns whether the composer has accepted it. */
  takeBack(take: (message: Message) => boolean): void {
    this.#returned = this.#returned.filter((message) => !take(message));
  }

  /** Deletes a message that has not been taken back yet. */
  forget(): void {
    this.#returned = [];
  }

  /** Sends the question now; stops a running answer first. */
  async send(): Promise<void> {
    const { session } = this.#parts;
    if (!session.isBusy) return this.#send();
    this.#isWanted = this.#waiting !== undefined;
    if (this.#isWanted) session.stop();
  }

  #onSession(event: SessionEvent): void {
    const { conversation } = this.#parts.session;
    switch (event.type) {
      case 'conversation-changed':
        // It stays if only the last question was asked again.
        if (this.#waiting?.after !== endOf(conversation)) this.giveBack();
        return;
      case 'turn-added':
        if (this.#waiting !== undefined) this.#waiting = { ...this.#waiting, after: endOf(conversation) };
        return;
      case 'turn-changed':
        if (!isLive(event.turn.state)) this.#ended = event.turn;
        return;
      case 'busy-changed': {
        const isNext = !event.busy && (this.#isWanted || isWhole(this.#ended));
        this.#isWanted = false;
        this.#ended = undefined;
        if (isNext) this.#sendLater();
        return;
      }
      case 'conversation-left':
      case 'delta':
      case 'thinking':
        return;
    }
  }

  #sendLater(): void {
    // The panel shows the error.
    this.#send().catch(() => this.#parts.logger.warn('A question that waited could not be sent.'));
  }

  async #send(): Promise<void> {
    const { session, held, context, messages } = this.#parts;
    const waiting = this.#waiting;
    if (waiting === undefined || this.#isSending) return;
    this.#isSending = true;
    this.#changed.fire();
    try {
      await messages.answering(async () => {
        const question = await composedQuestion(waiting.text, held, context);
        // It has been removed or moved back since, or another question was asked, for whose answer it waits now.
        if (this.#waiting !== waiting || session.isBusy) return;
        void session.ask(question);
        this.remove();
      });
    } finally {
      this.#isSending = false;
      if (this.#waiting !== undefined) this.#changed.fire();
    }
  }

  #set(waiting: Waiting | undefined): void {
    this.#waiting = waiting;
    this.#changed.fire();
  }
}

function endOf({ id, turns }: Conversation): string {
  return `${id} ${turns.at(-1)?.id ?? ''}`;
}

/** Whether an answer is complete, so that the next question may be sent without asking the user. */
function isWhole(turn: Turn | undefined): boolean {
  return turn?.state.status === 'complete' && whyCut(turn.answer.finishReason) === null;
}

/** The question for a text with its attachments, read now. Throws a ServiceError if one cannot be read. */
export async function composedQuestion(
  text: string,
  attachments: Pick<PendingAttachments, 'keys' | 'read'>,
  context: () => Promise<Pick<ContextService, 'question'>>,
): Promise<Question> {
  if (text.startsWith('/')) return (await context()).question(text, attachments);
  return { action: 'chat', prompt: text, attachments: await attachments.read() };
}
