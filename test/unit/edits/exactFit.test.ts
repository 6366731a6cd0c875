import assert from 'node:assert/strict';
import { exactFit } from '../../../src/edits/placing/exactFit.ts';

const fit = (file: string, old: string, now: string) =>
  exactFit(file.split('\n'), { old: old.split('\n'), replacement: now.split('\n') });

describe('old lines with another indentation', () => {
  it('have no place if they stand at two, after one that no change of the indentation explains', () => {
    const old = 'if (a) {\n  b();';
    const file = '    if (a) {\n b();\n\n  if (a) {\n    b();\n\n      if (a) {\n        b();';
    assert.deepEqual(fit(file, old, `${old}\n  c();`), { is: 'ambiguous', at: [3, 6] });
  });

  it('have their place after two that no change of the indentation explains', () => {
    const old = 'if (a) {\n  b();';
    const other = '    if (a) {\n b();\n';
    assert.deepEqual(fit(`${other}${other}  if (a) {\n    b();`, old, `${old}\n  c();`), {
      ...{ is: 'fit', rule: 4, start: 4, end: 6 },
      lines: ['  if (a) {', '    b();', '    c();'],
    });
  });

  it('have no place if they stand at so many that looking at each takes long', () => {
    const old = 'if (a) {\n  b();';
    const [other, one] = ['    if (a) {\n b();\n', '  if (a) {\n    b();'];
    assert.equal(fit(other.repeat(49) + one, old, 'c();').is, 'fit');
    assert.equal(fit(other.repeat(50) + one, old, 'c();').is, 'ambiguous');
  });
});

describe('old lines that the change keeps', () => {
  it('stay as the file has each of them', () => {
    const found = fit('a {\n}  \nb {\n}', 'a {\n}\nb {\n}', 'a {\n}\nb {\n  c\n}');
    assert.deepEqual(found.is === 'fit' && found.lines, ['a {', '}  ', 'b {', '  c', '}']);
  });
});

describe('new lines', () => {
  const file = `log('a');\nlog("b - c");`;
  it('have plain quotation marks where the old ones came with typographic ones for plain ones', () => {
    const found = fit(file, 'log(‘a’);\nlog(“b – c”);', 'log(‘a’);\nlog(“b – d”);');
    assert.deepEqual(found.is === 'fit' && found.lines, [`log('a');`, 'log("b - d");']);
  });

  it('have typographic ones where some lines of the file have them', () => {
    const old = 'log(‘a’);\nlog(“b – c”);';
    const found = fit('log(‘a’);\nlog("b - c");', old, `${old}\nlog(‘d’);`);
    assert.deepEqual(found.is === 'fit' && found.lines, ['log(‘a’);', 'log("b - c");', 'log(‘d’);']);
  });

  it('have typographic ones where the old ones came as the file has them', () => {
    const found = fit(`${file}  `, file, `log('a');\nlog("b – d");`);
    assert.deepEqual(found.is === 'fit' && found.lines, [`log('a');`, 'log("b – d");']);
  });
});
