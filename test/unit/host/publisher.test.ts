import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Publisher } from '../../../src/host/chatView/publisher.ts';
import type { HostMessage, ViewEvent } from '../../../src/protocol/messages.ts';

const delta = (text: string): ViewEvent => ({ type: 'delta', turnId: 't', text });
const busy: ViewEvent = { type: 'busy-changed', busy: true };
const model: ViewEvent = { type: 'model-changed', model: 'm' };

function start(): { publisher: Publisher; posted: HostMessage[] } {
  const posted: HostMessage[] = [];
  return { publisher: new Publisher((message) => posted.push(message)), posted };
}

describe('host: what the view is told', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('is nothing while no view is there', () => {
    const { publisher, posted } = start();
    assert.equal(publisher.publish(busy), false);
    mock.timers.tick(1_000);
    assert.deepEqual(posted, []);
  });

  it('is the state first, then numbered events', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(busy);
    assert.deepEqual(posted, [
      { type: 'events', seq: 1, events: [model] },
      { type: 'events', seq: 2, events: [busy] },
    ]);
  });

  it('is deltas joined within 33 ms', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    for (const text of ['a', 'b', 'c']) publisher.publish(delta(text));
    assert.equal(posted.length, 1);
    mock.timers.tick(33);
    assert.deepEqual(posted[1], { type: 'events', seq: 2, events: [delta('abc')] });
  });

  it('is deltas at once where 4 KB wait', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(delta('x'.repeat(4096)));
    assert.equal(posted.length, 2);
  });

  it('keeps the order of deltas and other events', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(delta('a'));
    publisher.publish(busy);
    assert.deepEqual(posted[1], { type: 'events', seq: 2, events: [delta('a'), busy] });
    mock.timers.tick(33);
    assert.equal(posted.length, 2);
  });

  it('starts again from 1, with the state, when the view comes back', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(delta('lost'));
    publisher.close();
    mock.timers.tick(33);
    publisher.publish(busy);
    publisher.open(model);
    assert.deepEqual(posted, [
      { type: 'events', seq: 1, events: [model] },
      { type: 'events', seq: 1, events: [model] },
    ]);
  });
});
