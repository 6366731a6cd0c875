import type { ResponseHead } from '../exchange.ts';

export interface TransportRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Aborting closes the socket at once; the request and its body then fail with the signal's reason. */
  readonly signal: AbortSignal;
  /** How long a new connection may take, in milliseconds. */
  readonly connectMs: number;
}

export interface TransportResponse extends ResponseHead {
  /** Decoded bytes, in the pieces the network brought. Leaving the loop closes the socket. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Closes the socket unless the response has come to its end. For bodies nobody reads. */
  destroy(): void;
}

/** Carries one request to its very origin: no redirect, no second try. Another HTTP stack can stand in for it. */
export interface Transport {
  /** Resolves with any status; rejects with the socket's error or the signal's reason. */
  request(init: TransportRequest): Promise<TransportResponse>;
  /** Ends what is running. */
  close(): Promise<void>;
}
