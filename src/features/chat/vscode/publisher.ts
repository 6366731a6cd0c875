import type { EventsMessage, ViewEvent } from '../../../protocol/panelEvents.ts';

/**
 * At most one message with deltas is sent in this many milliseconds. 27 a second leave room for the few other messages,
 * below 35 in total, at any speed of the model.
 */
const batchMs = 36;

/**
 * Numbers and batches the events for the view. A delta is sent immediately if no delta was just sent, else together with
 * the deltas that arrive within 36 ms; all other events are sent immediately, in order. Nothing is sent while the view is
 * hidden: it gets a snapshot when it is shown again.
 */
export class Publisher {
  readonly #post: (message: EventsMessage) => void;
  #seq = 0;
  #waiting: ViewEvent[] = [];
  /** The timer that starts with a message; deltas wait until it fires. */
  #timer: NodeJS.Timeout | undefined;
  #isOpen = false;

  /** `post` is not awaited: waiting for each message takes 17 s for a 50 KB answer. */
  constructor(post: (message: EventsMessage) => void) {
    this.#post = post;
  }

  /** Called when the view is shown: sends the state in one message, then events. Numbers start again. */
  open(...snapshot: readonly ViewEvent[]): void {
    this.#drop();
    this.#isOpen = true;
    this.#seq = 0;
    this.#send(snapshot);
  }

  /** Called when the view is hidden or disposed of. */
  close(): void {
    this.#drop();
    this.#isOpen = false;
  }

  /** Returns false if no view is shown, so that nothing is sent. */
  publish(event: ViewEvent): boolean {
    if (!this.#isOpen) return false;
    const last = this.#waiting.at(-1);
    if (isText(event) && last?.type === event.type && last.turnId === event.turnId) {
      this.#waiting[this.#waiting.length - 1] = { ...last, text: last.text + event.text };
    } else {
      this.#waiting.push(event);
    }
    if (!isText(event) || this.#timer === undefined) this.#flush();
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

function isText(event: ViewEvent): event is Extract<ViewEvent, { type: 'delta' | 'thinking' }> {
  return event.type === 'delta' || event.type === 'thinking';
}
