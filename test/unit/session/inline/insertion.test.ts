import assert from 'node:assert/strict';
import fc from 'fast-check';
import { insertionFrom, isEnough } from '../../../../src/session/inline/insertion.ts';
import { hiddenCharacters } from '../../../../src/session/prompts/hiddenText.ts';

/** `|` marks the place. */
function place(text: string) {
  const [before = '', after = ''] = text.split('|');
  return { before, after };
}

const empty = place('|');

describe('inline completions: the text that an answer inserts', () => {
  const cases: readonly [what: string, at: string, answer: string, insertion: string][] = [
    ['is the answer as it is', 'const a = |', '1;', '1;'],
    ['comes out of a fence', 'const a = |', '```ts\n1;\n```\n', '1;'],
    ['comes out of a fence that is still open', 'const a = |', '```ts\n1', '1'],
    ['leaves out the beginning of the line that the model repeated', '  const a = |', 'const a = 1;', '1;'],
    ['leaves out the indentation that stands there', '  |', '  return 1;', 'return 1;'],
    ['keeps a single character that may come twice', 'a = {|', '{ b: 1 }', '{ b: 1 }'],
    ['is one line inside of a line', 'add(|, 2)', '1\nsecond()', '1'],
    ['leaves out a bracket that stands there', 'add(|);', '1, 2)', '1, 2'],
    ['leaves out the closing line that stands there', 'f() {\n  |\n}\n', 'return 1;\n}', 'return 1;'],
    ['keeps an end that only looks like what follows', 'const |a = 1', 'b = a', 'b = a'],
    ['reads Windows line ends', '|', 'a\r\nb\r\n', 'a\nb'],
    ['leaves out the mark', 'a|', '<|cursor|>b', 'b'],
    ['is empty for an answer of blanks', 'a|', ' \n\n', ''],
    ['is cut after twenty lines', '|', 'x\n'.repeat(40), 'x\n'.repeat(20).trimEnd()],
    ['is nothing where a character turns the reading direction', 'a|', 'b \u202e// }', ''],
    ['is nothing where a character cannot be seen', 'a|', 'b\u200bc', ''],
    ['is nothing where a tag character hides', 'a|', 'b\u{E0041}', ''],
    ['is nothing where an escape sequence hides', 'a|', 'b\u001b[2J', ''],
    ['is nothing where a space is a letter that is not seen', 'a|', 'b\u3164= 1', ''],
    ['is nothing where a variation selector carries a message', 'a|', 'b\u{E0101}', ''],
    ['is nothing where a blank braille pattern stands', 'a|', 'b\u2800c', ''],
    ['is nothing where half a character stands', 'a|', 'b\ud800', ''],
    ['keeps an emoji with its joiner', 'a|', " = '👩‍👧'", " = '👩‍👧'"],
  ];
  for (const [what, at, answer, insertion] of cases) {
    it(what, () => assert.equal(insertionFrom(answer, place(at)), insertion));
  }
});

describe('inline completions: hidden characters', () => {
  it('are the same as for proposals', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const code = `b${text.replace(/[\r\n`~]/g, '')}`;
        const isHidden = hiddenCharacters([code.trimEnd()]).length > 0;
        assert.equal(insertionFrom(code, place('a|')), isHidden ? '' : code.trimEnd());
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('inline completions: when an answer is long enough', () => {
  it('at the next line, if the place is inside a line', () => {
    assert.equal(isEnough('1\n', place('add(|, 2)')), false);
    assert.equal(isEnough('1\n2\n', place('add(|, 2)')), true);
  });
  it('when its fence closes', () => {
    assert.equal(isEnough('```\n1\n', empty), false);
    assert.equal(isEnough('```\n1\n```', empty), true);
  });
  it('after twenty lines', () => {
    assert.equal(isEnough('x\n'.repeat(19), empty), false);
    assert.equal(isEnough('x\n'.repeat(20), empty), true);
  });
  it('after two thousand characters', () => assert.equal(isEnough('x'.repeat(2001), empty), true));
});
