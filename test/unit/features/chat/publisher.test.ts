import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { Publisher } from '../../../../src/features/chat/vscode/publisher.ts';
import type { EventsMessage, ViewEvent } from '../../../../src/protocol/panelEvents.ts';

const delta = (text: string): ViewEvent => ({ type: 'delta', turnId: 't', text });
const busy: ViewEvent = { type: 'busy-changed', busy: true };
const model: ViewEvent = { type: 'model-changed', model: 'm' };

function start(): { publisher: Publisher; posted: EventsMessage[] } {
  const posted: EventsMessage[] = [];
  return { publisher: new Publisher((message) => posted.push(message)), posted };
}

describe('host: messages to the view', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  it('sends nothing without a view', () => {
    const { publisher, posted } = start();
    assert.equal(publisher.publish(busy), false);
    mock.timers.tick(1_000);
    assert.deepEqual(posted, []);
  });

  it('sends the state first, then numbered events', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(busy);
    assert.deepEqual(posted, [
      { type: 'events', seq: 1, events: [model] },
      { type: 'events', seq: 2, events: [busy] },
    ]);
  });

  it('sends the first delta immediately, and those of the next 36 ms in one message', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    for (const text of ['a', 'b', 'c']) publisher.publish(delta(text));
    assert.deepEqual(posted.slice(1), [{ type: 'events', seq: 2, events: [delta('a')] }]);
    mock.timers.tick(36);
    assert.deepEqual(posted.slice(2), [{ type: 'events', seq: 3, events: [delta('bc')] }]);
  });

  it('sends at most 35 messages per second, for any speed and length of an answer', () => {
    for (const [perMs, length] of [
      [1, 8],
      [20, 8],
      [5, 4096],
    ] as const) {
      const { publisher, posted } = start();
      publisher.open(model);
      posted.length = 0;
      publisher.publish({ type: 'busy-changed', busy: true });
      for (let ms = 0; ms < 1000; ms += 1) {
        for (let count = 0; count < perMs; count += 1) publisher.publish(delta('x'.repeat(length)));
        mock.timers.tick(1);
      }
      publisher.publish({ type: 'busy-changed', busy: false });
      assert.ok(posted.length <= 35, `${posted.length} messages`);
      const sent = posted.flatMap((message) => (message.type === 'events' ? message.events : []));
      const text = sent.reduce((sum, event) => sum + (event.type === 'delta' ? event.text.length : 0), 0);
      assert.equal(text, 1000 * perMs * length, 'nothing is lost');
    }
  });

  it('keeps the order of deltas and other events', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(delta('a'));
    publisher.publish(delta('b'));
    publisher.publish(busy);
    assert.deepEqual(posted[2], { type: 'events', seq: 3, events: [delta('b'), busy] });
    mock.timers.tick(36);
    assert.equal(posted.length, 3);
  });

  it('restarts at 1, with the state, when the view returns', () => {
    const { publisher, posted } = start();
    publisher.open(model);
    publisher.publish(delta('shown'));
    publisher.publish(delta('lost'));
    publisher.close();
    mock.timers.tick(36);
    publisher.publish(busy);
    publisher.open(model);
    assert.deepEqual(posted, [
      { type: 'events', seq: 1, events: [model] },
      { type: 'events', seq: 2, events: [delta('shown')] },
      { type: 'events', seq: 1, events: [model] },
    ]);
  });
});
