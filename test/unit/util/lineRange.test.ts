import assert from 'node:assert/strict';
import { touches } from '../../../src/util/text/span.ts';

describe('ranges of lines', () => {
  it('touch another if they have a line in common', () => {
    assert.equal(touches([{ first: 3, last: 5 }], 1, 2), false);
    assert.equal(touches([{ first: 3, last: 5 }], 5, 9), true);
    assert.equal(touches([{ first: 3, last: 5 }], 1, 3), true);
    assert.equal(touches([], 1, 9), false);
  });
});
