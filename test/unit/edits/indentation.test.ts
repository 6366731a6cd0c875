import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

describe('the only statement of a body that is put into a new block', () => {
  for (const [languageId, step, open, block, close] of [
    ['typescript', '  ', 'function f() {', 'if (c) {', '}'],
    ['typescript', '    ', 'function f() {', 'if (c) {', '}'],
    ['typescriptreact', '\t', 'function f() {', 'if (c) {', '}'],
    ['java', '    ', 'void f() {', 'try {', '}'],
    ['go', '\t', 'func f() {', 'if c {', '}'],
    ['csharp', '    ', 'void F() {', 'using (c) {', '}'],
    ['python', '    ', 'def f():', 'if c:', ''],
    ['shellscript', '  ', 'f() {', 'if c; then', '}'],
  ] as const) {
    const end = close === '' ? [] : [close];
    const before = [open, `${step}call(1)`, ...end].join('\n');
    const inner = close === '' ? [] : [`${step}${languageId === 'shellscript' ? 'fi' : '}'}`];
    const after = [open, `${step}${block}`, `${step}${step}call(1)`, ...inner, ...end].join('\n');

    it(`is one step deeper: ${languageId}, ${JSON.stringify(step)}`, () => {
      assert.equal(placed(languageId, `»\n${before}\n«\n`, fenced(after)), `${after}\n`);
      assert.equal(placed(languageId, `»\n${after}\n«\n`, fenced(before)), `${before}\n`);
    });
  }

  it('has the steps of the file if the answer has others', () =>
    assert.equal(
      placed('python', '»\ndef f():\n  b()\n«\n', fenced('def f():\n    if c:\n        b()\n')),
      'def f():\n  if c:\n    b()\n',
    ));
});
