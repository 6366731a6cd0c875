import assert from 'node:assert/strict';
import fc from 'fast-check';
import { cutOutput } from '../../../../src/features/tools/vscode/cutOutput.ts';
import { linesIn } from '../../../../src/features/tools/vscode/own/linesIn.ts';
import { asOwn } from '../../../../src/session/tools/ownText.ts';
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
      linesIn(text, 'Pay').map(({ line, start, end }) => [line, text.slice(start, end)]),
      [
        [2, 'PAY it'],
        [4, 'pay'],
      ],
    );
  });

  it('match the query literally', () => assert.deepEqual(linesIn('abc', 'a.c'), []));

  it('are shortened around the match if they are long', () => {
    const text = `${'x'.repeat(5000)}pay${'y'.repeat(5000)}`;
    const shown = linesIn(text, 'pay').map(({ start, end }) => text.slice(start, end));
    assert.equal(shown[0]?.length, 300);
    assert.match(shown[0], /xpayy/);
  });
});
