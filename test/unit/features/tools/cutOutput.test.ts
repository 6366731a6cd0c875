import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutOutput } from '../../../../src/features/tools/vscode/cutOutput.ts';
import { hasLine, linesIn } from '../../../../src/features/tools/vscode/own/linesIn.ts';
import { beginningWithNumbers, withNumbers } from '../../../../src/features/tools/vscode/own/numberedLines.ts';
import { asOwn } from '../../../../src/session/tools/ownText.ts';
import { leastCost, processorMs } from '../../../tools/processorTime.ts';
import { attachment } from '../../session/attachment.ts';

describe('features/tools/vscode: a result', () => {
  it('is unchanged if it fits', () => {
    const output = { text: asOwn('ab'), attachments: [attachment({ text: 'cd' })] };
    assert.equal(cutOutput(output, 4), output);
  });

  it('is cut at the end of a line, with a note about its length', () => {
    const output = {
      text: asOwn(''),
      attachments: [attachment({ text: 'one\ntwo\nthree' }), attachment({ text: 'four' })],
    };
    const cut = cutOutput(output, 9);
    assert.deepEqual(
      cut.attachments.map(({ text }) => text),
      ['one\ntwo', 'fo'],
    );
    assert.equal(cut.cutFrom, 17);
    assert.match(cut.text, /^\[cut: the result has 17 bytes/);
  });

  it('is never larger than the limit, and splits no character', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.nat(40), (texts, limit) => {
        const cut = cutOutput({ text: asOwn(''), attachments: texts.map((text) => attachment({ text })) }, limit);
        const all = cut.attachments.map(({ text }) => text).join('');
        assert.ok(Buffer.byteLength(all) <= limit);
        assert.ok(!all.includes('\uFFFD') || texts.join('').includes('\uFFFD'));
      }),
    );
  });
});

describe('features/tools/vscode: the lines that contain a text', () => {
  it('are found in any case, with their numbers, for any line endings', () => {
    const text = 'a\r\nPAY it\rb\npay';
    assert.deepEqual(
      linesIn(text, 'Pay', 9).lines.map(({ line, start, end }) => [line, text.slice(start, end)]),
      [
        [2, 'PAY it'],
        [4, 'pay'],
      ],
    );
  });

  it('match the query literally', () => assert.deepEqual(linesIn('abc', 'a.c', 9), { lines: [], count: 0 }));

  it('are shortened around the match if they are long', () => {
    const text = `${'x'.repeat(5000)}pay${'y'.repeat(5000)}`;
    const shown = linesIn(text, 'pay', 9).lines.map(({ start, end }) => text.slice(start, end));
    assert.equal(shown[0]?.length, 300);
    assert.match(shown[0], /xpayy/);
  });

  it('are made only up to the wanted number, and the others are counted', async () => {
    const { lines, count } = linesIn('a\n'.repeat(2 ** 19), 'A', 300);
    assert.equal(lines.length, 300);
    assert.deepEqual(lines.at(-1), { line: 300, start: 598, end: 599 });
    assert.equal(count, 2 ** 19);
    const cost = await leastCost(100, () => {
      const from = processorMs();
      linesIn(`${'a\n'.repeat(2 ** 19)}${processorMs()}`, 'a', 300);
      return processorMs() - from;
    });
    assert.ok(cost <= 100, `${cost} ms`);
  });

  it('are those that have it by themselves, also where lower case is longer or depends on the neighbors', () => {
    const piece = fc.constantFrom('a', 'A', 'b', '\n', '\r', '\r\n', 'İ', '\u0307', 'i', 'Σ', 'σ', 'ς', ' ', '😀');
    const texts = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(''));
    const queries = fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, queries, fc.nat(3), (text, query, max) => {
        const all = text.split(/\r\n|\r|\n/).flatMap((line, index) => {
          return line.toLowerCase().includes(query.toLowerCase()) ? [[index + 1, line] as const] : [];
        });
        const { lines, count } = linesIn(text, query, max);
        assert.equal(count, all.length);
        assert.equal(hasLine(text, query), all.length > 0);
        assert.deepEqual(
          lines.map(({ line, start, end }) => [line, text.slice(start, end)]),
          all.slice(0, max),
        );
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('features/tools/vscode: the beginning of a file with line numbers', () => {
  it('is cut to the same result as the whole file', () => {
    const piece = fc.constantFrom('a', '\n', '\n\n', 'ä', '😀', '\uFFFD', '1| ', 'key\n');
    const texts = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 40 }), fc.nat(200), (text, limit, firstLine) => {
        const marks = [...text.matchAll(/key\n*/g)].map(({ 0: key, index }) => {
          return { rule: 'key', start: index, end: index + key.length };
        });
        const file = attachment({ text, marks });
        const whole = cutOutput({ text: asOwn(''), attachments: [withNumbers(file, firstLine)] }, limit);
        const { attachment: beginning, bytesLeftOut } = beginningWithNumbers(file, firstLine, limit);
        assert.deepEqual(cutOutput({ text: asOwn(''), attachments: [beginning] }, limit, bytesLeftOut), whole);
      }),
      { numRuns: 2_000 },
    );
  });

  it('does not take the time of all lines', async () => {
    const text = '\n'.repeat(5 * 2 ** 20);
    const cost = await leastCost(300, () => {
      const from = processorMs();
      const { attachment: made, bytesLeftOut } = beginningWithNumbers(attachment({ text, marks: [] }), 1, 65_536);
      assert.ok(made.text.length < 1_000_000 && bytesLeftOut > 40_000_000);
      return processorMs() - from;
    });
    assert.ok(cost <= 300, `${cost} ms`);
  });
});
