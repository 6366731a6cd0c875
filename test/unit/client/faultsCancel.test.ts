import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { ChatEvent } from '../../../src/client/chat.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { chunked, delta, type RawExchange, type RawHandler, sseHead, whole } from '../../tools/rawServer.ts';
import { type Stage, Theatre, wireChat } from './harness.ts';

describe('client faults: row: cancel before headers, mid-stream, 100 in a row', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());

  const mid: RawHandler = ({ sendEach }) => sendEach([sseHead, chunked(delta('Shown'))]);

  /** Aborts when `when` returns true. Returns how long the server then saw the socket open. */
  async function cancel(
    handler: RawHandler,
    when: 'requested' | ChatEvent['type'],
  ): Promise<{ ms: number; after: number }> {
    const closed = Promise.withResolvers<number>();
    const controller = new AbortController();
    let abortedAt = 0;
    const abort = (): void => {
      abortedAt = performance.now();
      controller.abort();
    };
    const stage = await theatre.stage((exchange: RawExchange) => {
      void exchange.closed.then(() => closed.resolve(performance.now()));
      if (when === 'requested') abort();
      return handler(exchange);
    });
    let after = 0;
    const outcome = await stage.chat({
      signal: controller.signal,
      onEvent: ({ type }) => {
        if (controller.signal.aborted) after += 1;
        else if (type === when) abort();
      },
    });
    assert.equal(outcome.error?.kind, 'aborted');
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    return { ms: (await closed.promise) - abortedAt, after };
  }

  /** The fastest of three: other programs use the machine, too. What was shown afterwards counts each time. */
  async function fastest(once: () => ReturnType<typeof cancel>): ReturnType<typeof cancel> {
    const all = [await once(), await once(), await once()];
    return { ms: Math.min(...all.map(({ ms }) => ms)), after: all.reduce((sum, { after }) => sum + after, 0) };
  }

  it('a cancel before the headers closes the socket within 100 ms, and nothing is shown', async () => {
    const { ms, after } = await fastest(() => cancel(() => {}, 'requested'));
    assert.ok(ms < 100, `${ms} ms`);
    assert.equal(after, 0);
  });

  it('mid-stream: socket closed within 100 ms, nothing more shown', async () => {
    const { ms, after } = await fastest(() => cancel(mid, 'text-delta'));
    assert.ok(ms < 100, `${ms} ms`);
    assert.equal(after, 0);
  });

  it('a cancel while the server keeps sending ends the request', async () => {
    const handler: RawHandler = async ({ send, socket }) => {
      await send(sseHead);
      while (!socket.destroyed) await send(chunked(delta('more ')));
    };
    const { ms, after } = await fastest(() => cancel(handler, 'text-delta'));
    assert.ok(ms < 100, `${ms} ms`);
    assert.equal(after, 0);
  });

  it('during a wait: no further request', async () => {
    const controller = new AbortController();
    const stage = await theatre.stage(({ send }) => send(whole(429, '', { 'retry-after': '30' })));
    const outcome = await stage.chat({
      signal: controller.signal,
      onEvent: ({ type }) => type === 'retry-wait' && controller.abort(),
    });
    assert.deepEqual([outcome.error?.kind, stage.server.requests.length], ['aborted', 1]);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });

  it('a cancel before the start prevents the request', async () => {
    const stage = await theatre.stage(mid);
    const outcome = await stage.chat({ signal: AbortSignal.abort() });
    assert.deepEqual([outcome.error?.kind, stage.server.requests.length], ['aborted', 0]);
  });

  it('leaving the loop closes the socket', async () => {
    const closed = Promise.withResolvers<unknown>();
    const stage = await theatre.stage((exchange) => {
      closed.resolve(exchange.closed);
      return mid(exchange);
    });
    const { signal } = new AbortController();
    const { baseUrl, apiKey } = stage.endpoint;
    for await (const batch of stage.client.streamChat(wireChat(baseUrl), { apiKey }, async () => {}, signal)) {
      if (batch.some(({ type }) => type === 'text-delta')) break;
    }
    await closed.promise;
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('100 in a row on one signal’s client: no listener and no socket remains', async () => {
    const closings: Promise<unknown>[] = [];
    const stage: Stage = await theatre.stage((exchange) => {
      closings.push(exchange.closed);
      return mid(exchange);
    });
    for (let i = 0; i < 100; i++) {
      const controller = new AbortController();
      const outcome = await stage.chat({
        signal: controller.signal,
        onEvent: ({ type }) => type === 'text-delta' && controller.abort(),
      });
      assert.equal(outcome.error?.kind, 'aborted');
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    }
    await Promise.all(closings);
    assert.deepEqual([closings.length, stage.server.openSockets()], [100, 0]);
  });

  it('100 answers on one long-lived signal leave no listener on it', async () => {
    const { signal } = new AbortController();
    const stage = await theatre.stage(({ send }) => send(whole(200, '{"choices":[{"message":{"content":"x"}}]}')));
    for (let i = 0; i < 100; i++) await stage.chat({ signal });
    assert.equal(getEventListeners(signal, 'abort').length, 0);
    // Two, because the pool needs a moment to see that the first one is free again.
    assert.ok(stage.server.openSockets() <= 2, 'the connection of a complete answer is used again');
  });

  it('dispose ends running requests', async () => {
    const stage = await theatre.stage(mid);
    const outcome = stage.chat({ onEvent: ({ type }) => type === 'text-delta' && void stage.client.dispose() });
    assert.equal((await outcome).error?.kind, 'aborted');
    await assert.rejects(
      stage.client.health(stage.endpoint, AbortSignal.abort()),
      (error) => isServiceError(error) && error.kind === 'aborted',
    );
  });
});
