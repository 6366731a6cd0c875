import assert from 'node:assert/strict';
import { type EditMatch, matchEdit } from '../../../src/edits/placing/matchEdit.ts';

const file = `import { tax } from './tax';

export function total(items: Item[]): number {
  let sum = 0;
  for (const item of items) {
    sum += item.price;
    log('added');
  }
  return sum + tax(sum);
}

export function mean(items: Item[]): number {
  if (items.length === 0) return 0;
  for (const item of items) {
    log("seen - once");
  }
  return total(items) / items.length;
}
`;

function match(old: string, now: string, { text = file, languageId = 'typescript', isForAll = false } = {}): EditMatch {
  return matchEdit(text.split('\n'), { old, now, isForAll }, languageId);
}

/** The edited text, with the rule that found its place. */
function edited(...parts: Parameters<typeof match>): readonly [rule: number, text: string] {
  const found = match(...parts);
  assert.equal(found.is, 'fit', JSON.stringify(found));
  return found.is === 'fit' ? [found.rule, found.lines.join('\n')] : [0, ''];
}

describe('a text that stands once', () => {
  it('is replaced within a line', () => {
    assert.deepEqual(edited('tax(sum)', 'tax(sum, 2)'), [1, file.replace('tax(sum)', 'tax(sum, 2)')]);
  });

  it('is replaced over several lines, with the line endings of any system', () => {
    const now = 'return 0;\r\n  let n = 0;\r\n  for';
    assert.deepEqual(edited('return 0;\r\n  for', now), [
      1,
      file.replace('return 0;\n  for', 'return 0;\n  let n = 0;\n  for'),
    ]);
  });

  it('is replaced as it is, whatever the new text has for a pattern', () => {
    assert.deepEqual(edited("'added'", "'$& $1 $$'"), [1, file.split("'added'").join("'$& $1 $$'")]);
  });

  it('is never joined to the line after it', () => {
    assert.deepEqual(edited("    log('added');\n", "    log('more');"), [1, file.replace('added', 'more')]);
    assert.deepEqual(edited('\n  let sum = 0;\n', ''), [1, file.replace('  let sum = 0;\n', '')]);
  });

  it('goes with its line ending if nothing takes its place', () => {
    const without = file.replace("    log('added');\n", '');
    assert.deepEqual(edited("    log('added');", ''), [1, without]);
    assert.deepEqual(edited("    log('added');\n", ''), [1, without]);
    assert.deepEqual(edited('b', '', { text: 'a\nb' }), [1, 'a']);
    assert.deepEqual(edited('a\nb', '', { text: 'a\nb' }), [1, '']);
    assert.deepEqual(match('a \nb', '', { text: 'a\nb  ' }), {
      ...{ is: 'fit', rule: 2, lines: [''], put: { start: 0, end: 0 }, count: 1 },
    });
    assert.deepEqual(edited('a;', '', { text: 'a;b\nc' }), [1, 'b\nc']);
  });

  it('leaves a blank line if that is what takes its place', () => {
    assert.deepEqual(edited('b\n', '\n', { text: 'a\nb\nc' }), [1, 'a\n\nc']);
  });

  it('is told with the lines that the edit put there', () => {
    const found = match('  let sum = 0;\n', '  let sum = 0;\n  let n = 0;\n');
    assert.deepEqual(found.is === 'fit' && [found.put, found.count], [{ start: 3, end: 5 }, 1]);
  });
});

describe('a text that begins or ends within a line', () => {
  const text = 'if (a) {\n  b();\n} else {\n  c();\n}\nif (d) e();\nf();';
  it('is replaced in one line, or if its line stays', () => {
    assert.deepEqual(edited('e()', 'g()', { text }), [1, text.replace('e()', 'g()')]);
    assert.deepEqual(edited('  b();\n}', '  b();\n  c();\n}', { text }), [
      1,
      text.replace('b();\n}', 'b();\n  c();\n}'),
    ]);
    assert.equal(match('e();\nf', 'e();\ng();\nf', { text }).is, 'fit');
    assert.equal(match('e();\nf', 'e();\ng', { text }).is, 'nowhere');
  });

  it('has no place if new lines would be joined to the rest of the line', () => {
    const near = { start: 1, end: 3, differs: { wanted: 1, line: 2 } };
    assert.deepEqual(match('  b();\n}', '  b();\n}\ng();', { text }), { is: 'nowhere', near });
    assert.equal(match('e();\nf();', 'g();\ne();\nf();', { text }).is, 'nowhere');
    assert.equal(match('} else', '} else if (g) {\n} else', { text }).is, 'fit');
    assert.equal(match('if (d)', 'g();\nif (d)', { text }).is, 'fit');
    assert.equal(match('if (d)', 'if (d)\n  g();', { text }).is, 'nowhere');
    assert.equal(match('if (d) ', 'x\n', { text, isForAll: true }).is, 'nowhere');
  });

  it('gets back the indentation of the lines that lost it', () => {
    const now = 'if (x) {\n  b();\n}';
    assert.deepEqual(edited('b();', now, { text }), [1, text.replace('b();', 'if (x) {\n    b();\n  }')]);
    assert.deepEqual(edited(' b();', ' b();\n g();', { text }), [1, text.replace('b();', 'b();\n  g();')]);
    assert.deepEqual(edited('b();', 'b();\n  g();', { text }), [1, text.replace('b();', 'b();\n  g();')]);
  });
});

describe('whole lines that stand once', () => {
  it('are found without white space at line endings, which kept lines keep', () => {
    const text = file.replace('let sum = 0;', 'let sum = 0; \t');
    const old = '  let sum = 0;\n  for (const item of items) {\n    sum += item.price;';
    const found = edited(old, `${old}\n    n += 1;`, { text });
    assert.deepEqual(found, [2, text.replace('item.price;', 'item.price;\n    n += 1;')]);
  });

  it('are found with typographic quotation marks and dashes, in the old text or in the file', () => {
    assert.deepEqual(edited('    log(“seen – once”);', '    log(“seen – twice”);'), [
      ...[3, file.replace('    log("seen - once")', '    log("seen - twice")')],
    ]);
    const text = file.replace('"seen - once"', '“seen — once”');
    const old = '    log("seen - once");\n  }';
    assert.deepEqual(edited(old, `${old}\n  end();`, { text }), [3, text.replace('”);\n  }', '”);\n  }\n  end();')]);
  });

  it('are found with another indentation, by which the new ones are moved', () => {
    const old = 'for (const item of items) {\n  sum += item.price;\n';
    const meant = file.replace(
      '    sum += item.price;',
      '    if (item.isFree) {\n      continue;\n    }\n    sum += item.price;',
    );
    const now = 'for (const item of items) {\n  if (item.isFree) {\n    continue;\n  }\n  sum += item.price;\n';
    assert.deepEqual(edited(old, now), [4, meant]);
    const tabs = (text: string): string => text.replaceAll('  ', '\t');
    assert.deepEqual(edited(tabs(old).replaceAll(/^/gm, '\t'), tabs(now).replaceAll(/^/gm, '\t')), [4, meant]);
  });
});

describe('new lines with another indentation', () => {
  it('are refused after a string of several lines that may begin or end there', () => {
    const text = '  a(`\n    one\n  `);\n  b();';
    assert.equal(match('`);\nb();', '`);\nc();\nb();', { text }).is, 'nowhere');
    const whole = 'a(`\n    one\n`);\nb();';
    const now = whole.replace('b', 'c();\nb');
    assert.deepEqual(edited(whole, now, { text }), [4, text.replace('b', 'c();\n  b')]);
  });

  it('are refused if tabs for spaces have no place for it', () => {
    const text = 'a {\n\tb {\n\t\tc;\n\t}\n}';
    const old = '    b {\n        c;\n    }';
    assert.deepEqual(edited(old, '    b {\n            d;\n    }', { text }), [4, 'a {\n\tb {\n\t\t\td;\n\t}\n}']);
    assert.equal(match(old, '    b {\n      d;\n    }', { text }).is, 'nowhere');
  });
});

describe('all places of a text', () => {
  it('are replaced if that is asked', () => {
    const found = match('items', 'all', { isForAll: true });
    assert.equal(found.is === 'fit' && found.lines.join('\n'), file.replaceAll('items', 'all'));
    assert.deepEqual(found.is === 'fit' && [found.put, found.count], [{ start: 2, end: 17 }, 7]);
  });

  it('are places as it stands, by no other rule', () => {
    assert.equal(match('log(“added”);', 'x', { isForAll: true }).is, 'nowhere');
  });

  it('are refused if the file would become very long', () => {
    const found = match('a', 'b'.repeat(60_000), { text: 'a'.repeat(400_000), isForAll: true });
    assert.deepEqual(found, { is: 'tooLong' });
  });

  it('do not overlap', () => {
    assert.deepEqual(edited('aa', 'b', { text: 'aaaaa', isForAll: true }), [1, 'bba']);
    assert.deepEqual(edited('a\n', '', { text: 'a\na\na\nb\na', isForAll: true }), [1, 'b\na']);
    assert.deepEqual(edited('a', '', { text: 'a\na\nb\na', isForAll: true }), [1, 'b']);
    assert.deepEqual(edited('a', '', { text: 'a\na', isForAll: true }), [1, '']);
  });
});

describe('an edit is refused', () => {
  const line = (text: string): number => file.split('\n').findIndex((each) => each.includes(text));

  it('an edit is refused if its old text occurs at several places, which are named', () => {
    assert.deepEqual(match('  for (const item of items) {', 'x'), { is: 'ambiguous', at: [4, 13] });
    assert.deepEqual(match('aa', 'b', { text: 'aaa' }), { is: 'ambiguous', at: [0, 0] });
    const many = match('x', 'y', { text: 'x\n'.repeat(99) });
    assert.deepEqual(many, { is: 'ambiguous', at: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
    const indented = match('  x\n  y', 'z', { text: ' x\n y\n'.repeat(12) });
    assert.deepEqual(indented, { is: 'ambiguous', at: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18] });
  });

  it('an edit is refused if its old text occurs once exactly, and again with another indentation', () => {
    assert.deepEqual(match('a();', 'b();', { text: 'a();\nif (x) {\n  a();\n}' }), { is: 'ambiguous', at: [0, 2] });
  });

  it('an edit is refused if it changes nothing', () => {
    assert.deepEqual(match('x', 'x'), { is: 'same' });
    assert.deepEqual(match('nowhere', 'nowhere'), { is: 'same' });
    assert.deepEqual(match('let sum = 0;\r\n', 'let sum = 0;\n'), { is: 'same' });
    assert.deepEqual(match('return sum', 'return sum  ', { text: '  return sum  ' }).is, 'fit');
    assert.deepEqual(match('log(‘a’);', "log('a');", { text: "log('a');" }), { is: 'same' });
  });

  it('an edit is refused if its old text is blank and the file is not', () => {
    for (const old of ['', '\n', '  \n\t']) assert.deepEqual(match(old, 'x'), { is: 'blank' });
    assert.deepEqual(edited('', 'a\nb\n', { text: '' }), [1, 'a\nb\n']);
    assert.deepEqual(edited('', 'a', { text: '\n\n' }), [1, 'a']);
  });

  it('an edit is refused if one of its lines marks omitted code, unless the file has this line', () => {
    const mark = '  // ... existing code ...';
    assert.deepEqual(match(`  let sum = 0;\n${mark}\n  return sum`, 'x'), { is: 'leftOut', text: 'old', line: 1 });
    assert.deepEqual(match('  let sum = 0;', `  let sum = 1;\n${mark}`), { is: 'leftOut', text: 'now', line: 1 });
    assert.deepEqual(match('  let sum = 0;', '...', {}), { is: 'leftOut', text: 'now', line: 0 });
    const text = file.replace('  let sum = 0;', `${mark}\n  let sum = 0;`);
    assert.equal(match(`${mark}\n  let sum = 0;`, `${mark}\n  let sum = 1;`, { text }).is, 'fit');
  });

  it('an edit is refused if dots mark omitted code, even after a colon', () => {
    assert.equal(match('  let sum = 0;', "  case 'a':\n    ...").is, 'leftOut');
  });

  it('an edit with dots in Python is accepted, because they are a statement', () => {
    const text = 'class A:\n    b: int\n';
    assert.equal(match('    b: int', '    ...', { text, languageId: 'python' }).is, 'fit');
    assert.equal(match('    b: int', '    # ...', { text, languageId: 'python' }).is, 'leftOut');
  });

  it('an edit is refused if one letter is wrong, and the difference is named with the lines around it', () => {
    const old = '  for (const item of items) {\n    sum += item.prize;\n  }';
    const at = line('item.price');
    assert.deepEqual(match(old, 'x'), {
      ...{ is: 'nowhere', near: { start: at - 1, end: at + 2, differs: { wanted: 1, line: at } } },
    });
  });

  it('an edit is refused if it has a line too few or too many, and the first one is named', () => {
    const missing = match('    sum += item.price;\n  }\n  return sum + tax(sum);\n', 'x');
    assert.deepEqual(missing.is === 'nowhere' && missing.near?.differs, { wanted: 1, line: line("log('added')") });
    const more = match("    sum += item.price;\n    n += 1;\n    log('added');\n  }", 'x');
    assert.deepEqual(more.is === 'nowhere' && more.near?.differs, { wanted: 1, line: line("log('added')") });
  });

  it('an edit is refused if no single change of indentation explains its lines, and no line is named', () => {
    const found = match('  let sum = 0;\n   for (const item of items) {\n  sum += item.price;', 'x');
    assert.deepEqual(found, { is: 'nowhere', near: { start: 3, end: 6 } });
  });

  it('a refusal quotes at most twelve lines around the difference', () => {
    const lines = Array.from({ length: 90 }, (_, at) => `line ${at};`);
    const old = lines.with(50, 'other;').slice(20, 70).join('\n');
    const found = match(old, 'x', { text: lines.join('\n') });
    assert.deepEqual(found, { is: 'nowhere', near: { start: 46, end: 58, differs: { wanted: 30, line: 50 } } });
  });

  it('a refusal quotes no lines if the file has none of the old lines', () => {
    assert.deepEqual(match('}\n\nnothing();\n', 'x'), { is: 'nowhere', near: null });
  });

  it('an edit is refused if its old text continues after the end of the file', () => {
    const found = match('line 2\nline 3\nline 4', 'x', { text: 'line 1\nline 2\nline 3' });
    assert.deepEqual(found.is === 'nowhere' && found.near, { start: 1, end: 3, differs: { wanted: 2, line: 3 } });
  });
});
