import assert from 'node:assert/strict';
import fc from 'fast-check';
import { sliceLimit, slicesOf } from '../../../src/webview/markdown/slices.ts';

describe('webview/markdown/slices', () => {
  it('preserve the text and are short, for any code', () => {
    const piece = fc.constantFrom(
      'a',
      ' ',
      '\n',
      '\n\n',
      '/*',
      '(',
      '\\',
      '"',
      'x'.repeat(300),
      '\n}\n\nf() {\n',
      '\r\n',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 400 }), (pieces) => {
        const code = pieces.join('');
        const slices = slicesOf(code);
        assert.equal(slices.map(({ text }) => text).join(''), code);
        for (const { text, isPlain } of slices) {
          assert.notEqual(text, '');
          if (!isPlain) assert.ok(text.length <= sliceLimit && !/[^\n]{1001}/.test(text));
        }
      }),
    );
  });

  it('short code is a single slice', () => {
    const code = 'const a = 1;\n\n'.repeat(250);
    assert.deepEqual(slicesOf(code), [{ text: code, isPlain: false }]);
    assert.deepEqual(slicesOf(''), []);
  });

  it('end before a new top-level item, otherwise at a blank line, otherwise at a line ending', () => {
    const first = (code: string): string => slicesOf(code)[0]?.text.slice(-6) ?? '';
    const block = `f() {\n${'  a();\n'.repeat(30)}\n  b();\n}\n\n`;
    assert.equal(first(block.repeat(30)), '();\n}\n\n'.slice(-6));
    assert.equal(first(`${'  a();\n'.repeat(400)}\n${'  c();\n'.repeat(400)}`), 'a();\n\n');
    assert.equal(first('  a();\n'.repeat(2_000)), ' a();\n');
  });

  it('leave a very long line plain, and color the code around it', () => {
    const long = `${'x'.repeat(50_000)}\n`;
    assert.deepEqual(slicesOf(`a\n${long}b\n`), [
      { text: 'a\n', isPlain: false },
      { text: long, isPlain: true },
      { text: 'b\n', isPlain: false },
    ]);
  });
});
