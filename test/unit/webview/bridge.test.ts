import assert from 'node:assert/strict';
import type { CallMessage } from '../../../src/protocol/panelCalls.ts';
import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import { Bridge, errorText } from '../../../src/webview/bridge.ts';

function open() {
  const sent: CallMessage[] = [];
  const taken: ViewEvent[] = [];
  const bridge = new Bridge({ postMessage: (message) => sent.push(message) }, (events) => taken.push(...events));
  return { bridge, sent, taken };
}

const busy: ViewEvent = { type: 'busy-changed', busy: true };
const focus: ViewEvent = { type: 'focus-composer' };

describe('webview/bridge', () => {
  it('settles each call with the reply of its number', async () => {
    const { bridge, sent } = open();
    const first = bridge.call('send', { text: 'one' });
    const second = bridge.call('stop');
    assert.deepEqual(
      sent.map(({ method, params }) => [method, params]),
      [
        ['send', { text: 'one' }],
        ['stop', undefined],
      ],
    );
    bridge.receive({ type: 'reply', id: sent[1]?.id });
    await second;
    bridge.receive({ type: 'reply', id: sent[0]?.id, err: 'No key is set.' });
    await assert.rejects(first, { message: 'No key is set.' });
  });

  it('rejects a call that cannot be sent', async () => {
    const bridge = new Bridge(
      {
        postMessage: () => {
          throw new Error('cannot be cloned');
        },
      },
      () => undefined,
    );
    await assert.rejects(bridge.call('stop'), { message: 'cannot be cloned' });
  });

  it('applies events in order and ignores repeats', () => {
    const { bridge, taken, sent } = open();
    bridge.receive({ type: 'events', seq: 1, events: [busy] });
    bridge.receive({ type: 'events', seq: 2, events: [focus] });
    bridge.receive({ type: 'events', seq: 2, events: [focus] });
    assert.deepEqual(taken, [busy, focus]);
    assert.deepEqual(sent, []);
  });

  it('requests one snapshot after a gap, and applies nothing until it arrives', () => {
    const { bridge, taken, sent } = open();
    bridge.receive({ type: 'events', seq: 1, events: [busy] });
    bridge.receive({ type: 'events', seq: 3, events: [focus] });
    bridge.receive({ type: 'events', seq: 4, events: [focus] });
    assert.deepEqual(taken, [busy]);
    assert.deepEqual(
      sent.map(({ method }) => method),
      ['ready'],
    );
    bridge.receive({ type: 'events', seq: 1, events: [busy] });
    bridge.receive({ type: 'events', seq: 2, events: [focus] });
    assert.deepEqual(taken, [busy, busy, focus]);
  });

  it('ignores what is not a message of the host', () => {
    const { bridge, taken } = open();
    for (const message of [undefined, null, 'text', {}, { type: 'other', seq: 1, events: [busy] }])
      bridge.receive(message);
    assert.deepEqual(taken, []);
  });

  it('shows the host’s text of a failed call, and nothing if the user cancelled', async () => {
    for (const [err, shown] of [
      ['No key is set.', 'No key is set.'],
      ['', undefined],
    ] as const) {
      const { bridge, sent } = open();
      const call = bridge.call('attach');
      bridge.receive({ type: 'reply', id: sent[0]?.id, err });
      assert.equal(await call.then(() => 'done', errorText), shown);
    }
  });
});
