import assert from 'node:assert/strict';
import { AnswerReader } from '../../src/client/answer/answerReader.ts';
import { keyFilter } from '../../src/client/answer/withoutKey.ts';
import type { ChatEvent } from '../../src/client/chat.ts';
import { createServiceClient } from '../../src/client/serviceClient.ts';
import { decodeContent } from '../../src/client/transport/contentCoding.ts';
import type { Transport } from '../../src/client/transport/transport.ts';
import { chatRequest } from '../../src/client/wireRequest.ts';
import { resolvePolicy } from '../../src/policy/compliance/resolve.ts';
import { isServiceError, type ServiceErrorKind } from '../../src/util/errors.ts';

export interface Reading {
  readonly events: readonly ChatEvent[];
  readonly error: unknown;
}

/** The possible results for the bytes of an answer. */
const wireKinds: ReadonlySet<ServiceErrorKind> = new Set<ServiceErrorKind>([
  ...(['auth', 'permission', 'rateLimit', 'request', 'server', 'protocol', 'interrupted'] as const),
]);

/** Reads an answer from these pieces as the client does, without a socket. */
export function read(pieces: readonly Uint8Array[], contentType = 'text/event-stream'): Reading {
  const reader = new AnswerReader({ contentType, filter: keyFilter(['svc_ent_key']) });
  const events: ChatEvent[] = [];
  try {
    for (const piece of pieces) {
      reader.push(piece, events);
      if (reader.isDone) return { events, error: undefined };
    }
    reader.end(events);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

/** The same through the whole client, from a body in memory. */
export async function readThroughClient(
  pieces: readonly Uint8Array[],
  contentType: string,
  coding: string,
): Promise<Reading> {
  const silent = (): void => {};
  const transport: Transport = {
    request: async () => ({
      status: 200,
      headers: { 'content-type': contentType },
      body: decodeContent(bodyOf(pieces), coding),
      destroy: silent,
    }),
    close: async () => {},
  };
  const client = createServiceClient({
    logger: { info: silent, debug: silent, trace: silent, warn: silent, error: silent },
    userAgent: 'svc-coder/fuzz',
    transport,
    rules: { maxRetries: 0 },
  });
  const resolution = resolvePolicy([]);
  assert.ok(resolution.ok);
  const about = { baseUrl: 'http://127.0.0.1/api/v1', userAgent: 'svc-coder/fuzz', policy: resolution.policy };
  const request = chatRequest(about, { model: 'm', messages: [], maxTokens: null, temperature: null, stream: true });
  const events: ChatEvent[] = [];
  try {
    const { signal } = new AbortController();
    for await (const batch of client.streamChat(request, { apiKey: 'svc_ent_key' }, async () => {}, signal))
      events.push(...batch);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

async function* bodyOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

export function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

/** An answer has exactly one finish. Anything else is an error of a kind that the user sees. */
export function assertKnownEnd({ events, error }: Reading): void {
  if (error === undefined) {
    assert.equal(events.filter(({ type }) => type === 'finish').length, 1);
    return;
  }
  assert.ok(isServiceError(error), String(error));
  assert.ok(wireKinds.has(error.kind), error.kind);
}
