import assert from 'node:assert/strict';
import type { Card } from '../../../src/protocol/card.ts';
import type { ViewState } from '../../../src/protocol/panelEvents.ts';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import type { ViewStrings } from '../../../src/protocol/viewStrings.ts';
import { PanelState } from '../../../src/webview/panel.ts';
import { state, turn } from './viewStates.ts';

const strings = { answerComplete: '' } as ViewStrings;

describe('webview/panel', () => {
  it('passes streamed text only to its answer, and all of it to the view with the next change', () => {
    const panel = new PanelState(strings);
    panel.take([{ type: 'snapshot', state }]);
    let drawn = 0;
    const stop = panel.turns.subscribe(() => {
      drawn += 1;
    });
    panel.take([{ type: 'delta', turnId: 'a', text: 'ca' }]);
    panel.take([{ type: 'delta', turnId: 'a', text: 'use' }]);
    assert.equal(panel.grown.value?.answer, 'Because');
    assert.equal(panel.turns.value, state.turns);
    assert.equal(drawn, 1, 'as it was subscribed, and not since');
    const { answer: _, ...meta } = turn;
    panel.take([{ type: 'turn-changed', turn: { ...meta, status: 'complete' } }]);
    assert.equal(panel.turns.value?.[1]?.answer, 'Because');
    assert.equal(panel.grown.value, undefined);
    stop();
  });

  it('ignores text for an unknown turn', () => {
    const panel = new PanelState(strings);
    panel.take([
      { type: 'snapshot', state },
      { type: 'delta', turnId: 'gone', text: 'x' },
    ]);
    assert.equal(panel.grown.value, undefined);
  });

  it('has the messages that go back to the composer, until unsent text is deleted', () => {
    const panel = new PanelState(strings);
    const returned = (typed: string) => ({ type: 'message-returned', typed, pasted: '' }) as const;
    panel.take([{ type: 'snapshot', state }, returned('a'), returned('b')]);
    assert.deepEqual(panel.returned.value, [returned('a'), returned('b')]);
    panel.take([{ type: 'draft-purged' }]);
    assert.deepEqual(panel.returned.value, []);
  });

  it('shows the next step of the set-up once: not beside a card that offers the same step', () => {
    const panel = new PanelState(strings);
    const action = { id: 'setApiKey', label: 'Set API Key' } as const;
    const notice: Card = { severity: 'info', title: 'Store your API key', actions: [action] };
    const refused: Card = { severity: 'error', title: 'The API key was not accepted', actions: [action] };
    const shown = (more: Partial<ViewState>) => {
      panel.take([{ type: 'snapshot', state: { ...state, notice, turns: [], ...more } }]);
      return panel.shownNotice.value;
    };
    assert.equal(shown({}), notice);
    assert.equal(shown({ messages: [{ id: 'outcome', card: refused }] }), undefined);
    assert.equal(shown({ messages: [{ id: 'outcome', card: { ...refused, actions: [] } }] }), notice);
    assert.equal(shown({ turns: [{ ...turn, status: 'failed', card: refused }] }), undefined);
    // Only the set-up has steps: two settings can be opened.
    const settings = { ...notice, actions: [{ id: 'openSettings', label: 'Open Settings', setting: 'a' }] } as const;
    assert.equal(shown({ notice: settings, messages: [{ id: 'outcome', card: settings }] }), undefined);
    const other = { ...settings, title: 'Another' };
    assert.equal(shown({ notice: settings, messages: [{ id: 'outcome', card: other }] }), settings);
  });

  it('shows a notice once: not beside the same words on the last turn', () => {
    const panel = new PanelState(strings);
    const notice: Card = { severity: 'error', title: 'Not trusted', detail: 'Unknown settings', actions: [] };
    const failed = (card: Card, id = 'a') => ({ ...turn, id, status: 'failed' as const, card });
    const shown = (...turns: readonly TurnView[]) => {
      panel.take([{ type: 'snapshot', state: { ...state, notice, turns } }]);
      return panel.shownNotice.value;
    };
    assert.equal(shown(), notice);
    assert.equal(shown(turn), notice);
    // Its buttons differ: the turn can be retried.
    assert.equal(shown(failed({ ...notice, actions: [{ id: 'retry', label: 'Retry' }] })), undefined);
    assert.equal(shown(failed({ ...notice, detail: 'Something else' })), notice);
    assert.equal(shown(failed(notice), { ...turn, id: 'b' }), notice);
  });
});
