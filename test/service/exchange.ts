import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceivedRequest } from './received.ts';

/** One request and the response it is getting. */
export interface Exchange {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Aborts when the response is over, whoever ended it. */
  readonly gone: AbortSignal;
}

/** Waits, and rejects as soon as the response is over. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  gone.throwIfAborted();
  if (ms > 0) await sleep(ms, undefined, { signal: gone });
}

/** Leaves the socket open and says nothing more; resolves when the client, or close(), ends it. */
export function untilGone(gone: AbortSignal): Promise<void> {
  if (gone.aborted) return Promise.resolve();
  return new Promise((resolve) => gone.addEventListener('abort', () => resolve(), { once: true }));
}

/** Writes and waits until the bytes were handed to the system, so that a later cut cannot take them back. */
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
