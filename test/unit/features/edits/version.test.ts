import assert from 'node:assert/strict';
import { Version } from '../../../../src/features/edits/common/version.ts';

describe('edits: the number of a state', () => {
  it('grows with each part that is replaced, added or removed, and stays otherwise', () => {
    const version = new Version();
    const lines = ['a'];
    const numbers = [
      [lines, 'proposed'],
      [lines, 'proposed'],
      [['a'], 'proposed'],
      [['a'], 'stale'],
      [],
      [],
      [undefined],
    ].map((parts) => version.of(parts));
    assert.deepEqual(numbers, [1, 1, 2, 3, 4, 4, 5]);
  });
});
