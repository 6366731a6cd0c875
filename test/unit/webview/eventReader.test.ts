import assert from 'node:assert/strict';
import type { ViewEvent } from '../../../src/protocol/panelEvents.ts';
import { EventReader } from '../../../src/webview/eventReader.ts';

function open() {
  const taken: ViewEvent[] = [];
  let asked = 0;
  const reader = new EventReader(
    () => {
      asked += 1;
    },
    (events) => taken.push(...events),
  );
  return { reader, taken, asked: () => asked };
}

const busy: ViewEvent = { type: 'busy-changed', busy: true };
const focus: ViewEvent = { type: 'focus-composer' };

describe('webview/eventReader', () => {
  it('applies events in order and ignores repeats', () => {
    const { reader, taken, asked } = open();
    reader.receive({ type: 'events', seq: 1, events: [busy] });
    reader.receive({ type: 'events', seq: 2, events: [focus] });
    reader.receive({ type: 'events', seq: 2, events: [focus] });
    assert.deepEqual(taken, [busy, focus]);
    assert.equal(asked(), 0);
  });

  it('requests one snapshot after a gap, and applies nothing until it arrives', () => {
    const { reader, taken, asked } = open();
    reader.receive({ type: 'events', seq: 1, events: [busy] });
    reader.receive({ type: 'events', seq: 3, events: [focus] });
    reader.receive({ type: 'events', seq: 4, events: [focus] });
    assert.deepEqual(taken, [busy]);
    assert.equal(asked(), 1);
    reader.receive({ type: 'events', seq: 1, events: [busy] });
    reader.receive({ type: 'events', seq: 2, events: [focus] });
    assert.deepEqual(taken, [busy, busy, focus]);
  });

  it('ignores what is not a message of the host', () => {
    const { reader, taken } = open();
    for (const message of [undefined, null, 'text', {}, { type: 'other', seq: 1, events: [busy] }])
      reader.receive(message);
    assert.deepEqual(taken, []);
  });
});
