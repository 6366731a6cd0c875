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
  if (fit.is === 'nowhere') return 'nowhere';
  if (!fit.isSure) return `${fit.is}?`;
  return fit.is === 'part' ? fit.lines : 'whole';
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
    assert.equal(placed(['a', 'b'], 'x\n'), 'whole');
    assert.equal(placed([''], 'x\n'), 'whole');
  });
});

describe('code that omits lines without a mark', () => {
  const lines = (from: number, to: number, changed: readonly number[] = []): readonly string[] =>
    long.slice(from, to).map((line, at) => (changed.includes(from + at) ? `const changed${from + at} = 0;` : line));
  const kept = (code: readonly string[], isAsked = true): string => {
    const result = placed(long, code.join('\n'), isAsked);
    return typeof result === 'string' ? result : `${result.length} lines`;
  };

  it('has no position if its own first or last line is a changed one', () => {
    assert.equal(kept(lines(100, 104, [100, 102])), 'nowhere');
    assert.equal(kept(lines(100, 104, [101, 103])), 'nowhere');
    assert.equal(kept(lines(100, 104, [100, 103])), 'nowhere');
    assert.equal(kept(lines(100, 104, [100, 101, 102, 103])), 'nowhere');
    assert.equal(kept(lines(20, 80, [20, 79])), 'nowhere');
    assert.equal(kept(lines(20, 80, [20, 79]), false), 'nowhere');
    // As long as the rewrite of a large part.
    const most = long.map((line, at) => (at % 2 === 0 ? line : line.replace('const', 'let')));
    assert.equal(placed(long, most.slice(21).join('\n'), true), 'whole?');
    assert.equal(placed(long, ['one();', ...most.slice(1, 199), 'two();'].join('\n'), true), 'whole');
  });

  it('is a question if it is short for all lines between its ends', () => {
    for (const isAsked of [true, false]) {
      assert.equal(kept([...lines(0, 2), ...lines(199, 200)], isAsked), 'whole?');
      assert.equal(kept([...lines(0, 60), ...lines(170, 200)], isAsked), 'whole?');
      assert.equal(kept([...lines(0, 60), ...lines(150, 200)], isAsked), 'whole');
      assert.equal(kept([...lines(50, 52), ...lines(99, 100)], isAsked), 'part?');
      assert.equal(placed(long, [...lines(0, 50), '// ...', ...lines(60, 61), ...lines(150, 200)].join('\n')), 'part?');
    }
  });

  it('keeps the few lines at its ends', () => {
    assert.equal(kept(lines(3, 197, [10])), '200 lines');
    assert.equal(kept(lines(1, 200)), '200 lines');
    assert.deepEqual(placed(long.slice(0, 8), lines(3, 5).join('\n'), true), long.slice(0, 8));
    assert.deepEqual(placed(long.slice(0, 3), lines(0, 2).join('\n')), long.slice(0, 3));
  });

  it('is a question if a long function became a short one', () => {
    const body = long.slice(0, 60).map((line) => `  ${line}`);
    const old = ['function a() {', ...body, '}'];
    for (const isAsked of [true, false]) {
      assert.equal(placed(old, 'function a() {\n  return total(b);\n}', isAsked), 'whole?');
      assert.equal(placed(old, ['function a() {', ...body.slice(0, 40), '}'].join('\n'), isAsked), 'whole');
    }
    assert.equal(placed(old, 'function a() {\n  return total(b);\n};', true), 'nowhere');
    assert.equal(placed(old.slice(0, 19), 'const a = () => {\n  return total(b);\n};', true), 'whole?');
  });

  it('is a question in a short text, and the whole if it is as long', () => {
    const short = long.slice(0, 8);
    assert.equal(placed(short, lines(3, 6, [3]).join('\n'), true), 'whole?');
    assert.equal(placed(short, 'other();\n', true), 'whole?');
    assert.equal(placed(['a', 'b', 'c'], 'x\n'), 'whole?');
    assert.equal(placed(short, 'a();\nb();\nc();\nd();\n', true), 'whole');
    assert.equal(placed(['x();', 'y();'], 'xy();', true), 'whole');
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
