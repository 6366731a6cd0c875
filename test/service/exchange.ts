import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from './received.ts';

/** One request and its response. */
export interface Exchange {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Aborts when the response is over, from either side. */
  readonly gone: AbortSignal;
}

/** Waits. Rejects when the response is over. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted();
  if (ms > 0) await sleep(ms, undefined, { signal: gone });
}

/** Leaves the socket open and sends nothing more. Resolves when the client or close() ends it. */
export function untilGone(gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
}

/** Writes and waits until the system has accepted the bytes, so that a later cut cannot discard them. */
export function write({ response, gone }: Exchange, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (gone.aborted || response.destroyed) {
      reject(new Error('The response is over.'));
      return;
    }
    const onGone = (): void => reject(new Error('The response is over.'));
    gone.addEventListener('abort', onGone, { once: true });
    response.write(text, (error) => {
      gone.removeEventListener('abort', onGone);
      if (error) reject(error);
      else resolve();
    });
  });
}
