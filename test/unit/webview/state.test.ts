import assert from 'node:assert/strict';
import type { Card } from '../../../src/protocol/card.ts';
import { reduce } from '../../../src/webview/state.ts';
import { state, turn } from './viewStates.ts';

describe('webview/state', () => {
  it('has no state before the first snapshot, for any event', () => {
    assert.equal(reduce(undefined, { type: 'delta', turnId: 'a', text: 'x' }), undefined);
    assert.equal(reduce(undefined, { type: 'snapshot', state }), state);
  });

  it('adds text to its turn and does not change the others', () => {
    const after = reduce(state, { type: 'delta', turnId: 'a', text: 'cause' });
    assert.equal(after?.turns[1]?.answer, 'Because');
    assert.equal(after?.turns[0], state.turns[0]);
    assert.equal(state.turns[1]?.answer, 'Be', 'the state before is not changed');
  });

  it('keeps the pieces of an answer, even when the turn changes', () => {
    const after = ['ca', 'use'].reduce<typeof state | undefined>(
      (before, text) => reduce(before, { type: 'delta', turnId: 'a', text }),
      state,
    );
    const growing = { piece: 'use', before: { piece: 'ca', before: { piece: 'Be' } } };
    assert.deepEqual(after?.turns[1], { ...state.turns[1], answer: 'Because', growing });
    const { answer: _, ...meta } = turn;
    const changed = reduce(after, { type: 'turn-changed', turn: { ...meta, status: 'complete' } });
    assert.deepEqual(changed?.turns[1], { ...turn, status: 'complete', answer: 'Because', growing });
  });

  it('keeps the text of thinking when the turn changes', () => {
    const after = ['Hm', '.'].reduce<typeof state | undefined>(
      (before, text) => reduce(before, { type: 'thinking', turnId: 'a', text }),
      state,
    );
    assert.deepEqual(after?.turns[1], { ...turn, thinking: 'Hm.' });
    const { answer: _, ...meta } = turn;
    const thought = { label: 'Thought for 1 s', isOpen: false };
    const changed = reduce(after, { type: 'turn-changed', turn: { ...meta, thought } });
    assert.deepEqual(changed?.turns[1], { ...turn, thinking: 'Hm.', thought });
  });

  it('has the question that waits, until it is gone', () => {
    const waiting = { text: 'Next', attachments: [], isSending: false };
    const waits = reduce(state, { type: 'waiting-changed', waiting });
    assert.deepEqual(waits, { ...state, waiting });
    assert.deepEqual(reduce(waits, { type: 'waiting-changed' }), state);
  });

  it('has the proposed changes, until there are none', () => {
    const shown = { set: 's', version: 1 };
    const changes = { shown, title: 'Proposed: 1 file.', files: [], canDecide: true, hasOpen: true };
    const proposed = reduce(state, { type: 'changes-changed', changes });
    assert.deepEqual(proposed, { ...state, changes });
    const undo = { ...changes, undo: 'Undo 1 file' };
    assert.equal(reduce(proposed, { type: 'changes-changed', changes: undo })?.changes, undo);
    assert.deepEqual(reduce(proposed, { type: 'changes-changed' }), state);
  });

  it('ignores text for an unknown turn', () => {
    assert.equal(reduce(state, { type: 'delta', turnId: 'gone', text: 'x' }), state);
  });

  it('replaces all of a turn except its answer: fields that the change omits are removed', () => {
    const retrying = { ...turn, retry: { untilMs: 1, attempt: 2, reason: 'busy' } };
    const { answer: _, ...meta } = { ...turn, status: 'complete' as const };
    const after = reduce({ ...state, turns: [retrying] }, { type: 'turn-changed', turn: meta });
    assert.deepEqual(after?.turns, [{ ...turn, status: 'complete' }]);
  });

  it('adds a turn at the end', () => {
    const added = { ...turn, id: 'b' };
    assert.deepEqual(reduce(state, { type: 'turn-added', turn: added })?.turns, [...state.turns, added]);
  });

  it('applies busy, model, posture and notice, and clears a notice', () => {
    const notice: Card = { severity: 'info', title: 'Not trusted', actions: [] };
    const blocked = { label: '', short: '', headers: [], problems: ['no'] };
    const events = [
      { type: 'busy-changed', busy: false },
      { type: 'model-changed', model: 'svc/other' },
      {
        type: 'posture-changed',
        posture: blocked,
        mayKeepDraft: false,
        messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
      },
      { type: 'notice-changed', notice },
    ] as const;
    const after = events.reduce<typeof state | undefined>(reduce, state);
    assert.deepEqual(after, {
      ...state,
      busy: false,
      model: 'svc/other',
      posture: blocked,
      mayKeepDraft: false,
      messageLimit: { bytes: 4_000_000, words: 'This is too large.' },
      notice,
    });
    assert.ok(after !== undefined && !('notice' in (reduce(after, { type: 'notice-changed' }) ?? after)));
  });

  it('is unchanged by a focus request', () => {
    assert.equal(reduce(state, { type: 'focus-composer' }), state);
  });
});
