import assert from 'node:assert/strict';
import { messageOf, pastedIn } from '../../../src/webview/pasted.ts';

describe('webview/pasted', () => {
  it('is sent after what was typed, in its order', () => {
    assert.equal(messageOf('why', []), 'why');
    assert.equal(messageOf('/explain why', ['a', 'b']), '/explain why\n\na\n\nb');
    assert.equal(messageOf(' ', ['a']), 'a');
  });

  it('is read, whatever was kept', () => {
    for (const other of [null, undefined, 'a', {}, { pasted: 'a' }, { pasted: null }]) {
      assert.deepEqual(pastedIn(other), []);
    }
    assert.deepEqual(pastedIn({ pasted: ['a', 1, 'b'] }), ['a', 'b']);
  });
});
