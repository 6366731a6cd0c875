import type { CallMessage, CallTable, ReplyMessage } from '../protocol/channel.ts';

/** The only exit of a page: VS Code's `acquireVsCodeApi()`, or a stand-in for it. */
export interface HostPort {
  postMessage(message: CallMessage): void;
}

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** The page's end of the channel: typed calls, each settled by the reply with its number. */
export class Channel<Calls extends CallTable<Calls>> {
  readonly #port: HostPort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;

  constructor(port: HostPort) {
    this.#port = port;
  }

  /** Resolves with the value of the host's reply; rejects with the host's localized message. */
  ask<Name extends keyof Calls & string>(
    method: Name,
    ...[params]: Parameters<Calls[Name]>
  ): Promise<ReturnType<Calls[Name]>> {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      // The host's table of handlers has the same types.
      this.#pending.set(id, { resolve: resolve as (value: unknown) => void, reject });
      try {
        this.#port.postMessage({ type: 'call', id, method, params });
      } catch (error) {
        this.#pending.delete(id);
        reject(error);
      }
    });
  }

  /** Makes a call whose failure the host shows itself: the page ignores the failure. */
  tell<Name extends keyof Calls & string>(method: Name, ...params: Parameters<Calls[Name]>): void {
    this.ask(method, ...params).catch(() => undefined);
  }

  /** Settles the call that a message answers; ignores anything else that arrives in the window. */
  receive(message: unknown): void {
    if (!isReply(message)) return;
    const { id, value, err } = message;
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (err === undefined) pending?.resolve(value);
    else pending?.reject(new Error(err));
  }
}

/** Returns the message of a failed call, or undefined if it has no message, for example after a cancellation. */
export function errorText(error: unknown): string | undefined {
  return error instanceof Error && error.message !== '' ? error.message : undefined;
}

function isReply(message: unknown): message is ReplyMessage {
  return typeof message === 'object' && message !== null && 'type' in message && message.type === 'reply';
}
