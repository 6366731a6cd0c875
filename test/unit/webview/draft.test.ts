import assert from 'node:assert/strict';
import type { Editing } from '../../../src/protocol/unsentText.ts';
import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import { commandIn, draftIn, editingIn, endIn, summaryIn, wasSent } from '../../../src/webview/composer/draft.ts';
import { PanelState } from '../../../src/webview/panel.ts';
import { state, turn } from './viewStates.ts';

const editing: Editing = { turnId: 'a', text: 'Why not?', attachments: [1] };

describe('webview: the unsent draft', () => {
  it('names its command as soon as it is complete', () => {
    assert.deepEqual(
      ['/audit', '/audit of it', '/audit\nit', '/', ' /audit', 'a /audit', '/Audit', ''].map(commandIn),
      ['audit', 'audit', 'audit', ...['', '', '', '', '']],
    );
  });

  it('is read from any stored value', () => {
    assert.deepEqual(editingIn({ draft: 'a', editing }), editing);
    for (const other of [null, undefined, 'a', {}, { editing: null }, { editing: { ...editing, text: 1 } }])
      assert.equal(editingIn(other), undefined);
    assert.deepEqual(editingIn({ editing: { ...editing, attachments: [0, 'x', 2.5, 3] } })?.attachments, [0, 3]);
    assert.equal(draftIn({ editing }), '');
    const summary = { turnId: 'a', text: 'The port is 9000.' };
    assert.deepEqual(summaryIn({ draft: 'a', summary: { ...summary, other: 1 } }), summary);
    for (const other of [null, undefined, 'a', {}, { summary: null }, { summary: { ...summary, turnId: 1 } }])
      assert.equal(summaryIn(other), undefined);
  });
});

describe('webview: a draft that was sent, in the saved state of a page', () => {
  const end = { conversationId: 'c', turnId: 'a' };
  const turns = [
    { id: 'a', prompt: 'Go on' },
    { id: 'b', prompt: 'Why?' },
  ];

  it('is known by a turn with its text after the end that it was typed for', () => {
    assert.equal(wasSent('Why?', end, 'c', turns), true);
    assert.equal(wasSent(' Why?\n', end, 'c', turns), true);
    assert.equal(wasSent('Go on', { ...end, turnId: '' }, 'c', turns), true);
    // The same text is typed again, or a part of it.
    assert.equal(wasSent('Go on', end, 'c', turns), false);
    assert.equal(wasSent('Why?', { ...end, turnId: 'b' }, 'c', turns), false);
    assert.equal(wasSent('Why', end, 'c', turns), false);
    assert.equal(wasSent('', end, 'c', [...turns, { id: 'c', prompt: '' }]), false);
  });

  it('is kept where another conversation or branch is shown, and where an earlier version has saved it', () => {
    assert.equal(wasSent('Why?', end, 'other', turns), false);
    assert.equal(wasSent('Why?', end, undefined, turns), false);
    assert.equal(wasSent('Why?', { ...end, turnId: 'hidden' }, 'c', turns), false);
    assert.equal(wasSent('Why?', endIn({ draft: 'Why?' }), 'c', turns), false);
    for (const other of [null, 'a', { end: null }, { end: { conversationId: 1, turnId: 'a' } }])
      assert.equal(endIn(other), undefined);
    assert.deepEqual(endIn({ end }), end);
  });
});

describe('webview: an edited question', () => {
  function start(): PanelState {
    const panel = new PanelState({} as ViewStrings);
    panel.editing.value = editing;
    return panel;
  }

  it('waits for its conversation, which is read from disk', () => {
    const panel = start();
    panel.take([{ type: 'snapshot', state: { ...state, turns: [] } }]);
    panel.take([{ type: 'snapshot', state }]);
    assert.equal(panel.editedTurn.value, turn.id);
  });

  it('is dropped with its turn: another branch, or a deleted conversation', () => {
    const panel = start();
    panel.take([{ type: 'snapshot', state }]);
    panel.take([{ type: 'turn-added', turn: { ...turn, id: 'next' } }]);
    assert.equal(panel.editedTurn.value, turn.id);
    panel.take([{ type: 'snapshot', state: { ...state, turns: [] } }]);
    assert.equal(panel.editing.value, undefined);
  });

  it('is dropped when another conversation is shown', () => {
    const panel = start();
    panel.take([{ type: 'snapshot', state: { ...state, turns: [] } }]);
    panel.take([{ type: 'turn-added', turn: { ...turn, id: 'of another' } }]);
    assert.equal(panel.editing.value, undefined);
  });
});

describe('webview: an edited summary', () => {
  it('waits for its conversation, and is dropped with its turn', () => {
    const panel = new PanelState({} as ViewStrings);
    panel.editedSummary.value = { turnId: turn.id, text: 'The port is 9000.' };
    panel.take([{ type: 'snapshot', state: { ...state, turns: [] } }]);
    panel.take([{ type: 'snapshot', state }]);
    assert.equal(panel.editedSummary.value?.text, 'The port is 9000.');
    panel.take([{ type: 'snapshot', state: { ...state, turns: [] } }]);
    assert.equal(panel.editedSummary.value, undefined);
  });
});

describe('webview: text that an earlier page left with the host', () => {
  const summary = { turnId: turn.id, text: 'The port is 9000.' };
  const text = { draft: 'half a', pasted: ['long'], editing: { ...editing, turnId: turn.id }, summary };

  it('comes back with the first snapshot of a page, and never again', () => {
    const panel = new PanelState({} as ViewStrings);
    panel.take([
      { type: 'snapshot', state },
      { type: 'text-restored', text },
    ]);
    assert.deepEqual(panel.restored.value, text);
    assert.deepEqual([panel.editing.value, panel.editedSummary.value], [text.editing, summary]);
    // A gap in the events asks for a snapshot: meanwhile the user has typed and left the editors.
    panel.restored.value = undefined;
    panel.editing.value = undefined;
    panel.editedSummary.value = undefined;
    panel.take([
      { type: 'snapshot', state },
      { type: 'text-restored', text },
    ]);
    assert.deepEqual(
      [panel.restored.value, panel.editing.value, panel.editedSummary.value],
      [undefined, undefined, undefined],
    );
  });

  it('comes back without the editors of a conversation or branch that is not shown', () => {
    const panel = new PanelState({} as ViewStrings);
    panel.take([
      { type: 'snapshot', state: { ...state, turns: [{ ...turn, id: 'other' }] } },
      { type: 'text-restored', text },
    ]);
    assert.equal(panel.restored.value?.draft, 'half a');
    assert.deepEqual([panel.editing.value, panel.editedSummary.value], [undefined, undefined]);
  });

  it('does not come back if unsent text is deleted before', () => {
    const panel = new PanelState({} as ViewStrings);
    panel.take([{ type: 'snapshot', state }, { type: 'text-restored', text }, { type: 'draft-purged' }]);
    assert.equal(panel.restored.value, undefined);
    assert.equal(panel.purges.value, 1);
  });
});
