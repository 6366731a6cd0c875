import assert from 'node:assert/strict';
import fc from 'fast-check';
import { addedLines, linesIn } from '../../../../src/evidence/provenance/addedLines.ts';
import { withoutSpace } from '../../../../src/evidence/provenance/lineKeys.ts';

describe('the lines that a text has gained', () => {
  it('are those that are new, with their numbers', () => {
    assert.deepEqual(addedLines('one\ntwo\nthree\n', 'one\nnew\nthree\nlast\n'), {
      lines: [
        { number: 2, text: 'new' },
        { number: 4, text: 'last' },
      ],
      removed: 1,
    });
  });

  it('are not those that were only indented, or got other line endings', () => {
    assert.deepEqual(addedLines('a {\nb\n}\n', 'a  {\r\n  b\r\n}\r\n'), { lines: [], removed: 0 });
  });

  it('do not include an empty last line, as in git', () => {
    assert.deepEqual(linesIn(''), []);
    assert.deepEqual(linesIn('a'), ['a']);
    assert.deepEqual(linesIn('a\n\n'), ['a', '']);
    assert.equal(addedLines('', 'a\n').lines.length, 1);
  });

  it('the gained lines and the lines that stayed make up the new text', () => {
    const text = fc.array(fc.constantFrom('a', ' a', 'b', '}', ''), { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { lines, removed } = addedLines(before, after);
        const [old, young] = [linesIn(before), linesIn(after)];
        assert.equal(young.length - lines.length, old.length - removed);
        const numbers = new Set(lines.map(({ number }) => number));
        const kept = young.filter((_, index) => !numbers.has(index + 1)).map(withoutSpace);
        let at = 0;
        for (const line of old.map(withoutSpace)) if (line === kept[at]) at += 1;
        assert.equal(at, kept.length);
      }),
    );
  });
});
