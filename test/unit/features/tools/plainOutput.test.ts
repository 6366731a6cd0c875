import assert from 'node:assert/strict';
import fc from 'fast-check';
import { plainOutput, startOfEnd, TextEnd } from '../../../../src/features/tools/common/plainOutput.ts';

describe('the output of a task', () => {
  it('has no escape sequences, and lines end with a line break', () => {
    const given = [
      '\u001b[1;31mred\u001b[0m',
      '\u001b]8;;https://example.com\u0007link\u001b]8;;\u001b\\',
      '\u009b32mgreen\u001b(B',
      '10 %\r20 %',
      'a\u0008b\u0000c\u007f',
      'tab\there',
    ].join('\r\n');
    assert.equal(plainOutput(given), 'red\nlink\ngreen\n10 %\n20 %\nabc\ntab\there');
  });

  it('has no control character, whatever it is', () => {
    const piece = fc.constantFrom(
      '\u001b',
      '[',
      ']',
      '\u009b',
      '\u009d',
      '8;;',
      '\u0007',
      '\\',
      'a',
      '\n',
      '\r',
      'P',
      '(B',
      '31m',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        assert.doesNotMatch(plainOutput(pieces.join('')), /[^\P{Cc}\n\t]/u);
      }),
    );
  });

  it('is kept from its end', () => {
    const end = new TextEnd(10);
    for (const part of ['abc', 'def']) end.add(part);
    assert.deepEqual([end.text, end.isCut], ['abcdef', false]);
    for (let at = 0; at < 100; at += 1) end.add(String(at % 10));
    assert.deepEqual([end.text, end.isCut], ['0123456789', true]);
    end.add('x'.repeat(50));
    assert.deepEqual([end.text.length, end.isCut], [10, true]);
  });

  it('is sent from the start of a line, at most so many bytes, and never from its first characters if they may be cut', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at} ä`).join('\n');
    const start = startOfEnd(lines, 50, 0);
    assert.ok(Buffer.byteLength(lines.slice(start)) <= 50);
    assert.match(lines.slice(start), /^line 9\d ä\n[\s\S]*line 99 ä$/);
    assert.equal(startOfEnd('short', 50, 0), 0);
    assert.equal(startOfEnd('abcd\nefgh\nijkl', 50, 6), 10);
    assert.equal(startOfEnd('ä'.repeat(100), 51, 0), 75);
    assert.equal(startOfEnd('a', 50, 16), 1);
  });

  it('is sent in whole characters, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(40), fc.nat(40), (text, maxBytes, margin) => {
        const start = startOfEnd(text, maxBytes, margin);
        assert.ok(start >= Math.min(margin, text.length));
        assert.ok(Buffer.byteLength(text.slice(start)) <= maxBytes);
      }),
    );
  });
});
