import assert from 'node:assert/strict';
import { fileOf, GramTable, publicBit } from '../../../../src/gate/fingerprints/gramTable.ts';
import { finished, leastCost, measured } from '../../../tools/processorTime.ts';

/** The n-th hash: each number has another one. */
const hash = (n: number): number => Math.imul(n, 0x9e3779b1) | 0;
const files = (...numbers: readonly number[]): ReadonlySet<number> => new Set(numbers);
const all = 760_000;

/** Files of a thousand hashes. */
const fileAt = (n: number): number => 1 + Math.floor(n / 1_000);

describe('gate: the table of the hashes of excluded files', () => {
  /** The longest step, in milliseconds of processor time. */
  function longestStep(): number {
    const table = new GramTable();
    let longest = 0;
    for (let from = 0; from < all; from += 1_000) {
      longest = Math.max(longest, measured(table.makeRoom(1_000)).longestMs);
      for (let n = from; n < from + 1_000; n += 1) assert.ok(table.add(hash(n), fileAt(n)));
    }
    for (let n = 0; n < all; n += 997) assert.equal(fileOf(table.find(hash(n))), fileAt(n));
    const even = new Set(Array.from({ length: all / 1_000 }, (_, index) => index + 1).filter((file) => file % 2 === 0));
    const { longestMs } = measured(table.remove(even));
    for (let n = 0; n < all; n += 997) {
      assert.equal(fileOf(table.find(hash(n))), fileAt(n) % 2 === 0 ? 0 : fileAt(n));
    }
    return Math.max(longest, longestMs);
  }

  it('grows to its full size, and loses very many files, in steps of at most 50 ms', async function () {
    this.timeout(60_000);
    const longest = await leastCost(50, longestStep);
    assert.ok(longest <= 50, `${longest} ms`);
  });

  it('is the same whatever changes while it grows', () => {
    const table = new GramTable();
    for (let n = 0; n < 170_000; n += 1) table.add(hash(n), fileAt(n));
    const growing = table.makeRoom(100_000);
    assert.equal(growing.next().done, false);
    // What is copied already, and what is new.
    table.add(hash(1), publicBit | 9_999);
    table.add(hash(170_001), 171);
    const removing = table.remove(files(3));
    removing.next();
    assert.equal(fileOf(table.find(hash(2_000))), 0);
    finished(growing);
    finished(removing);
    assert.equal(table.find(hash(1)), publicBit | 1);
    assert.equal(fileOf(table.find(hash(170_001))), 171);
    for (let n = 0; n < 170_000; n += 1) {
      assert.equal(fileOf(table.find(hash(n))), fileAt(n) === 3 ? 0 : fileAt(n), String(n));
    }
  });

  it('has room for all that was asked for, and says when it is full', () => {
    const table = new GramTable(2 ** 12);
    finished(table.makeRoom(100_000));
    let added = 0;
    while (table.add(hash(added), 1)) added += 1;
    assert.equal(added, Math.ceil(table.room));
    finished(table.makeRoom(1));
    assert.equal(fileOf(table.find(hash(0))), 1);
  });
});
