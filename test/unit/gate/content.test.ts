import assert from 'node:assert/strict';
import fc from 'fast-check';
import { alsoMarked, joinOf, madeContent, sliceOf } from '../../../src/gate/content.ts';

const file = { uri: 'file:///w/a.ts', folder: 'file:///w' };
const other = { uri: 'file:///w/b.ts', folder: null };

describe('content', () => {
  it('a slice keeps its part of a secret', () => {
    const whole = madeContent('one SECRET two', [{ rule: 'token', start: 4, end: 10 }], [file]);
    assert.deepEqual(sliceOf(whole, 7, 14), madeContent('RET two', [{ rule: 'token', start: 0, end: 3 }], [file]));
    assert.deepEqual(sliceOf(whole, 10, 14).marks, []);
  });

  it('a slice with a negative start begins at the text, not at its end', () => {
    const whole = madeContent('one SECRET', [{ rule: 'token', start: 4, end: 10 }], [file]);
    assert.deepEqual(sliceOf(whole, -6, 10), whole);
    assert.equal(sliceOf(whole, -6, -1).text, '');
  });

  it('joined contents list the files of all of them, each once', () => {
    const one = madeContent('ab', [{ rule: 'token', start: 1, end: 2 }], [file]);
    const joined = joinOf(['a.ts:1: ', one, '\n', madeContent('c', [], [other]), one]);
    assert.equal(joined.text, 'a.ts:1: ab\ncab');
    assert.deepEqual(joined.covers, [file, other]);
    assert.deepEqual(
      joined.marks.map(({ start, end }) => joined.text.slice(start, end)),
      ['b', 'b'],
    );
  });

  it('additional marks merge with those they touch and hide no earlier mark', () => {
    const whole = madeContent('0123456789', [{ rule: 'token', start: 2, end: 5 }], [file]);
    const more = [
      { rule: 'key', start: 4, end: 7 },
      { rule: 'key', start: 8, end: 9 },
    ];
    assert.deepEqual(alsoMarked(whole, more).marks, [
      { rule: 'token', start: 2, end: 7 },
      { rule: 'key', start: 8, end: 9 },
    ]);
    assert.deepEqual(alsoMarked(whole, []), whole);
  });

  it('keeps a secret at every position of a large file', () => {
    const marks = Array.from({ length: 200_000 }, (_, index) => ({
      rule: 'token',
      start: index * 4,
      end: index * 4 + 3,
    }));
    const whole = madeContent('abc '.repeat(200_000), marks, [file]);
    const joined = joinOf(['+', sliceOf(whole, 1, whole.text.length)]);
    assert.equal(joined.marks.length, 200_000);
    assert.deepEqual(
      [joined.marks[0], joined.marks[1]],
      [
        { rule: 'token', start: 1, end: 3 },
        { rule: 'token', start: 4, end: 7 },
      ],
    );
  });

  it('any slices and joins keep the same characters marked', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(), fc.nat(), fc.nat(), (text, a, b, c) => {
        const [start = 0, end = 0] = [a % (text.length + 1), b % (text.length + 1)].sort((x, y) => x - y);
        const at = c % (text.length + 1);
        const whole = madeContent(text, start < end ? [{ rule: 'token', start, end }] : [], [file]);
        const again = joinOf([sliceOf(whole, 0, at), sliceOf(whole, at, text.length)]);
        const marked = (content: typeof whole): string[] =>
          content.marks.flatMap((mark) =>
            [...content.text.slice(mark.start, mark.end)].map((_, n) => String(mark.start + n)),
          );
        assert.deepEqual(marked(again).length, marked(whole).length);
        assert.equal(again.text, text);
      }),
    );
  });
});
