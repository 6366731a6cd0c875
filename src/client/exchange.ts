import type { Dispatcher } from 'undici';
import { Pieces } from './answer/pieces.ts';

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** The number of unread bytes above which the socket is paused. */
const pauseAtBytes = 1024 * 1024;

/**
 * One request on the wire: turns undici's callbacks into a promise and an async iterable. undici's own body stream
 * yields one HTTP chunk per turn; this one yields all bytes of a network read in one piece, which keeps a fast stream
 * cheap.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly head: Promise<ResponseHead>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #onOver: () => void;
  readonly #resolveHead: (head: ResponseHead) => void;
  readonly #rejectHead: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  readonly #waiting = new Pieces();
  #end: { readonly failure?: unknown } | undefined;
  #wake: (() => void) | undefined;

  /** @param onOver called once: nothing more will arrive, and the connection is free or closed. */
  constructor(signal: AbortSignal, onOver: () => void) {
    this.#onOver = onOver;
    const head = Promise.withResolvers<ResponseHead>();
    this.head = head.promise;
    this.#resolveHead = head.resolve;
    this.#rejectHead = head.reject;
    this.body = {
      [Symbol.asyncIterator]: () => ({
        next: () => this.#next(),
        return: async () => {
          this.destroy();
          return { done: true, value: undefined };
        },
      }),
    };
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Closes the socket immediately unless the response has been received completely. */
  destroy(): void {
    this.#waiting.clear();
    if (this.#end !== undefined) return;
    this.#finish({}, new Error('No longer wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The request may have been cancelled while it waited for its connection: then no byte of it is written.
    if (this.#end !== undefined) this.#abort(new Error('No longer wanted'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status >= 200) this.#resolveHead({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#waiting.push(chunk);
    if (this.#waiting.bytes > pauseAtBytes) controller.pause();
    // Wakes the reader once for all chunks of a read.
    if (this.#wake !== undefined) this.#wakeUp();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    this.#finish({ failure: error });
  }

  readonly #onAbort = (): void => {
    this.#waiting.clear();
    this.#finish({ failure: this.#signal.reason }, this.#signal.reason);
  };

  #abort(reason: Error): void {
    if (this.#controller?.aborted === false) this.#controller.abort(reason);
  }

  #finish(end: { readonly failure?: unknown }, abortReason?: Error): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#rejectHead(end.failure);
    this.#wakeUp();
    if (abortReason !== undefined) this.#abort(abortReason);
    this.#onOver();
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }

  async #next(): Promise<IteratorResult<Uint8Array, undefined>> {
    let piece = this.#waiting.shift();
    while (piece === undefined) {
      if (this.#end !== undefined) {
        if ('failure' in this.#end) throw this.#end.failure;
        return { done: true, value: undefined };
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      piece = this.#waiting.shift();
    }
    if (this.#controller?.paused === true && this.#waiting.bytes <= pauseAtBytes) this.#controller.resume();
    return { done: false, value: piece };
  }
}
