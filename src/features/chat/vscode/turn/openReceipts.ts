import { isLive } from '../../../../protocol/turnStatus.ts';
import type { ReceiptView, TurnMeta } from '../../../../protocol/turnView.ts';
import type { Receipt } from '../../../../send/message/receipt.ts';
import type { Turn } from '../../../../session/conversation/turn.ts';
import type { Session } from '../../../../session/session.ts';
import type { SessionEvent } from '../../../../session/sessionEvent.ts';

/**
 * The receipts that open by themselves: those that contradict a request of this window, until the user closes them or
 * leaves the conversation. Receipts of a conversation from the disk stay closed: the user has seen them before.
 */
export class OpenReceipts {
  readonly #running = new Set<string>();
  readonly #turns = new Set<string>();
  readonly #summaries = new Set<string>();
  /** Receipts of summaries, also those that the user has closed. */
  readonly #seen = new WeakSet<Receipt>();
  #conversation = '';

  /** Returns a contradicting receipt that an event adds. */
  onSession(
    { conversation, isBusy }: Pick<Session, 'conversation' | 'isBusy'>,
    event: SessionEvent,
  ): Receipt | undefined {
    this.#show(conversation.id);
    return event.type === 'turn-changed' ? this.#note(event.turn, isBusy) : undefined;
  }

  #note({ id, answer, summary, state }: Turn, isBusy: boolean): Receipt | undefined {
    const { receipt } = answer;
    if (isLive(state)) {
      this.#running.add(id);
      this.#turns.delete(id);
    } else if (this.#running.delete(id) && receipt?.verdict === 'contradicted') {
      this.#turns.add(id);
      return receipt;
    }
    // A summary is made only while another turn runs; an edited one has its old receipt.
    const summarized = summary?.receipt;
    if (!isBusy || summarized?.verdict !== 'contradicted' || this.#seen.has(summarized)) return undefined;
    this.#seen.add(summarized);
    this.#summaries.add(id);
    return summarized;
  }

  close(turnId: string, isSummary: boolean): void {
    if (isSummary) this.#summaries.delete(turnId);
    else this.#turns.delete(turnId);
  }

  #show(conversation: string): void {
    if (conversation === this.#conversation) return;
    this.#conversation = conversation;
    this.#turns.clear();
    this.#summaries.clear();
  }

  /** Returns the turn, with these receipts open. */
  mark<T extends TurnMeta>(view: T): T {
    const { id, summary } = view;
    const receipt = 'receipt' in view ? view.receipt : undefined;
    return {
      ...view,
      ...(receipt !== undefined && this.#turns.has(id) ? { receipt: opened(receipt) } : {}),
      ...(summary?.receipt !== undefined && this.#summaries.has(id)
        ? { summary: { ...summary, receipt: opened(summary.receipt) } }
        : {}),
    };
  }
}

function opened(receipt: ReceiptView): ReceiptView {
  return { ...receipt, isOpen: true };
}
