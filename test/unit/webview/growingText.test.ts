import assert from 'node:assert/strict';
import { type GrowingText, newSince } from '../../../src/webview/growingText.ts';

const first: GrowingText = { piece: 'a' };
const second: GrowingText = { piece: 'b', before: first };
const third: GrowingText = { piece: 'c', before: second };

describe('webview/growingText', () => {
  it('finds what came after what is known', () => {
    assert.equal(newSince(third, first, undefined), 'bc');
    assert.equal(newSince(third, third, undefined), '');
  });

  it('finds what came after a beginning that is shown', () => {
    assert.equal(newSince(third, undefined, 'a'), 'bc');
  });

  it('finds nothing where the text is another one', () => {
    assert.equal(newSince(third, undefined, 'x'), undefined);
    assert.equal(newSince(third, { piece: 'a' }, undefined), undefined);
  });
});
