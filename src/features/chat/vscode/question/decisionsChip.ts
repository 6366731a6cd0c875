import { isLive } from '../../../../protocol/turnStatus.ts';
import { hasAnswer, type Turn } from '../../../../session/conversation/turn.ts';
import type { Session } from '../../../../session/session.ts';
import { Disposable } from '../../../../util/disposable.ts';
import type { Logger } from '../../../../util/logger.ts';
import type { PendingAttachments } from '../../../context/vscode/attachments/pendingAttachments.ts';
import { decisionsPrefix, type PanelChanges } from '../../../edits/vscode/changes/panelChanges.ts';

interface DecisionsParts {
  readonly session: Pick<Session, 'conversation' | 'onDidChange'>;
  readonly changes: Pick<PanelChanges, 'decisions' | 'told' | 'onDidChange'>;
  readonly attachments: Pick<PendingAttachments, 'keys' | 'add' | 'removeKeys' | 'onDidChange'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Attaches what the user has decided about proposed changes to the next question of their conversation, and again if that gets no
 * answer. If the user removes it, it is attached again after the next decision.
 */
export class DecisionsChip extends Disposable {
  readonly #parts: DecisionsParts;
  /** The decisions that were attached last. */
  #attached = '';

  constructor(parts: DecisionsParts) {
    super();
    this.#parts = parts;
    const { session, changes, attachments } = parts;
    this._register(changes.onDidChange(() => void this.#look()));
    // Attachments of a question that waited may come back from another conversation.
    this._register(attachments.onDidChange(() => this.#removeOthers()));
    this._register(
      session.onDidChange((event) => {
        if (event.type === 'turn-changed') this.#onTurn(event.turn);
      }),
    );
  }

  /** The model knows what a question carries when it answers. A question without an answer is not part of later requests. */
  #onTurn(turn: Turn): void {
    const { changes } = this.#parts;
    const label = changes.decisions()?.source.label;
    if (!turn.question.attachments.some((one) => one.label === label)) return;
    if (hasAnswer(turn)) changes.told();
    else if (!isLive(turn.state)) {
      this.#attached = '';
      void this.#look();
    }
  }

  async #look(): Promise<void> {
    const { changes, attachments, logger } = this.#parts;
    this.#removeOthers();
    const decisions = changes.decisions();
    const now = decisions === undefined ? '' : `${decisions.source.key} ${decisions.version}`;
    if (now === this.#attached) return;
    this.#attached = now;
    if (decisions === undefined) return;
    try {
      await attachments.add(decisions.source);
    } catch {
      logger.warn('The decisions on changes could not be attached.');
    }
  }

  /** Removes decisions that the model knows, and those of other conversations. */
  #removeOthers(): void {
    const { changes, attachments } = this.#parts;
    const own = changes.decisions()?.source.key;
    const others = attachments.keys.filter((key) => key.startsWith(decisionsPrefix) && key !== own);
    if (others.length > 0) attachments.removeKeys(others);
  }
}
