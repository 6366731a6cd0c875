import assert from 'node:assert/strict';
import { quote } from '../../../src/send/message/quote.ts';

import { fenceFor } from '../../../src/util/text/fence.ts';

describe('a fence around a text', () => {
  it('is longer than any run of backticks in it', () => {
    assert.deepEqual(['', 'a `b` c', '``', '```\ncode\n```', 'x ````` y ```'].map(fenceFor), [
      '```',
      '```',
      '```',
      '````',
      '``````',
    ]);
  });

  it('handles a megabyte of fences, many short ones and one long one', () => {
    for (const text of ['```\n'.repeat(262_144), '`'.repeat(1024 * 1024)]) {
      const fence = fenceFor(text);
      assert.equal(quote({ label: 'a.md', languageId: 'markdown', text }), `a.md\n${fence}markdown\n${text}\n${fence}`);
    }
  });
});
