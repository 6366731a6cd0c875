import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Carried, carryOver } from '../../../../src/features/edits/common/carryOver.ts';
import { hunksOf, withHunk, withoutHunk } from '../../../../src/features/edits/common/hunks.ts';
import { Dice } from '../../../tools/dice.ts';

type Lines = readonly string[];

const carriedOf = (original: Lines, proposed: Lines): Carried => ({
  original,
  proposed,
  hunks: hunksOf(original, proposed),
});
const carried = (original: string, proposed: string, current: string): string | undefined =>
  carryOver(carriedOf(original.split(' '), proposed.split(' ')), current.split(' '))?.proposed.join(' ');

describe('edits: hunks carried over to a text that has changed', () => {
  const rows: readonly (readonly [what: string, from: string, to: string, current: string, result?: string])[] = [
    ['lines were added above', 'a b c d e', 'a b C d e', 'x a b c d e', 'x a b C d e'],
    ['lines were added below', 'a b c d e', 'a b C d e', 'a b c d e x y', 'a b C d e x y'],
    ['another line was changed', 'a b c d e f g', 'a b C d e f g', 'a b c d e f X', 'a b C d e f X'],
    ['lines are added', 'a b c d', 'a b new c d', 'x a b c d', 'x a b new c d'],
    ['lines are removed', 'a b c d e', 'a b d e', 'x a b c d e', 'x a b d e'],
    ['lines are added before the first', 'a b c', 'new a b c', 'x a b c', 'x new a b c'],
    ['lines are added after the last', 'a b c', 'a b c new', 'x a b c', 'x a b c new'],
    [
      'parts have changed their order',
      'a b c d e f g h',
      'a b C d e F g h',
      'd e f g h a b c d e',
      'd e F g h a b C d e',
    ],
    ['both sides of a change stand close', 'a b c d e', 'A b C d E', 'x a b c d e', 'x A b C d E'],
    ['the changed line is another one', 'a b c d e', 'a b C d e', 'a b X d e'],
    ['the first of two lines before is another one', 'a b c d e', 'a b C d e', 'X b c d e'],
    ['the second of two lines after is another one', 'a b c d e', 'a b C d e', 'a b c d X'],
    ['there are two places', 'a b c d e', 'a b C d e', 'a b c d e a b c d e'],
    ['one of two hunks has no place', 'a b c d e f g h', 'A b c d e f g H', 'x a b c d e f g X'],
    ['the change is there already', 'a b c d', 'a b new c d', 'x a b new c d'],
    ['nothing is left', 'a b c', 'a B c', ''],
    ['two hunks would have the same place', 'a a b b a a b b', 'a a x b b a a y b b', 'a a b b'],
  ];
  for (const [what, from, to, current, result] of rows) {
    it(`${result === undefined ? 'have no place' : 'have their place'} if ${what}`, () => {
      assert.equal(carried(from, to, current), result);
    });
  }

  it('change nothing else, and are all placed where each has exactly one place, or none is', () => {
    let placed = 0;
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), (seed) => {
        const dice = new Dice(seed);
        const original = Array.from({ length: dice.below(14) + 1 }, () => `${dice.below(dice.pick([3, 30]))}`);
        const edited = (lines: Lines, mark: string): Lines => {
          let now = lines;
          for (let edits = dice.below(4); edits > 0; edits -= 1) {
            const at = dice.below(now.length + 1);
            now = now.toSpliced(at, dice.below(3), ...Array.from({ length: dice.below(3) }, () => `${mark}${edits}`));
          }
          return now;
        };
        const from = carriedOf(original, edited(original, 'new'));
        const current = edited(original, 'own');
        const result = carryOver(from, current);
        const places = from.hunks.map((hunk) => placesOf(from, hunk, current));
        const starts = places.flat().sort(([a], [b]) => a - b);
        const areApart = starts.every(([start], at) => {
          const before = starts[at - 1];
          return before === undefined || (start >= before[1] && start > before[0]);
        });
        assert.equal(result !== null, places.every(({ length }) => length === 1) && areApart);
        if (result === null) return;
        placed += from.hunks.length;
        assert.deepEqual(result.original, current);
        assert.deepEqual(
          result.hunks.map(({ start, end }) => [start, end]),
          starts,
        );
        // With every hunk, the text is the proposed one; without any, it is the text of the user.
        const all = result.hunks.toReversed();
        assert.deepEqual(
          all.reduce((lines, hunk) => withHunk(lines, result.proposed, hunk), current),
          result.proposed,
        );
        assert.deepEqual(
          all.reduce((lines, hunk) => withoutHunk(current, lines, hunk), result.proposed),
          current,
        );
        const put = ({ proposed, hunks }: Carried): readonly string[] =>
          hunks.map((hunk) => JSON.stringify(proposed.slice(hunk.proposedStart, hunk.proposedEnd))).sort();
        assert.deepEqual(put(result), put(from));
      }),
      { numRuns: 3_000 },
    );
    assert.ok(placed > 500, `${placed} hunks were placed`);
  });

  it('are the same in the same text', () => {
    const from = carriedOf(['a', 'b', 'c', 'd', 'e', ''], ['a', 'B', 'c', 'd', 'e', 'f', '']);
    assert.deepEqual(carryOver(from, from.original), from);
  });

  it('are found in a large text, and given up in one that could take hours', () => {
    const original = Array.from({ length: 200_000 }, (_, at) => `line ${at}`);
    const many = carriedOf(
      original,
      original.map((line, at) => (at % 7 === 3 ? `${line}!` : line)),
    );
    const result = carryOver(many, ['first', ...original]);
    assert.equal(result?.proposed.length, 200_001);
    assert.equal(result.hunks.length, many.hunks.length);
    // Each hunk nearly fits at each of half of the lines.
    const two = Array.from({ length: 200_000 }, (_, at) => ['a', 'b', 'a', 'a', 'b', 'b'][(at * at) % 6] ?? '');
    const hunks = Array.from({ length: 40_000 }, (_, at) => ({
      ...{ start: at * 5, end: at * 5 + 1 },
      ...{ proposedStart: at * 5, proposedEnd: at * 5 + 1 },
    }));
    assert.equal(carryOver({ original: two, proposed: two, hunks }, [...two, 'a']), null);
  });
});

/** Finds each place of a hunk by comparing all of them. */
function placesOf(
  { original }: Carried,
  { start, end }: Carried['hunks'][number],
  current: Lines,
): (readonly [start: number, end: number])[] {
  const first = Math.max(0, start - 2);
  const wanted = original.slice(first, end + 2);
  const found: (readonly [number, number])[] = [];
  for (let at = 0; at + wanted.length <= current.length; at += 1) {
    const begin = at + start - first;
    if (wanted.every((line, index) => line === current[at + index])) found.push([begin, begin + end - start]);
  }
  return found;
}
