import assert from 'node:assert/strict';
import { beginningOf, isLarger, longText, partsOf } from '../../../src/webview/longText.ts';

const texts = {
  lines: 'const total = amounts.length;\n'.repeat(100_000),
  'one line': 'word '.repeat(600_000),
  'pairs of units': '😀'.repeat(50_000),
  'an odd unit before pairs': `a${'😀'.repeat(50_000)}`,
  'ends of lines alone': '\n'.repeat(30_000),
};

describe('webview/longText', () => {
  for (const [name, text] of Object.entries(texts)) {
    it(`shows ${name} in parts that together are all of it, none of them long or cut inside a character`, () => {
      const parts = partsOf(text);
      assert.equal(parts.join(''), text);
      for (const part of parts) {
        assert.ok(part.length > 0 && part.length < longText);
        assert.ok(part.isWellFormed());
      }
      const beginning = beginningOf(text);
      assert.ok(text.startsWith(beginning) && beginning.length <= 2_000 && beginning.isWellFormed());
    });
  }

  it('cuts after the end of a line if there is one', () => {
    assert.ok(partsOf(texts.lines).every((part) => part.endsWith('\n')));
  });

  it('counts bytes, not characters', () => {
    assert.equal(isLarger('x'.repeat(1_000), 1_000), false);
    assert.equal(isLarger('x'.repeat(1_001), 1_000), true);
    assert.equal(isLarger('ä'.repeat(501), 1_000), true);
    assert.equal(isLarger('ä'.repeat(500), 1_000), false);
    assert.equal(isLarger('€'.repeat(334), 1_000), true);
    assert.equal(isLarger('', 0), false);
  });
});
