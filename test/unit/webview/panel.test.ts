import assert from 'node:assert/strict';
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
});
