import assert from 'node:assert/strict';
import { type GrowingText, newSince } from '../../../src/webview/growingText.ts';

const first: GrowingText = { piece: 'a' };
const second: GrowingText = { piece: 'b', before: first };
const third: GrowingText = { piece: 'c', before: second };

describe('webview/growingText', () => {
  it('returns what follows the known text', () => {
    assert.equal(newSince(third, first), 'bc');
    assert.equal(newSince(third, third), '');
  });

  it('returns nothing for another text', () => {
    assert.equal(newSince(third, { piece: 'a' }), undefined);
  });
});
