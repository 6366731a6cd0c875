import assert from 'node:assert/strict';
import { appliedOneByOne, appliedTogether, ordinaryCases, unclearCases } from './ordinary.ts';

describe('an ordinary answer of a model', () => {
  for (const one of ordinaryCases()) {
    it(`is placed as a user expects: ${one.name}`, () => {
      assert.deepEqual(appliedOneByOne(one), one.meant);
      const together = appliedTogether(one);
      if (together !== null) assert.deepEqual(together, one.meant);
    });
  }
});

describe('an answer that may be only a part', () => {
  for (const one of unclearCases()) {
    it(`deletes nothing: ${one.name}`, () => {
      const applied = appliedOneByOne(one);
      assert.equal(typeof applied, 'string', 'It is applied.');
    });
  }
});
