import assert from 'node:assert/strict';
import { holdsElision, isElision } from '../../../src/host/edits/placing/elision.ts';
import { fitOf } from '../../../src/host/edits/placing/fit.ts';
import { fitsOf, proposedLines, wholeOf } from '../../../src/host/edits/placing/places.ts';

const file = [
  "import x from 'x';",
  '',
  'function a() {',
  '  one();',
  '}',
  '',
  'class B {',
  '  c() {',
  '    two();',
  '  }',
  '  d() {',
  '    three();',
  '  }',
  '}',
];
const long = Array.from({ length: 200 }, (_, line) => `const value${line} = ${line};`);

/** The lines as proposed for code that the user applies, or for an edit that the user requested. */
function placed(old: readonly string[], code: string, isAsked = false): readonly string[] | string {
  const fit = fitOf(old, code.replace(/\n$/, '').split('\n'), isAsked);
  return fit.is === 'part' ? fit.lines : fit.is;
}

const instead = (from: number, to: number, ...lines: readonly string[]): readonly string[] =>
  file.toSpliced(from, to - from, ...lines);

describe('code that replaces a part of the text', () => {
  it('replaces the lines with the same first and last line, indented like them', () => {
    assert.deepEqual(placed(file, 'function a() {\n  uno();\n}\n'), instead(2, 5, 'function a() {', '  uno();', '}'));
    assert.deepEqual(placed(file, 'c() {\n  dos();\n}\n'), instead(7, 10, '  c() {', '    dos();', '  }'));
    assert.deepEqual(
      placed(file, 'c() {\n  two();\n}\nd() {\n  tres();\n}\n'),
      instead(7, 13, '  c() {', '    two();', '  }', '  d() {', '    tres();', '  }'),
    );
    assert.deepEqual(
      placed(file, '/** Does one. */\nfunction a() {\n  one();\n}\n'),
      instead(2, 5, '/** Does one. */', 'function a() {', '  one();', '}'),
    );
  });

  it('replaces existing comments with its own', () => {
    const documented = instead(2, 2, '/** Old. */', '// Older.');
    assert.deepEqual(placed(documented, '// Does one.\nfunction a() {\n  one();\n}\n'), instead(2, 2, '// Does one.'));
  });

  it('keeps the text after it', () => {
    const head = `${["import y from 'y';", ...long.slice(0, 60)].join('\n')}\n`;
    const first = placed(long, `${long.slice(0, 62).join('\n')}\n`);
    assert.deepEqual(first, long);
    assert.deepEqual(placed(long, long.slice(0, 62).join('\n'), true), long);
    assert.equal(placed(long, head).includes('const value199 = 199;'), true);
    assert.deepEqual(placed(file, "import x from 'x';\n\nfunction a() {\n  uno();\n}\n"), instead(3, 4, '  uno();'));
  });

  it('is rejected if its first or last line is not found', () => {
    assert.equal(placed(file, 'function b() {\n}\n'), 'nowhere');
    assert.equal(placed(file, 'function a() {\n  no end\n'), 'nowhere');
    assert.equal(placed(long, 'I am sorry, but I cannot help with that.\n', true), 'nowhere');
    assert.equal(placed(long, [...long.slice(0, 60), 'const value60 = "other";'].join('\n'), true), 'nowhere');
  });

  it('is the whole if it begins and ends like the whole, or rewrites it', () => {
    assert.equal(placed(file, file.join('\n')), 'whole');
    assert.equal(placed(file, file.toSpliced(2, 4).join('\n')), 'whole');
    assert.equal(placed(file, file.map((line) => line.replace('x', 'y')).join('\n')), 'whole');
    assert.equal(placed(file, file.map((line) => `${line} // new`).join('\n')), 'whole');
    assert.equal(placed(long, long.map((line) => line.replace('const', 'let')).join('\n'), true), 'whole');
    assert.equal(placed(['a', 'b', 'c'], 'x\n'), 'whole');
    assert.equal(placed([''], 'x\n'), 'whole');
  });
});

describe('code with a mark for omitted lines', () => {
  const change = (mark: string): string => `import x from 'x';\n\n${mark}\n\n  d() {\n    tres();\n  }\n}\n`;
  const changed = instead(11, 12, '    tres();');

  it('keeps the lines that the mark stands for, in the syntax of any language', () => {
    for (const mark of [
      ...['// ... existing code ...', '// ...', '# ... rest of the code unchanged', '/* ... existing code ... */'],
      ...['<!-- ... existing markup ... -->', '-- …', '; ... (unchanged) ...', '% ... remaining lines', '...', '…'],
      ...['{/* ... existing code ... */}', '(* ... *)', "' ... existing code ...", '[... rest of the file ...]'],
      ...['// rest of the code remains the same', '# (unchanged)', '// existing code here', '  // ...existing imports'],
    ]) {
      assert.deepEqual(placed(file, change(mark)), changed, mark);
      assert.deepEqual(placed(file, change(mark), true), changed, mark);
    }
  });

  it('puts new code before or after the kept lines, and rejects it between them', () => {
    const rest = '// ... existing code ...\n';
    assert.deepEqual(placed(file, `import y from 'y';\n${rest}`), ["import y from 'y';", ...file]);
    assert.deepEqual(placed(file, `${rest}\nfunction z() {\n}\n`), [...file, '', 'function z() {', '}']);
    assert.deepEqual(placed(file, `${rest}\n  d() {\n    three();\n  }\n\n${rest}`), file);
    assert.equal(placed(file, `${rest}function z() {\n}\n${rest}`), 'nowhere');
    assert.equal(placed(file, `${rest}    quattro();\n  }\n}\n`), 'nowhere');
    assert.equal(placed(file, rest), 'nowhere');
  });

  it('keeps a short remainder behind the mark', () => {
    const four = ['one();', 'two();', 'three();', 'four();', 'five();'];
    assert.equal(placed(four, 'three();\nfour();\nmore();\n// ... existing code ...\n'), 'nowhere');
    assert.deepEqual(placed(four, 'one();\nmore();\ntwo();\n// ...\n'), four.toSpliced(1, 0, 'more();'));
  });

  it('is rejected if the mark is in the middle of a line', () => {
    assert.equal(placed(file, 'function a() { ... }\n'), 'nowhere');
    assert.equal(placed(file, `function a() { /* ... */ }\n${file.slice(5).join('\n')}`), 'nowhere');
    assert.equal(placed(file, 'function a() { // ... existing code\n}\n'), 'nowhere');
  });

  it('ignores marks that the text already contains, and similar text', () => {
    const own = [...file, '// ... existing code ...', 'a();'];
    assert.equal(placed(own, own.join('\n')), 'whole');
    for (const line of [
      '...values,',
      'f(...args);',
      '// and so on...',
      '// 1...9',
      '"..."',
      '// the same is true of x',
      '# TODO: other cases',
    ])
      assert.equal(isElision(line), false, line);
    assert.equal(isElision('    ...', 'def f():'), false);
    assert.equal(holdsElision('const { a, ...rest } = b; // the rest'), false);
  });
});

describe('code for places', () => {
  it('that is a part keeps the rest of its place, including white space', () => {
    const lines = ['x', ...file.map((line) => (line === '' ? '  ' : `  ${line}`)), 'y', ''];
    const place = { start: 1, end: lines.length - 2, indent: '  ' };
    const [fit] = fitsOf(lines, [place], ['function a() {\n  uno();\n}\n'], false);
    assert.ok(fit?.is === 'part');
    assert.deepEqual(proposedLines(lines, [place], [fit], true), lines.with(4, '    uno();'));
    const [whole] = fitsOf(lines, [wholeOf(lines)], ['function a() {\n  uno();\n}\n'], false);
    assert.ok(whole?.is === 'part');
    assert.deepEqual(proposedLines(lines, [wholeOf(lines)], [whole], true), lines.with(4, '    uno();'));
  });
});
