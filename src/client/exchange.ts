import type { Dispatcher } from 'undici';

export type ResponseHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
}

/** Beyond this many bytes waiting to be read, the socket is told to pause. */
const pauseAtBytes = 1024 * 1024;

/**
 * One request on the wire: undici's callbacks on one side, a promise and an async iterable on the other. undici's own
 * body stream hands on one HTTP chunk a turn; this one hands on all that a network read brought, in one piece, which
 * is what keeps a fast stream cheap.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly head: Promise<ResponseHead>;
  readonly body: AsyncIterable<Uint8Array>;
  readonly #signal: AbortSignal;
  readonly #resolveHead: (head: ResponseHead) => void;
  readonly #rejectHead: (reason: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #chunks: Uint8Array[] = [];
  #waitingBytes = 0;
  #end: { readonly failure?: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(signal: AbortSignal) {
    const head = Promise.withResolvers<ResponseHead>();
    this.head = head.promise;
    this.#resolveHead = head.resolve;
    this.#rejectHead = head.reject;
    this.body = this.#read();
    this.#signal = signal;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Closes the socket at once unless the response has been received to its end. */
  destroy(): void {
    this.#chunks = [];
    this.#finish({});
    this.#abort(new Error('No longer wanted'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // A cancel may have come while the request waited for its connection: not a byte of it is written then.
    if (this.#end !== undefined) this.#abort(new Error('No longer wanted'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status >= 200) this.#resolveHead({ status, headers });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.length;
    if (this.#waitingBytes > pauseAtBytes) controller.pause();
    this.#wake?.();
  }

  onResponseEnd(): void {
    this.#finish({});
  }

  onResponseError(_controller: Dispatcher.DispatchController | null, error: unknown): void {
    this.#finish({ failure: error });
  }

  readonly #onAbort = (): void => {
    this.#chunks = [];
    this.#finish({ failure: this.#signal.reason });
    this.#abort(this.#signal.reason);
  };

  #abort(reason: Error): void {
    if (this.#controller?.aborted === false) this.#controller.abort(reason);
  }

  #finish(end: { readonly failure?: unknown }): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#rejectHead(end.failure);
    this.#wake?.();
  }

  async *#read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        if (this.#chunks.length > 0) {
          const chunks = this.#chunks;
          this.#chunks = [];
          this.#waitingBytes = 0;
          if (this.#controller?.paused === true) this.#controller.resume();
          const [only] = chunks;
          yield chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
        } else if (this.#end !== undefined) {
          if ('failure' in this.#end) throw this.#end.failure;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.#wake = resolve;
          });
        }
      }
    } finally {
      this.destroy();
    }
  }
}
