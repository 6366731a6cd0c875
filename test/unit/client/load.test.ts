import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { Socket } from 'node:net';
import { maxConnections } from '../../../src/client/transport/undiciTransport.ts';
import { chunked, delta, done, finish, lastChunk, openSseHead, sseHead } from '../../tools/rawServer.ts';
import { Theatre } from './harness.ts';

describe('the client under load', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());

  it('1,000 sends and one cancel of all: bounded number in flight, no socket and no listener remains', async () => {
    let isHolding = true;
    let most = 0;
    const full = Promise.withResolvers<void>();
    const stage = await theatre.stage(async ({ index, send, end }) => {
      most = Math.max(most, stage.server.openSockets());
      await send(openSseHead + delta('Begun'));
      if (!isHolding) end(finish() + done);
      if (index === maxConnections - 1) full.resolve();
    });
    const { signal, abort } = cancellable();
    const sends = Array.from({ length: 1000 }, () => stage.chat({ signal }));
    await full.promise;
    isHolding = false;
    abort();
    const outcomes = await Promise.all(sends);
    assert.ok(outcomes.every(({ error }) => error?.kind === 'aborted'));
    assert.deepEqual(getEventListeners(signal, 'abort'), []);
    while (stage.server.openSockets() > 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(most, maxConnections);
    assert.equal(stage.server.requests.length, maxConnections);

    assert.equal((await stage.chat()).text, 'Begun');
  });

  it('reuses a connection whose answer ends in a packet after [DONE]', async () => {
    const sockets = new Set<Socket>();
    let isReused = false;
    const stage = await theatre.stage(async ({ socket, sendEach }) => {
      isReused ||= sockets.has(socket);
      sockets.add(socket);
      await sendEach([sseHead, chunked(delta('A')), chunked(finish() + done), lastChunk]);
    });
    // A request takes another connection while the end of the previous answer is still on its way.
    while (!isReused) {
      assert.equal((await stage.chat()).text, 'A');
      assert.ok(
        [...sockets].every(({ destroyed }) => !destroyed),
        'a connection was closed',
      );
    }
  });
});

function cancellable(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
