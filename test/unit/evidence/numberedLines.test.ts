import assert from 'node:assert/strict';
import { NumberedLines } from '../../../src/evidence/verify/numberedLines.ts';

describe('lines by their number', () => {
  const line = (seq: number, leaf: number, prev: number) => ({
    ...{ seq, leaf: Buffer.alloc(32, leaf), prev: Buffer.alloc(32, prev) },
    ...{ time: seq, file: 1, line: 2 * seq },
  });

  it('follow each other only if every byte of the hash is the same', () => {
    const digit = '5'.charCodeAt(0);
    for (const [prev, follows] of [
      [digit, true],
      [0, false],
      [digit + 1, false],
    ] as const) {
      const lines = new NumberedLines();
      lines.add(line(1, digit, 0));
      lines.add(line(2, 7, prev));
      const tip = Buffer.alloc(32, digit);
      assert.equal(lines.stepTo(2, tip), follows ? 2 : null);
      assert.deepEqual(tip, Buffer.alloc(32, follows ? 7 : digit));
      assert.deepEqual(lines.first(2), line(2, 7, prev));
    }
  });

  it('are not a single step if another line has the number, or the one before', () => {
    const lines = new NumberedLines();
    for (const one of [line(1, 1, 0), line(1, 2, 0), line(2, 3, 1), line(3, 4, 3), line(9, 5, 4)]) lines.add(one);
    assert.equal(lines.stepTo(1, Buffer.alloc(32, 0)), null);
    assert.equal(lines.stepTo(2, Buffer.alloc(32, 1)), null);
    assert.equal(lines.stepTo(3, Buffer.alloc(32, 3)), 3);
    assert.deepEqual([...lines.numbers()], [1, 2, 3, 9]);
  });
});
