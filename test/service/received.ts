/** A request as it arrived, recorded before validation. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path and query, with the prefix /api/v1. */
  readonly path: string;
  /** Lower-case names. Repeated headers are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The parsed body, or undefined if there is none or it is not JSON. */
  readonly json: unknown;
  /** The arrival of its last byte (epoch, ms). */
  readonly at: number;
  readonly requestId: string;
  /** The end of its answer: `finished`, or `cut` if either end closed the socket before that. */
  readonly ended: Promise<'finished' | 'cut'>;
}

interface Waiter {
  readonly predicate: (request: ReceivedRequest) => boolean;
  readonly resolve: (request: ReceivedRequest) => void;
  readonly reject: (reason: Error) => void;
}

/** Stores received requests and wakes tests that wait for one. */
export class Recorder {
  readonly #received: ReceivedRequest[] = [];
  #waiters: Waiter[] = [];

  get received(): readonly ReceivedRequest[] {
    return this.#received;
  }

  get chats(): readonly ReceivedRequest[] {
    return this.#received.filter(isChat);
  }

  add(request: ReceivedRequest): void {
    this.#received.push(request);
    const woken = this.#waiters.filter((waiter) => waiter.predicate(request));
    this.#waiters = this.#waiters.filter((waiter) => !woken.includes(waiter));
    for (const waiter of woken) waiter.resolve(request);
  }

  /** Resolves with the first matching request, past or future. Rejects if the service closes first. */
  waitFor(predicate: (request: ReceivedRequest) => boolean): Promise<ReceivedRequest> {
    const present = this.#received.find(predicate);
    if (present !== undefined) return Promise.resolve(present);
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedRequest>();
    // A test that stopped waiting must not cause a failure in another test when the service closes.
    promise.catch(() => undefined);
    this.#waiters.push({ predicate, resolve, reject });
    return promise;
  }

  clear(): void {
    this.#received.length = 0;
  }

  close(): void {
    for (const waiter of this.#waiters) waiter.reject(new Error('The local service closed before the request came.'));
    this.#waiters = [];
  }
}

function isChat(request: ReceivedRequest): boolean {
  return request.method === 'POST' && request.path === '/api/v1/chat/completions';
}
