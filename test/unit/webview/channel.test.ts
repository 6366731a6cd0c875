import assert from 'node:assert/strict';
import type { CallMessage } from '../../../src/protocol/channel.ts';
import type { PanelCalls } from '../../../src/protocol/panelCalls.ts';
import { Channel, errorText } from '../../../src/webview/channel.ts';

function open() {
  const sent: CallMessage[] = [];
  return { channel: new Channel<PanelCalls>({ postMessage: (message) => sent.push(message) }), sent };
}

describe('webview/channel', () => {
  it('settles each call with the reply of its number', async () => {
    const { channel, sent } = open();
    const first = channel.ask('send', { text: 'one', typed: 3 });
    const second = channel.ask('stop');
    assert.deepEqual(
      sent.map(({ method, params }) => [method, params]),
      [
        ['send', { text: 'one', typed: 3 }],
        ['stop', undefined],
      ],
    );
    channel.receive({ type: 'reply', id: sent[1]?.id });
    await second;
    channel.receive({ type: 'reply', id: sent[0]?.id, err: 'No key is set.' });
    await assert.rejects(first, { message: 'No key is set.' });
  });

  it('resolves a call with the value of its reply', async () => {
    const { channel, sent } = open();
    const ask = (query: string) => channel.ask('complete', { request: 1, shown: null, trigger: '@', query });
    const [first, second] = [ask('a'), ask('b')];
    const items = [{ id: 'c1', label: 'b.ts', detail: '', icon: 'file' }];
    channel.receive({ type: 'reply', id: sent[1]?.id, value: items });
    channel.receive({ type: 'reply', id: sent[0]?.id, value: null });
    assert.deepEqual([await first, await second], [null, items]);
  });

  it('rejects a call that cannot be sent', async () => {
    const channel = new Channel<PanelCalls>({
      postMessage: () => {
        throw new Error('cannot be cloned');
      },
    });
    await assert.rejects(channel.ask('stop'), { message: 'cannot be cloned' });
  });

  it('settles nothing with a number that was not asked or is answered already', async () => {
    const { channel } = open();
    let settled = 0;
    const call = channel.ask('stop').finally(() => {
      settled += 1;
    });
    for (const id of [0, 2, -1, '1', null, undefined, '__proto__']) channel.receive({ type: 'reply', id, err: 'no' });
    await Promise.resolve();
    assert.equal(settled, 0);
    channel.receive({ type: 'reply', id: 1 });
    channel.receive({ type: 'reply', id: 1, err: 'too late' });
    await call;
    assert.equal(settled, 1);
  });

  it('ignores what is not a reply', () => {
    const { channel } = open();
    let isSettled = false;
    void channel.ask('stop').then(() => {
      isSettled = true;
    });
    for (const message of [undefined, null, 'reply', {}, [], { id: 1 }, { type: 'events', id: 1 }])
      channel.receive(message);
    assert.equal(isSettled, false);
  });

  it('has no words for a cancelled call', async () => {
    const { channel } = open();
    const call = channel.ask('drop', { uris: [] });
    channel.receive({ type: 'reply', id: 1, err: '' });
    assert.equal(await call.catch(errorText), undefined);
    assert.equal(errorText(new Error('It is too large.')), 'It is too large.');
  });
});
