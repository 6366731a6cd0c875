import type { CallMessage, HostCallName, HostCalls, HostMessage } from '../protocol/panelCalls.ts';
import type { ViewEvent } from '../protocol/panelEvents.ts';

/** The only exit of the page: VS Code's `acquireVsCodeApi()`, or a stand-in for it. */
export interface HostPort {
  postMessage(message: CallMessage): void;
}

interface Pending {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The page's end of the connection: calls out, numbered events in. */
export class Bridge {
  readonly #port: HostPort;
  readonly #onEvents: (events: readonly ViewEvent[]) => void;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  /** The number of the last events handled; undefined before a snapshot, and again after a gap. */
  #lastSeq: number | undefined;

  constructor(port: HostPort, onEvents: (events: readonly ViewEvent[]) => void) {
    this.#port = port;
    this.#onEvents = onEvents;
  }

  /** Resolves when the host has answered; rejects with the host's localised message, which is '' for a cancellation. */
  call<Name extends HostCallName>(method: Name, ...[params]: Parameters<HostCalls[Name]>): Promise<void> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      try {
        this.#port.postMessage({ type: 'call', id, method, params });
      } catch (error) {
        this.#pending.delete(id);
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
  }

  /** For calls whose failure the host shows itself: the page ignores it. */
  tell<Name extends HostCallName>(method: Name, ...params: Parameters<HostCalls[Name]>): void {
    this.call(method, ...params).catch(() => undefined);
  }

  /** Handles one message from the host; ignores anything else that arrives in the window. */
  receive(message: unknown): void {
    if (!isHostMessage(message)) return;
    if (message.type === 'reply') this.#settle(message.id, message.err);
    else this.#take(message.seq, message.events);
  }

  #settle(id: number, err: string | undefined): void {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (err === undefined) pending?.resolve();
    else pending?.reject(new Error(err));
  }

  #take(seq: number, events: readonly ViewEvent[]): void {
    if (seq !== 1) {
      // Events between a gap and the next snapshot cannot be applied.
      if (this.#lastSeq === undefined || seq <= this.#lastSeq) return;
      if (seq !== this.#lastSeq + 1) {
        this.#lastSeq = undefined;
        this.tell('ready');
        return;
      }
    }
    this.#lastSeq = seq;
    this.#onEvents(events);
  }
}

/** The text of a failed call; undefined if there is nothing to show, because the user cancelled. */
export function errorText(caught: unknown): string | undefined {
  return caught instanceof Error && caught.message !== '' ? caught.message : undefined;
}

function isHostMessage(message: unknown): message is HostMessage {
  if (typeof message !== 'object' || message === null || !('type' in message)) return false;
  return message.type === 'reply' || message.type === 'events';
}
