import assert from 'node:assert/strict';
import type { AuditData } from '../../../src/protocol/audit/auditMessages.ts';
import type { CallMessage } from '../../../src/protocol/channel.ts';
import { AuditState } from '../../../src/webview/audit/state.ts';
import { messageOf } from '../../tools/auditPreview/sent.ts';
import { auditRow } from './auditSamples.ts';

function start(kept?: unknown): {
  readonly state: AuditState;
  readonly calls: CallMessage[];
  readonly saved: unknown[];
} {
  const calls: CallMessage[] = [];
  const saved: unknown[] = [];
  const state = new AuditState({
    postMessage: (call) => calls.push(call),
    getState: () => kept,
    setState: (value) => saved.push(value),
  });
  return { state, calls, saved };
}

const data: AuditData = {
  rows: [auditRow({ at: Date.now() }), auditRow({ request: 's', at: Date.now(), model: 'x', totalTokens: 5 })],
  postures: [],
  refusals: [],
  events: [],
  isWhole: true,
  badLines: 0,
  unsigned: '',
};

describe('webview/audit: the state of the page', () => {
  it('numbers its calls, and waits until each is answered', async () => {
    const { state, calls } = start();
    const ready = state.call('ready');
    const verify = state.call('verify');
    void state.call('export', { format: 'csv' });
    assert.deepEqual(calls, [
      { type: 'call', id: 1, method: 'ready', params: undefined },
      { type: 'call', id: 2, method: 'verify', params: undefined },
      { type: 'call', id: 3, method: 'export', params: { format: 'csv' } },
    ]);
    state.receive({ type: 'reply', id: 1 });
    await ready;
    assert.deepEqual([state.isVerifying.value, state.isLoading.value], [true, true]);
    state.receive({ type: 'reply', id: 2 });
    await verify;
    assert.deepEqual([state.isVerifying.value, state.isLoading.value], [false, false]);
  });

  it('shows why a call failed until the next one', async () => {
    const { state } = start();
    const verify = state.call('verify');
    state.receive({ type: 'reply', id: 1, err: 'It cannot be read.' });
    await verify;
    assert.deepEqual([state.error.value, state.isVerifying.value], ['It cannot be read.', false]);
    void state.call('refresh');
    assert.equal(state.error.value, '');
  });

  it('a request stays open when newer data arrives, until it is closed', () => {
    const { state } = start();
    state.receive(messageOf(data));
    state.toggle('r');
    state.toggle('s');
    state.receive(messageOf(data));
    assert.deepEqual([...state.opened.value], ['r', 's']);
    state.toggle('r');
    assert.deepEqual([...state.opened.value], ['s']);
  });

  it('summarizes the filtered rows, and keeps the filter', () => {
    const { state, saved } = start();
    state.receive(messageOf(data));
    assert.equal(state.summary.value.tokens, 15);
    state.change({ model: 'x' });
    assert.deepEqual([state.rows.value.length, state.summary.value.tokens], [1, 5]);
    assert.deepEqual(start(saved[0]).state.filter.value, state.filter.value);
    state.clear();
    assert.equal(state.rows.value.length, 2);
  });

  it('new data keeps the filter and the shown rows; a new filter shows its first rows', () => {
    const { state } = start();
    state.receive(messageOf(data));
    state.change({ model: 'x' });
    const first = state.limit.value;
    state.showMore();
    state.receive(messageOf(data));
    assert.deepEqual([state.filter.value.model, state.limit.value], ['x', 2 * first]);
    state.change({ model: '' });
    assert.equal(state.limit.value, first);
  });

  it('ignores what is not a message of the host', () => {
    const { state } = start();
    state.receive(undefined);
    state.receive({});
    assert.equal(state.data.value, undefined);
  });
});
