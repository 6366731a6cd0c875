import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globsOf } from '../../../src/gate/globs/globs.ts';

const hides = (glob: string, path: string, ignoresCase = false): boolean =>
  globsOf({ [glob]: true }, ignoresCase).check(path) !== null;

describe('gate: files.exclude', () => {
  const setting = { '**/node_modules': true, '**/*.js': { when: '$(basename).ts' }, '**/dist': false, '**/Out': true };

  it('excludes files, and folders with all their content', () => {
    const globs = globsOf(setting, false);
    for (const [path, rule] of [
      ['node_modules/a/b.ts', '**/node_modules'],
      ['a/node_modules/b.ts', '**/node_modules'],
      ['a/b.js', '**/*.js'],
      ['dist/a.ts', null],
      ['out/a.ts', null],
    ] as const) {
      assert.equal(globs.check(path)?.pattern ?? null, rule, path);
    }
  });

  it('takes every value but false for true, as VS Code does', () => {
    for (const value of [null, 0, '', 'x', {}, { when: 1 }]) {
      assert.ok(globsOf({ '**/a.txt': value }, false).check('a.txt'), JSON.stringify(value));
    }
    assert.equal(globsOf({ '**/a.txt': false }, false).check('a.txt'), null);
  });

  it('is case-sensitive if the file system is', () => {
    assert.equal(globsOf(setting, true).check('out/a.ts')?.pattern, '**/Out');
    for (const [glob, path] of [
      ['**/*.KEY', 'a/x.key'],
      ['Pri?ate/*', 'priVATE/x'],
      ['[A-C]x', 'bX'],
      ['[!a-z]x', 'Ax'],
      ['**/K', '\u212a'],
    ] as const) {
      assert.ok(hides(glob, path, true), `${glob} ${path}`);
    }
    assert.ok(!hides('**/*.KEY', 'a/x.key'));
  });

  it('has the grammar of VS Code', () => {
    for (const [glob, path] of [
      ['**/notes (private).md', 'a/notes (private).md'],
      ['**/*.{key}', 'a/b.key'],
      ['(a+)+b', '(a+)+b'],
      ['**/a+(b)', 'a+(b)'],
      ['**/*.{key,{crt,pem}}', 'a/b.pem'],
      ['**/*.{key,{crt,pem}}', 'a/b.key'],
      ['{**/a/*.ts,b/**}', 'x/a/c.ts'],
      ['{**/a/*.ts,b/**}', 'b'],
      ['  **/a.txt ', 'a.txt'],
      ['a?c', 'abc'],
      ['a/**', 'a'],
      ['a/**/b', 'a/b'],
      ['a/**/b', 'a/x/y/b'],
      ['**', 'a/b'],
      ['*.txt', '.txt'],
      ['[!a]b', 'xb'],
      ['[^a]b', 'xb'],
      ['[]x]b', ']b'],
      ['a{b', 'a'],
      ['a[b', 'a'],
    ] as const) {
      assert.ok(hides(glob, path), `${glob} hides ${path}`);
    }
    for (const [glob, path] of [
      ['(a+)+b', 'aab'],
      ['**/notes (private).md', 'notes private.md'],
      ['@(a|b)', 'a'],
      ['!(a)', 'b'],
      ['*.txt', 'b/a.txt'],
      ['a?c', 'a/c'],
      ['[a-c]', 'd'],
      ['**/a.txt', 'xa.txt'],
      [' ', 'a'],
    ] as const) {
      assert.ok(!hides(glob, path), `${glob} does not hide ${path}`);
    }
  });

  it('excludes everything by a pattern that cannot be read, and reports this', () => {
    const is = (setting: Readonly<Record<string, unknown>>): string | undefined =>
      globsOf(setting, false).check('a/b.ts')?.is;
    assert.equal(is({ '[z-a]': true }), 'unreadable');
    assert.equal(is({ [`${'{'.repeat(200)}a${'}'.repeat(200)}`]: true }), 'unreadable');
    assert.equal(is({ [`*${'a'.repeat(4_000)}`]: true }), 'too-long');
    assert.equal(is({ '[z-a]': false }), undefined);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`*${index}${'ab*'.repeat(300)}`, true]));
    assert.equal(is(many), 'too-many');
    assert.equal(globsOf({ '*.x': true }, false).check('a'.repeat(1_000_000))?.is, 'too-many');
  });

  it('takes bounded time for the folders above a path, however many there are', () => {
    const slow = `**/{${Array.from({ length: 300 }, (_, index) => `a*${index}.ts`).join(',')}}`;
    for (const setting of [{ [slow]: true }, { '**/*a*b*c': true, '**/x*': true }]) {
      const path = `${'a/'.repeat(500)}x/b.ts`;
      const from = process.cpuUsage();
      const found = globsOf(setting, false).check(path);
      const { user } = process.cpuUsage(from);
      assert.ok(user < 500_000, `${user} µs`);
      assert.equal(found?.is, slow in setting ? 'too-many' : 'read');
      // The folders above were asked about one by one.
      const globs = globsOf({ '**/*a*b*c': true }, false);
      for (let depth = 1; depth <= 300; depth += 1) assert.equal(globs.check('a/'.repeat(depth)), null);
    }
  });

  it('takes bounded time for any pattern', function () {
    this.timeout(20_000);
    const name = `${'a'.repeat(250)}!`;
    const path = `${name}/${name}/${name}`;
    const patterns = [
      '(a+)+b',
      `${'*a'.repeat(1_000)}b`,
      `${'**/'.repeat(1_000)}b`,
      `${'**/a*/'.repeat(300)}b`,
      `${'{a,aa,*}'.repeat(200)}b`,
      `${'{**/a*,*/**}'.repeat(150)}b`,
      `${'?'.repeat(2_000)}b`,
      `${'[a-z]*'.repeat(500)}b`,
      `[${'ab-z'.repeat(900)}]b`,
      `${'{*a,'.repeat(40)}b${'}'.repeat(40)}`,
    ];
    for (const pattern of patterns) {
      const from = process.cpuUsage();
      globsOf({ [pattern]: true }, true).check(path);
      const { user } = process.cpuUsage(from);
      assert.ok(user < 1_000_000, `${pattern.slice(0, 20)}: ${user} µs`);
    }
  });

  it('says the same by the folder and the name as by the path', () => {
    const pattern = fc.constantFrom(
      '**/a',
      '**/*.b',
      '**/.c',
      '**/*.b.c',
      'x/**',
      'x/a',
      '**/y',
      '**/*.{b,c}',
      'x\\a',
      '**/A',
    );
    const name = fc.array(fc.constantFrom('a', 'x', '.b', '.c', 'y', '\\', 'A'), { minLength: 1, maxLength: 3 });
    const one = name.map((parts) => parts.join(''));
    const folder = fc.array(one, { maxLength: 3 }).map((names) => names.map((each) => `${each}/`).join(''));
    const property = fc.property(
      fc.array(pattern, { maxLength: 4 }),
      folder,
      one,
      fc.boolean(),
      (patterns, inside, each, folds) => {
        const setting = Object.fromEntries(patterns.map((written) => [written, true]));
        assert.deepEqual(globsOf(setting, folds).checkIn(inside)(each), globsOf(setting, folds).check(inside + each));
      },
    );
    fc.assert(property, { numRuns: 20_000 });
  });
});
