import assert from 'node:assert/strict';
import { longWordsOf } from '../../../src/gate/secrets/longWords.ts';
import { windowLength } from '../../../src/gate/secrets/matches.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';

function wordsOf(text: string) {
  const finding = longWordsOf(text);
  let step = finding.next();
  while (step.done !== true) step = finding.next();
  return step.value;
}

const part = (...parts: readonly string[]): string => parts.join('');

describe('gate: the long words of a text', () => {
  it('are its words of eleven characters or more, each after the character before it', () => {
    const { text } = wordsOf('const short = "longEnough-1"; // and-longer/too;\n😀word.of.twelve');
    assert.equal(text, '"longEnough-1 and-longer/too;😀word.of.twelve');
    assert.equal(wordsOf('no long word in here').text, '');
    assert.equal(wordsOf('').text, '');
  });

  it('are as long as each token, so that a token is found whatever is around it', async () => {
    const token = part('xox', 'b-792-op');
    for (const [text, count] of [
      [token, 1],
      [`a=${token} `, 1],
      [token.slice(0, -1), 0],
      [`a=${token.slice(0, -1)} `, 0],
    ] as const) {
      assert.equal((await scanText(text)).length, count, text);
    }
  });

  it('know their places in the text', () => {
    const text = `${'a b '.repeat(100)}first-long-word ${'c '.repeat(50)}(second-long-word)`;
    const words = wordsOf(text);
    for (const word of ['first-long-word', 'long-word', 'second-long-word', 'word']) {
      const start = words.text.lastIndexOf(word);
      const placed = words.place({ rule: '', start, end: start + word.length });
      assert.equal(placed.start, text.lastIndexOf(word));
      assert.equal(text.slice(placed.start, placed.end), word);
    }
  });

  it('know their places in any order', () => {
    const text = Array.from({ length: 20 }, (_, at) => `${' '.repeat(at)}long-word-${at}`).join(' ');
    const starts = [...text.matchAll(/long-word-\d+/g)].map(({ index }) => index);
    const words = wordsOf(text);
    const placed = (index: number): number => {
      const start = words.text.indexOf(`long-word-${index}`);
      return words.place({ rule: '', start, end: start + 11 }).start;
    };
    for (const indexes of [
      [10, 19, 0],
      [19, 18, 1],
      [0, 1, 2, 11, 12, 3],
      [19, 10, 19, 19, 10],
    ]) {
      assert.deepEqual(
        indexes.map(placed),
        indexes.map((index) => starts.filter((start) => text.startsWith(`long-word-${index}`, start))[0]),
      );
    }
  });

  it('are whole where a window ends, and if they are longer than a window', () => {
    const long = 'x'.repeat(2 * windowLength);
    for (const before of [windowLength - 12, windowLength - 11, windowLength - 1, windowLength]) {
      const text = `${' '.repeat(before)}${long} twelve-signs`;
      assert.equal(wordsOf(text).text, ` ${long} twelve-signs`);
    }
  });

  it('include the shortest token of each kind', async () => {
    const tokens = [
      part('gh', 's_1_a.b.c'),
      part('svc', '_ent_abcd'),
      part('xapp', '-1-a-1-a'),
      part('xox', 'b-1234567a'),
      part('eyJhbGci', 'OiJub25lIn0.e30.'),
    ];
    for (const token of tokens) {
      const [found] = await scanText(`a ${token} b`);
      assert.deepEqual([found?.start, found?.end], [2, 2 + token.length], token);
    }
  });
});
