import type { HostMessage, ViewEvent } from '../../protocol/messages.ts';

/**
 * Deltas come in at most one message in this many milliseconds: 27 a second leave room for the few others below 35,
 * however fast a model is.
 */
const batchMs = 36;

/**
 * Numbers and batches what the view is told. A delta goes at once where none has just gone, else with those that come
 * until 36 ms are over; everything else goes at once, in order. While the view is hidden nothing is sent: when it is
 * shown again it gets a snapshot.
 */
export class Publisher {
  readonly #post: (message: HostMessage) => void;
  #seq = 0;
  #waiting: ViewEvent[] = [];
  /** Runs from a message on: until it is over, deltas wait. */
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;

  /** `post` is not awaited: waiting for each message takes 17 s for a 50 KB answer. */
  constructor(post: (message: HostMessage) => void) {
    this.#post = post;
  }

  /** The view is there: it gets the state, and from now on events. Numbers start again. */
  open(snapshot: ViewEvent): void {
    this.#drop();
    this.#isOpen = true;
    this.#seq = 0;
    this.#send([snapshot]);
  }

  /** The view is hidden or gone. */
  close(): void {
    this.#drop();
    this.#isOpen = false;
  }

  /** False where no view is shown and nothing will arrive. */
  publish(event: ViewEvent): boolean {
    if (!this.#isOpen) return false;
    const last = this.#waiting.at(-1);
    if (event.type === 'delta' && last?.type === 'delta' && last.turnId === event.turnId) {
      this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + event.text };
    } else {
      this.#waiting.push(event);
    }
    if (event.type !== 'delta' || this.#timer === undefined) this.#flush();
    return true;
  }

  #flush(): void {
    const events = this.#waiting;
    this.#drop();
    if (events.length === 0) return;
    this.#send(events);
    this.#timer = setTimeout(() => this.#flush(), batchMs);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }

  #send(events: readonly ViewEvent[]): void {
    this.#seq += 1;
    this.#post({ type: 'events', seq: this.#seq, events });
  }
}
