import assert from 'node:assert/strict';
import type { AuditCall, AuditData } from '../../../src/protocol/auditMessages.ts';
import { AuditState } from '../../../src/webview/audit/state.ts';
import { auditRow } from './auditSamples.ts';

function start(kept?: unknown): { readonly state: AuditState; readonly calls: AuditCall[]; readonly saved: unknown[] } {
  const calls: AuditCall[] = [];
  const saved: unknown[] = [];
  const state = new AuditState({
    postMessage: (call) => calls.push(call),
    getState: () => kept,
    setState: (value) => saved.push(value),
  });
  return { state, calls, saved };
}

const data: AuditData = {
  rows: [auditRow({ at: Date.now() }), auditRow({ at: Date.now(), model: 'x', tokens: 5 })],
  postures: [],
  events: [],
  badLines: 0,
};

describe('webview/audit: the state of the page', () => {
  it('numbers its calls, and waits until each is answered', () => {
    const { state, calls } = start();
    state.call({ type: 'ready' });
    state.call({ type: 'verify' });
    state.call({ type: 'export', format: 'csv' });
    assert.deepEqual(calls, [
      { type: 'ready', id: 1 },
      { type: 'verify', id: 2 },
      { type: 'export', id: 3, format: 'csv' },
    ]);
    state.take({ type: 'reply', id: 1 });
    assert.deepEqual([state.isVerifying.value, state.isLoading.value], [true, true]);
    state.take({ type: 'reply', id: 2 });
    assert.deepEqual([state.isVerifying.value, state.isLoading.value], [false, false]);
  });

  it('shows why a call failed until the next one', () => {
    const { state } = start();
    state.call({ type: 'verify' });
    state.take({ type: 'reply', id: 1, err: 'It cannot be read.' });
    assert.deepEqual([state.error.value, state.isVerifying.value], ['It cannot be read.', false]);
    state.call({ type: 'refresh' });
    assert.equal(state.error.value, '');
  });

  it('summarizes the filtered rows, and keeps the filter', () => {
    const { state, saved } = start();
    state.take({ type: 'data', data });
    assert.equal(state.summary.value.tokens, 15);
    state.change({ model: 'x' });
    assert.deepEqual([state.rows.value.length, state.summary.value.tokens], [1, 5]);
    assert.deepEqual(start(saved[0]).state.filter.value, state.filter.value);
    state.clear();
    assert.equal(state.rows.value.length, 2);
  });

  it('new data keeps the filter and the shown rows; a new filter shows its first rows', () => {
    const { state } = start();
    state.take({ type: 'data', data });
    state.change({ model: 'x' });
    const first = state.limit.value;
    state.showMore();
    state.take({ type: 'data', data: { ...data } });
    assert.deepEqual([state.filter.value.model, state.limit.value], ['x', 2 * first]);
    state.change({ model: '' });
    assert.equal(state.limit.value, first);
  });

  it('ignores what is not a message of the host', () => {
    const { state } = start();
    state.take(undefined);
    state.take({} as never);
    assert.equal(state.data.value, undefined);
  });
});
