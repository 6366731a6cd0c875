import assert from 'node:assert/strict';
import fc from 'fast-check';
import { withoutLineNumbers } from '../../../src/edits/reading/lineNumbers.ts';
import { asMade, type Content } from '../../../src/gate/content.ts';
import { numbered, numberedBytes, unnumbered } from '../../../src/gate/numbered.ts';

const content = (text: string, marks: Content['marks'] = []): Content => ({
  text: asMade(text),
  marks,
  covers: [{ uri: 'file:///a.ts', folder: null }],
});

describe('lines with their numbers', () => {
  it('have each number in front, from that of the first line', () => {
    assert.equal(numbered(content('a\n\n  b'), 1).text, '1| a\n2| \n3|   b');
    assert.equal(numbered(content('a\r\nb\r\n'), 99).text, '99| a\r\n100| b\r\n');
    assert.equal(numbered(content(''), 5).text, '');
  });

  it('are the text itself without them, and other text stays as it is', () => {
    fc.assert(
      fc.property(fc.string(), fc.nat(2_000), (text, firstLine) => {
        assert.equal(unnumbered(numbered(content(text), firstLine).text, firstLine), text);
      }),
    );
    assert.equal(unnumbered('a\n2 | b\n7| c', 1), 'a\n2 | b\n7| c');
  });

  it('keep the marks of secrets, one of several lines in one piece', () => {
    const text = 'key = `BEGIN\nabc\nEND`; token = xyz\nrest\n';
    const marks = [
      { rule: 'private-key', start: text.indexOf('BEGIN'), end: text.indexOf('END') + 3 },
      { rule: 'token', start: text.indexOf('xyz'), end: text.indexOf('xyz') + 3 },
    ];
    const made = numbered(content(text, marks), 7);
    assert.equal(made.text, '7| key = `BEGIN\nabc\nEND`; token = xyz\n10| rest\n');
    assert.deepEqual(
      made.marks.map(({ rule, start, end }) => [rule, made.text.slice(start, end)]),
      [
        ['private-key', 'BEGIN\nabc\nEND'],
        ['token', 'xyz'],
      ],
    );
    assert.deepEqual(made.covers, [{ uri: 'file:///a.ts', folder: null }]);
  });

  it('keep each mark on its text, and are the same text without the numbers', () => {
    const line = fc.constantFrom('', 'a', '12| b', '  c', '5', 'x | y');
    const spans = fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })), { maxLength: 4 });
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), spans, fc.integer({ min: 1, max: 2000 }), (lines, cuts, first) => {
        const text = lines.join('\n');
        let at = 0;
        const marks = cuts.flatMap(([gap, length]) => {
          const start = at + gap;
          const end = Math.min(text.length, start + length);
          at = end;
          return start < end ? [{ rule: 'secret', start, end }] : [];
        });
        const made = numbered(content(text, marks), first);
        assert.equal(numberedBytes(content(text, marks), first), Buffer.byteLength(made.text));
        assert.deepEqual(
          made.marks.map(({ start, end }) => made.text.slice(start, end)),
          marks.map(({ start, end }) => text.slice(start, end)),
        );
        if (marks.length === 0)
          assert.deepEqual(withoutLineNumbers(made.text.split('\n')), lines.length === 0 ? [''] : lines);
      }),
      { numRuns: 1000 },
    );
  });

  it('lose them where an answer repeats them, and only there', () => {
    assert.deepEqual(withoutLineNumbers(['12| a', '13|', '', '20|   b']), ['a', '', '', '  b']);
    for (const lines of [
      ['12| a', 'b'],
      ['12| a', '11| b'],
      ['1 | 2', '3 | 4'],
      ['| 1 | a |'],
      ['12: a', '13: b'],
      [''],
    ])
      assert.deepEqual(withoutLineNumbers(lines), lines);
  });
});
