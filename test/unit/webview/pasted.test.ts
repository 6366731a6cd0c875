import assert from 'node:assert/strict';
import { messageOf, pastedIn } from '../../../src/webview/composer/pasted.ts';

describe('webview/pasted', () => {
  it('is sent after the typed text, in order', () => {
    assert.equal(messageOf('why', []), 'why');
    assert.equal(messageOf('/explain why', ['a', 'b']), '/explain why\n\na\n\nb');
    assert.equal(messageOf(' ', ['a']), 'a');
  });

  it('is read from any stored value', () => {
    for (const other of [null, undefined, 'a', {}, { pasted: 'a' }, { pasted: null }]) {
      assert.deepEqual(pastedIn(other), []);
    }
    assert.deepEqual(pastedIn({ pasted: ['a', 1, 'b'] }), ['a', 'b']);
  });
});
