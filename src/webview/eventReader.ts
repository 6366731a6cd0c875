import type { EventsMessage, ViewEvent } from '../protocol/panelEvents.ts';

/** Reads the numbered events of the host, in order and without repeats. */
export class EventReader {
  readonly #wantSnapshot: () => void;
  readonly #onEvents: (events: readonly ViewEvent[]) => void;
  /** The number of the last message of events that was handled; undefined before a snapshot and after a gap. */
  #lastSeq: number | undefined;

  constructor(wantSnapshot: () => void, onEvents: (events: readonly ViewEvent[]) => void) {
    this.#wantSnapshot = wantSnapshot;
    this.#onEvents = onEvents;
  }

  /** Handles one message from the host; ignores anything else that arrives in the window. */
  receive(message: unknown): void {
    if (!isEvents(message)) return;
    const { seq, events } = message;
    if (seq !== 1) {
      // Events between a gap and the next snapshot cannot be applied.
      if (this.#lastSeq === undefined || seq <= this.#lastSeq) return;
      if (seq !== this.#lastSeq + 1) {
        this.#lastSeq = undefined;
        this.#wantSnapshot();
        return;
      }
    }
    this.#lastSeq = seq;
    this.#onEvents(events);
  }
}

function isEvents(message: unknown): message is EventsMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'events';
}
