import type { ResponseHead } from '../exchange.ts';

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborting closes the socket immediately; the request and its body then fail with the signal's reason. */
  readonly signal: AbortSignal;
  /** The limit in milliseconds for a new connection. */
  readonly connectMs: number;
}

export interface TransportResponse extends ResponseHead {
  /** The decoded bytes, in pieces as received from the network. Leaving the loop closes the socket. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the socket unless the response is complete. Call this for a body that is not read. */
  destroy(): void;
}

/** Sends one request to its exact origin: no redirects, no retries. Implementations wrap different HTTP stacks. */
export interface Transport {
  /** Resolves with any status; rejects with the socket's error or the signal's reason. */
  request(init: TransportRequest): Promise<TransportResponse>;
  /** Ends running requests. */
  close(): Promise<void>;
}
