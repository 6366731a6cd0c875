import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  hunkAt,
  hunksOf,
  linesOf,
  remainingHunks,
  withHunk,
  withoutHunk,
} from '../../../../src/features/edits/common/hunks.ts';
import { lineEdit } from '../../../../src/features/edits/vscode/writing/lineEdit.ts';

/** Few distinct lines, so that many are equal and occur more than once. */
const text = fc.array(fc.constantFrom('', 'a', 'b', 'c', '}', 'long line'), { maxLength: 40 });
const edited = fc.tuple(text, text);

describe('hunks of two texts', () => {
  it('are none if the texts are equal', () => {
    assert.deepEqual(hunksOf(['a', 'b'], ['a', 'b']), []);
    assert.deepEqual(hunksOf([], []), []);
  });

  it('are anchored at lines that are unique in each text, not at braces', () => {
    const before = ['function a() {', '  one();', '}', '', 'function c() {', '  three();', '}'];
    const after = [...before.slice(0, 4), 'function b() {', '  two();', '}', '', ...before.slice(4)];
    assert.deepEqual(hunksOf(before, after), [{ start: 4, end: 4, proposedStart: 4, proposedEnd: 8 }]);
  });

  it('are minimal if no line is unique', () => {
    assert.deepEqual(hunksOf(['a', 'b', 'a', 'b'], ['b', 'a', 'b', 'a']), [
      { start: 0, end: 1, proposedStart: 0, proposedEnd: 0 },
      { start: 4, end: 4, proposedStart: 3, proposedEnd: 4 },
    ]);
  });

  it('together turn one text into the other, for any texts', () => {
    fc.assert(
      fc.property(edited, ([before, after]) => {
        const made: string[] = [];
        let at = 0;
        for (const { start, end, proposedStart, proposedEnd } of hunksOf(before, after)) {
          assert.ok(start > at || proposedStart === 0 || at === 0, 'hunks that touch are one');
          made.push(...before.slice(at, start), ...after.slice(proposedStart, proposedEnd));
          at = end;
        }
        assert.deepEqual([...made, ...before.slice(at)], after);
      }),
      { numRuns: 2_000 },
    );
  });

  it('accepted or rejected one by one, in any order, leave the other hunks unchanged', () => {
    fc.assert(
      fc.property(edited, fc.array(fc.tuple(fc.boolean(), fc.nat())), ([before, after], choices) => {
        let original: readonly string[] = before;
        let proposed: readonly string[] = after;
        let hunks = hunksOf(original, proposed);
        const words = (): readonly string[] =>
          hunks.map(({ start, end, proposedStart, proposedEnd }) =>
            [...original.slice(start, end), '->', ...proposed.slice(proposedStart, proposedEnd)].join('|'),
          );
        for (const [isAccepted, index] of choices) {
          const hunk = hunks[index % Math.max(1, hunks.length)];
          if (hunk === undefined) break;
          const others = words().filter((_, each) => hunks[each] !== hunk);
          if (isAccepted) original = withHunk(original, proposed, hunk);
          else proposed = withoutHunk(original, proposed, hunk);
          hunks = remainingHunks(hunks, hunk, isAccepted);
          assert.deepEqual(words(), others);
        }
        // The remaining hunks still turn one text into the other.
        for (const hunk of [...hunks].reverse()) original = withHunk(original, proposed, hunk);
        assert.deepEqual(original, proposed);
      }),
      { numRuns: 2_000 },
    );
  });

  it('hunks of 10,000 lines cost only as much as the lines that differ', () => {
    const before = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
    const after = before.map((line, index) => (index % 10 === 0 ? `${line}!` : line));
    assert.equal(hunksOf(before, after).length, 1_000);
    const other = before.map((line) => `${line}?`);
    assert.deepEqual(hunksOf(before, other), [{ start: 0, end: 10_000, proposedStart: 0, proposedEnd: 10_000 }]);
    // Every line occurs many times: no anchor helps.
    const same = before.map((_, index) => `row ${index % 7}`);
    const turned = [...same].reverse();
    assert.ok(hunksOf(same, turned).length >= 1);
  });

  it('are found from a line of the proposed text, even if lines were only removed', () => {
    const hunks = hunksOf(['a', 'gone', 'b', 'c'], ['a', 'b', 'new', 'c']);
    assert.deepEqual(hunkAt(hunks, 2), hunks[1]);
    assert.deepEqual(hunkAt(hunks, 1), hunks[0]);
    assert.deepEqual(hunkAt(hunks, 0), hunks[0]);
    assert.equal(hunkAt(hunks, 3), undefined);
  });
});

describe('the edit of a hunk', () => {
  const lineEnd = fc.constantFrom('\n', '\r\n');

  it('applies that hunk to the document with its line endings, for any texts', () => {
    fc.assert(
      fc.property(edited, lineEnd, ([before, after], end) => {
        const lines = before.length === 0 ? [''] : before;
        const wanted = after.length === 0 ? [''] : after;
        for (const hunk of hunksOf(lines, wanted)) {
          const { start, end: until, text: put } = lineEdit(hunk, lines, wanted, end);
          const offset = ({ line, character }: typeof start): number =>
            lines.slice(0, line).reduce((sum, each) => sum + each.length + end.length, 0) + character;
          const document = lines.join(end);
          const result = document.slice(0, offset(start)) + put + document.slice(offset(until));
          const expected = withHunk(lines, wanted, hunk);
          assert.equal(result, (expected.length === 0 ? [''] : expected).join(end));
          assert.deepEqual(linesOf(result), expected.length === 0 ? [''] : expected);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
