import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { mock } from 'node:test';
import { delay, orAborted } from '../../../src/util/orAborted.ts';

describe('orAborted', () => {
  const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

  it('resolves and rejects like the work, and leaves no listener', async () => {
    const { signal } = new AbortController();
    assert.equal(await orAborted(Promise.resolve(1), signal), 1);
    await assert.rejects(orAborted(Promise.reject(new Error('of the work')), signal), /of the work/);
    assert.equal(listeners(signal), 0);
  });

  it('rejects as soon as the signal aborts, even if the work never ends', async () => {
    const controller = new AbortController();
    const waiting = orAborted(new Promise(() => {}), controller.signal);
    assert.equal(listeners(controller.signal), 1);
    controller.abort();
    await assert.rejects(waiting, { kind: 'aborted' });
    assert.equal(listeners(controller.signal), 0);
  });

  it('rejects immediately if the signal has already aborted, with the requested reason', async () => {
    const signal = AbortSignal.abort(new Error('its reason'));
    await assert.rejects(orAborted(new Promise(() => {}), signal), { kind: 'aborted' });
    await assert.rejects(
      orAborted(new Promise(() => {}), signal, () => signal.reason),
      /its reason/,
    );
    assert.equal(listeners(signal), 0);
  });

  it('a rejection after the abort is not reported as unhandled', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    const controller = new AbortController();
    const { promise, reject } = Promise.withResolvers<never>();
    const waiting = orAborted(promise, controller.signal);
    controller.abort();
    await assert.rejects(waiting, { kind: 'aborted' });
    reject(new Error('late'));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    assert.deepEqual(unhandled, []);
  });
});

describe('delay', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('ends after its time, and rejects as soon as the signal aborts, with no listener left', async () => {
    const controller = new AbortController();
    const over = delay(1_000, controller.signal);
    mock.timers.tick(1_000);
    await over;
    const cut = delay(1_000, controller.signal);
    controller.abort();
    await assert.rejects(cut, { kind: 'aborted' });
    await assert.rejects(delay(1_000, controller.signal), { kind: 'aborted' });
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });
});
