import assert from 'node:assert/strict';
import fc from 'fast-check';
import { globsOf } from '../../../src/gate/globs/globs.ts';
import { checkPath } from '../../tools/checkPath.ts';
import { processorMs } from '../../tools/processorTime.ts';

const hides = (glob: string, path: string, ignoresCase = false): boolean =>
  checkPath(globsOf({ [glob]: true }, ignoresCase), path) !== null;

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
      assert.equal(checkPath(globs, path)?.pattern ?? null, rule, path);
    }
  });

  it('takes every value but false for true, as VS Code does', () => {
    for (const value of [null, 0, '', 'x', {}, { when: 1 }]) {
      assert.ok(checkPath(globsOf({ '**/a.txt': value }, false), 'a.txt'), JSON.stringify(value));
    }
    assert.equal(checkPath(globsOf({ '**/a.txt': false }, false), 'a.txt'), null);
  });

  it('is case-sensitive if the file system is', () => {
    assert.equal(checkPath(globsOf(setting, true), 'out/a.ts')?.pattern, '**/Out');
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
      checkPath(globsOf(setting, false), 'a/b.ts')?.is;
    assert.equal(is({ '[z-a]': true }), 'unreadable');
    assert.equal(is({ [`${'{'.repeat(200)}a${'}'.repeat(200)}`]: true }), 'unreadable');
    assert.equal(is({ [`*${'a'.repeat(4_000)}`]: true }), 'too-long');
    assert.equal(is({ '[z-a]': false }), undefined);
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`*${index}${'ab*'.repeat(300)}`, true]));
    assert.equal(is(many), 'too-many');
    assert.equal(checkPath(globsOf({ '*.x': true }, false), 'a'.repeat(1_000_000))?.is, 'too-many');
  });

  it('takes bounded time for the folders above a path, however many there are', () => {
    const slow = `**/{${Array.from({ length: 300 }, (_, index) => `a*${index}.ts`).join(',')}}`;
    for (const setting of [{ [slow]: true }, { '**/*a*b*c': true, '**/x*': true }]) {
      const path = `${'a/'.repeat(500)}x/b.ts`;
      const from = process.cpuUsage();
      const asked = globsOf(setting, false);
      const found = checkPath(asked, path);
      const { user } = process.cpuUsage(from);
      assert.ok(user < 500_000, `${user} µs`);
      assert.deepEqual(checkPath(asked, path), found);
      // The work for the folders above counts again.
      const shorter = `${'a/'.repeat(60)}b.ts`;
      const answers = [0, 1].map(() => checkPath(asked, shorter)?.is);
      assert.deepEqual(answers, slow in setting ? ['too-many', 'too-many'] : [undefined, undefined]);
      assert.equal(found?.is, slow in setting ? 'too-many' : 'read');
      // The folders above were asked about one by one.
      const globs = globsOf({ '**/*a*b*c': true }, false);
      for (let depth = 1; depth <= 300; depth += 1) assert.equal(checkPath(globs, 'a/'.repeat(depth)), null);
    }
  });

  it('pauses between the folders above a path', () => {
    const settings = [
      { [`**/${'*[!b]'.repeat(100)}z`]: true },
      Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`**/${'*[!b]'.repeat(90)}z${index}`, true])),
      Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`**/${'*?'.repeat(110)}z${index}`, true])),
    ];
    const folder = `${'a'.repeat(99)}/`;
    for (const setting of settings) {
      for (let depth = 1; depth <= 20; depth += 1) {
        const steps = globsOf(setting, false).checkIn(folder.repeat(depth));
        let longestMs = 0;
        for (let isDone = false; !isDone; ) {
          const from = processorMs();
          const step = steps.next();
          if (step.done === true) step.value('x.ts');
          longestMs = Math.max(longestMs, processorMs() - from);
          isDone = step.done === true;
        }
        assert.ok(longestMs <= 50, `${longestMs} ms`);
      }
    }
  });

  it('reads any number of long globs in a short step', () => {
    const kinds = [
      (index: number) => `${index}${'{'.repeat(49)}${'a,'.repeat(1_900)}${'}'.repeat(49)}`,
      (index: number) => `*${index}${'ab*'.repeat(1_320)}`,
      (index: number) => `${'*a'.repeat(1_900)}[z-a]${index}`,
    ];
    for (const glob of kinds) {
      const setting = Object.fromEntries(Array.from({ length: 250 }, (_, index) => [glob(index), true]));
      const from = processorMs();
      assert.notEqual(globsOf(setting, false).checkEntry('x')?.is, 'read');
      const ms = processorMs() - from;
      assert.ok(ms <= 50, `${ms} ms`);
    }
  });

  it('excludes every path by a glob that is too slow for any path', () => {
    const slow = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`**/${'a*'.repeat(1_900)}${at}`, true]));
    const globs = globsOf({ ...slow, '**/secret.env': true }, false);
    for (const path of ['a', `${'a'.repeat(250)}/secret.env`, `${'a'.repeat(250)}.ts`, 'a/'.repeat(2_000)]) {
      assert.equal(checkPath(globs, path)?.is, 'too-many');
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
      checkPath(globsOf({ [pattern]: true }, true), path);
      const { user } = process.cpuUsage(from);
      assert.ok(user < 1_000_000, `${pattern.slice(0, 20)}: ${user} µs`);
    }
  });

  it('excludes a path if a glob excludes it or a folder above it', () => {
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
        const path = inside + each;
        const above = [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));
        const globs = globsOf(setting, folds);
        const found = [...above, path].map(globs.checkEntry).find((glob) => glob !== null);
        assert.deepEqual(checkPath(globsOf(setting, folds), path), found ?? null);
      },
    );
    fc.assert(property, { numRuns: 20_000 });
  });
});
