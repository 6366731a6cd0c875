import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Suspects } from '../../../../src/send/form/suspects.ts';

/** Sends requests until nothing is left to try. Returns how many were refused. */
function narrowed(start: Suspects, isBad: (name: string) => boolean): { suspects: Suspects; refused: number } {
  let suspects = start;
  let refused = 0;
  for (let times = 0; suspects.trial.length > 0; times += 1) {
    assert.ok(times < 1000, 'it ends');
    const isAccepted = !suspects.trial.some(isBad);
    if (!isAccepted) refused += 1;
    suspects = suspects.tried(isAccepted);
  }
  return { suspects, refused };
}

describe('tools that a service seems to refuse', () => {
  it('are narrowed to exactly those that it refuses, whatever these are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(fc.nat(199)), (count, bad) => {
        const names = Array.from({ length: count }, (_, index) => `t${index}`);
        const refused = new Set(bad.map((index) => `t${index}`).filter((name) => names.includes(name)));
        const { suspects } = narrowed(new Suspects().with(names), (name) => refused.has(name));
        assert.deepEqual(new Set(suspects.names), refused);
      }),
    );
  });

  it('are narrowed with a refusal for each halving at most, if one of them is refused', () => {
    const names = Array.from({ length: 128 }, (_, index) => `t${index}`);
    for (const name of names) {
      const { suspects, refused } = narrowed(new Suspects().with(names), (each) => each === name);
      assert.deepEqual(suspects.names, [name]);
      assert.ok(refused <= 8, `${refused} refused`);
    }
  });

  it('come back if the fault has passed', () => {
    const { suspects, refused } = narrowed(new Suspects().with(['a', 'b', 'c', 'd', 'e']), () => false);
    assert.deepEqual([suspects.names, refused], [[], 0]);
  });

  it('tools that the service has named are not tried again', () => {
    const named = new Suspects().with(['a', 'b', 'c', 'd']).withNamed(['b', 'x']);
    assert.deepEqual(new Set(named.names), new Set(['a', 'b', 'c', 'd', 'x']));
    const { suspects } = narrowed(named, () => false);
    assert.deepEqual(new Set(suspects.names), new Set(['b', 'x']));
  });

  it('are in one group only', () => {
    assert.deepEqual(new Suspects().with(['a', 'b']).with(['b', 'c']).names, ['a', 'b', 'c']);
    assert.deepEqual(new Suspects().withNamed(['a']).withNamed(['a']).names, ['a']);
  });
});
