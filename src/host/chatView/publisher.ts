import type { HostMessage, ViewEvent } from '../../protocol/messages.ts';

/** Sends at most one message in this many milliseconds (30 a second)... */
const batchMs = 33;
/** ...unless this much text waits. */
const batchCharacters = 4096;

/**
 * Numbers and batches what the view is told. Deltas wait up to 33 ms or 4 KB; everything else flushes at once, in
 * order. While the view is hidden nothing is sent: when it is shown again it gets a snapshot.
 */
export class Publisher {
  readonly #post: (message: HostMessage) => void;
  #seq = 0;
  #waiting: ViewEvent[] = [];
  #waitingCharacters = 0;
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
    if (event.type === 'delta') this.#waitingCharacters += event.text.length;
    if (event.type !== 'delta' || this.#waitingCharacters >= batchCharacters) this.#flush();
    else this.#timer ??= setTimeout(() => this.#flush(), batchMs);
    return true;
  }

  #flush(): void {
    const events = this.#waiting;
    this.#drop();
    if (events.length > 0) this.#send(events);
  }

  #drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
    this.#waitingCharacters = 0;
  }

  #send(events: readonly ViewEvent[]): void {
    this.#seq += 1;
    this.#post({ type: 'events', seq: this.#seq, events });
  }
}
