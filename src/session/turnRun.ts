import { Asked } from './asked.ts';
import { continuation } from './continuation.ts';
import type { Turn } from './conversation.ts';
import type { Dispatch } from './dispatch.ts';
import type { Outgoing } from './outgoing.ts';
import type { DispatchEvent } from './recorded.ts';
import type { ReviewChoice, ReviewRequest } from './review.ts';
import { afterEvent, asServiceError, ended, withoutRetry, withoutReview } from './turnSteps.ts';

/** What a run needs of the session, and what it tells it. */
export interface RunParts {
  readonly dispatch: Dispatch;
  readonly outgoing: (turn: Turn, continues: boolean) => Outgoing;
  /** The turn has changed. */
  readonly put: (turn: Turn) => void;
  /** The turn has changed by text alone, which comes with added(). */
  readonly keep: (turn: Turn) => void;
  readonly added: (turnId: string, text: string) => void;
}

/** One turn on its way to its end. */
export class TurnRun {
  readonly #parts: RunParts;
  readonly #continues: boolean;
  readonly #controller = new AbortController();
  readonly #review = new Asked<ReviewChoice>();
  /** What is added to the answer when this much more of it came; `null` where no more comes. */
  readonly #join: (text: string | null) => string;
  /** Set while a wait before a retry is under way. */
  #retryNow: (() => void) | null = null;
  #turn: Turn;

  constructor(start: Turn, continues: boolean, parts: RunParts) {
    this.#turn = start;
    this.#continues = continues;
    this.#parts = parts;
    this.#join = continuation(continues ? start.answer : '');
  }

  get turnId(): string {
    return this.#turn.id;
  }

  stop(): void {
    this.#controller.abort();
  }

  retryNow(): void {
    this.#retryNow?.();
  }

  /** The person's answer, where they are asked whether the request may leave. */
  decide(choice: ReviewChoice): void {
    this.#review.answer(choice);
  }

  /** Resolves with the turn as it then is; never rejects. */
  async toEnd(): Promise<Turn> {
    this.#put(this.#turn);
    try {
      await this.#request();
      this.#put({ ...withoutRetry(this.#turn), status: 'complete' });
    } catch (thrown) {
      this.#take(null);
      this.#put(ended(withoutRetry(this.#turn), asServiceError(thrown)));
    }
    return this.#turn;
  }

  async #request(): Promise<void> {
    const { dispatch, outgoing } = this.#parts;
    const { signal } = this.#controller;
    const review = async (request: ReviewRequest): Promise<ReviewChoice> => {
      this.#put({ ...this.#turn, status: 'reviewing', review: request });
      const choice = await this.#review.wait(signal);
      this.#put({ ...withoutReview(this.#turn), status: 'waiting' });
      return choice;
    };
    const { model, headers, secrets, masked, events } = await dispatch.send(
      outgoing(this.#turn, this.#continues),
      review,
      signal,
    );
    this.#put({ ...this.#turn, model, requested: headers, secrets, masked });
    for await (const batch of events) this.#take(batch);
    this.#take(null);
  }

  #put(turn: Turn): void {
    this.#turn = turn;
    this.#parts.put(turn);
  }

  #take(batch: readonly DispatchEvent[] | null): void {
    const turn = this.#turn;
    let next = turn;
    let text = batch === null ? this.#join(null) : '';
    for (const event of batch ?? []) {
      if (event.type === 'text-delta') text += this.#join(event.text);
      else next = afterEvent(next, event);
      this.#retryNow = event.type === 'retry-wait' ? event.retryNow : null;
    }
    if (text !== '') next = { ...withoutRetry(next), status: 'streaming', answer: next.answer + text };
    this.#turn = next;
    if (next.status !== turn.status || next.retry !== turn.retry) this.#parts.put(next);
    else this.#parts.keep(next);
    if (text !== '') this.#parts.added(next.id, text);
  }
}
