import assert from 'node:assert/strict';
import fc from 'fast-check';
import { begunLineAt } from '../../../src/edits/begunLine.ts';
import { placeAnswer } from '../../../src/edits/place.ts';
import { readAnswer } from '../../../src/edits/reading/answer.ts';
import { indentOf } from '../../../src/edits/text/lines.ts';
import { fenced } from './placed.ts';

/** A file in which `▮` is the cursor. */
function opened(text: string, languageId: string) {
  const lines = text.split('\n');
  const line = lines.findIndex((each) => each.includes('▮'));
  const character = lines[line]?.indexOf('▮') ?? 0;
  const bare = lines.map((each) => each.replace('▮', ''));
  return { lines: bare, line, begun: begunLineAt(bare, languageId, { line, character }) };
}

/** The file with the answer, or why it has no place. */
function completed(text: string, answer: string, languageId = 'typescript'): string {
  const { lines, line, begun } = opened(text, languageId);
  if (begun === null) return 'not begun';
  const places = [{ start: line, end: line + 1, indent: indentOf(lines[line] ?? ''), begun }];
  const found = placeAnswer(readAnswer(answer), { lines, languageId, places, mode: 'insert' });
  return found.is === 'edit' ? found.lines.join('\n') : found.is;
}

describe('a half-written line', () => {
  it('a partial line ends with a token that needs a continuation, or is inside an open bracket', () => {
    const begun: readonly (readonly [string, string])[] = [
      ['const total = ▮', 'typescript'],
      ['const total =▮', 'typescript'],
      ['  return ▮', 'typescript'],
      ['items.▮', 'typescript'],
      ['pay(▮)', 'typescript'],
      ['pay(sum, ▮);', 'typescript'],
      ['const f = (a) => ▮', 'typescript'],
      ['if (a && ▮', 'typescript'],
      ['x := ▮', 'go'],
      ['total = ▮', 'python'],
      ['for each in ▮', 'python'],
      ['select id from ▮', 'sql'],
      ['image: ▮', 'yaml'],
      ['var a = new ▮', 'csharp'],
    ];
    for (const [text, languageId] of begun) assert.notEqual(opened(text, languageId).begun, null, text);
  });

  it('a complete line, an opened block, a comment, a text, and a line with more after the cursor are not partial lines', () => {
    const complete: readonly (readonly [string, string])[] = [
      ['const total = 1;▮', 'typescript'],
      ['const total = 1▮', 'typescript'],
      ['▮', 'typescript'],
      ['  ▮', 'typescript'],
      ['▮const a = 1;', 'typescript'],
      ['const total = ▮1;', 'typescript'],
      ['function pay() {▮', 'typescript'],
      ['function pay() {▮}', 'typescript'],
      ['if (a) {▮', 'typescript'],
      ['i++▮', 'typescript'],
      ['// total = ▮', 'typescript'],
      ['/**\n * a = ▮\n */', 'typescript'],
      ['const a = `\n b = ▮\n`;', 'typescript'],
      ['const all = [▮\n  1,\n];', 'typescript'],
      ['const total = ▮\n  a + b;', 'typescript'],
      ['a: 1,▮', 'typescript'],
      ['def pay(self):▮', 'python'],
      ['if a:▮', 'python'],
      ['return▮', 'python'],
      ['jobs:▮\n  a: 1', 'yaml'],
      ['run: |▮', 'yaml'],
      ['The sum = ▮', 'markdown'],
    ];
    for (const [text, languageId] of complete) assert.equal(opened(text, languageId).begun, null, text);
  });

  const file = 'function pay(items) {\n  const total = ▮\n  return total;\n}\n';
  const meant = 'function pay(items) {\n  const total = items.length;\n  return total;\n}\n';

  it('an answer may repeat the partial line, begin at one of its words, or only continue it', () => {
    for (const code of [
      '  const total = items.length;',
      'const total = items.length;',
      'const total=items.length;',
      'items.length;',
      '  items.length;',
      'total = items.length;',
      '= items.length;',
      'function pay(items) {\n  const total = items.length;\n  return total;\n}',
    ].map((each) => fenced(each))) {
      const found = completed(file, code);
      if (code.includes('total=')) assert.equal(found, meant.replace('total = items', 'total=items'));
      else assert.equal(found, meant, code);
    }
  });

  it('keeps its lines in place where there are several', () => {
    const long = meant.replace('items.length;', 'items\n    .map(price)\n    .sum();');
    for (const code of [
      '  const total = items\n    .map(price)\n    .sum();',
      'const total = items\n  .map(price)\n  .sum();',
      'items\n  .map(price)\n  .sum();',
      'items\n    .map(price)\n    .sum();',
    ])
      assert.equal(completed(file, fenced(code)), long, code);
    const commented = meant.replace('  const total', '  // All of them.\n  const total');
    assert.equal(completed(file, fenced('// All of them.\nconst total = items.length;')), commented);
  });

  it('gets its imports at the top', () => {
    assert.equal(
      completed(
        `import a from 'a';\n\n${file}`,
        `${fenced("import b from 'b';")}\n${fenced('const total = b(items);')}`,
      ),
      `import a from 'a';\nimport b from 'b';\n\n${meant.replace('items.length', 'b(items)')}`,
    );
  });

  it('keeps the brackets that the editor closed, once', () => {
    for (const code of [
      'pay(sum, tax);',
      'pay(sum, tax)',
      'sum, tax);',
      'sum, tax)',
      'sum, tax',
      '(sum, tax)'.slice(1),
    ])
      assert.equal(completed('pay(▮);\n', fenced(code)), 'pay(sum, tax);\n', code);
    assert.equal(completed('pay(▮)\n', fenced('sum(a)')), 'pay(sum(a))\n');
    assert.equal(completed('pay([▮])\n', fenced('1, 2')), 'pay([1, 2])\n');
    assert.equal(completed('  a: pay(▮),\n', fenced('sum')), '  a: pay(sum),\n');
    assert.equal(completed('const f = (a) => ▮;\n', fenced('a + 1')), 'const f = (a) => a + 1;\n');
  });

  it('is completed in other languages', () => {
    const python = 'def pay(items):\n    return ▮\n';
    for (const code of ['return sum(items)', '    return sum(items)', 'sum(items)'])
      assert.equal(completed(python, fenced(code), 'python'), 'def pay(items):\n    return sum(items)\n', code);
    assert.equal(completed('\tx := ▮\n', fenced('x := len(items)'), 'go'), '\tx := len(items)\n');
    assert.equal(completed('a:\n  image: ▮\n', fenced('image: node:24'), 'yaml'), 'a:\n  image: node:24\n');
    assert.equal(completed('a:\n  image: ▮\n', fenced('node:24'), 'yaml'), 'a:\n  image: node:24\n');
    assert.equal(completed('select ▮\n', fenced('SELECT id from patient;'), 'sql'), 'SELECT id from patient;\n');
  });

  it('is completed after part of a word, and after a dot', () => {
    assert.equal(completed('pay(su▮)\n', fenced('sum, tax')), 'pay(sum, tax)\n');
    for (const code of ['items.map(price);', '.map(price);', 'map(price);'])
      assert.equal(completed('const a = items.▮\n', fenced(code)), 'const a = items.map(price);\n', code);
  });

  it('changes nothing outside the line', () => {
    const code = fc.constantFrom(
      'a',
      'const total = 1;',
      'x(',
      ')',
      '  b\n    c',
      '= 1',
      '',
      'total',
      'if (a) {\n}',
      '...',
    );
    fc.assert(
      fc.property(fc.array(code, { minLength: 1, maxLength: 3 }), (codes) => {
        const found = completed(file, fenced(codes.join('\n')));
        if (!found.includes('\n')) return;
        assert.ok(found.startsWith('function pay(items) {\n'), found);
        assert.ok(found.endsWith('\n  return total;\n}\n'), found);
      }),
    );
  });
});
