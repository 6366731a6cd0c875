import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { maxSteps, workForName } from '../../../../src/gate/ignore/ignoreFolder.ts';
import { IgnoreLayer } from '../../../../src/gate/ignore/ignoreLayer.ts';
import { IgnoreTree } from '../../../../src/gate/ignore/ignoreTree.ts';
import type { PatternList } from '../../../../src/gate/ignore/patternList.ts';
import { readPatterns } from '../../../../src/gate/ignore/patterns.ts';
import { measured, processorMs, turnsOf } from '../../../tools/processorTime.ts';
import { MemoryDisk } from './memoryDisk.ts';

/** Wide: it finds what takes seconds, not what takes longer on a busy machine. Milliseconds of processor time. */
const mostMs = 250;
const reading = { ignoresCase: false, looksBack: true };

function place(files: Readonly<Record<string, string>>) {
  const disk = new MemoryDisk();
  for (const [path, text] of Object.entries(files)) disk.put(path, text);
  const tree = new IgnoreTree({
    disk,
    isRoot: async () => false,
    facts: async () => ({ lists: [[]], readings: [reading] }),
  });
  const ask = async (path: string) =>
    (await tree.folder({ folder: '/w', governedBy: '/w' }, posix.dirname(path), new Map())).ask(
      posix.basename(path),
      false,
    );
  return { disk, ask };
}

/** `a.ts: tooManyRules`, `b.ts: line 3`, or `c.ts: allowed`. */
async function told(ask: ReturnType<typeof place>['ask'], path: string): Promise<string> {
  const found = await ask(path);
  if (found === null) return `${path}: allowed`;
  return `${path}: ${found.line === null ? `${found.why} in ${found.source}` : `line ${found.line}`}`;
}

describe('gate: the size of ignore files', () => {
  const fill = (line: (index: number) => string, count: number): string =>
    Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('');

  it('50,000 rules and 4 MiB are read, in short steps', async () => {
    const wide = 4 * 1024 * 1024 - 50_000;
    const lines = fill((index) => `${index}`.padEnd(Math.floor(wide / 50_000), 'x'), 49_999);
    const text = `${lines}secret.csv\n`;
    const { value, longestMs } = measured(readPatterns(Buffer.from(text)));
    assert.ok(longestMs < mostMs, `${longestMs} ms`);
    assert.equal(value.rules, 50_000);
    const { ask } = place({ '/w/.gitignore': text });
    assert.equal(await told(ask, '/w/secret.csv'), '/w/secret.csv: line 50000');
    assert.equal(await told(ask, '/w/other.csv'), '/w/other.csv: allowed');
  });

  it('every file below is excluded if the rules exceed the limits, in one file or in all of them', async () => {
    const { ask, disk } = place({
      '/w/a/.gitignore': fill((index) => `x${index}`, 30_000),
      '/w/b/.gitignore': fill((index) => `x${index}`, 30_000),
      '/w/c/.gitignore': 'a\n'.repeat(2_000_000),
      '/w/d/.gitignore': `#${'x'.repeat(4_000_000)}\n#${'x'.repeat(300_000)}\nx\n`,
    });
    assert.equal(await told(ask, '/w/a/z'), '/w/a/z: allowed');
    for (const name of ['b', 'c', 'd']) {
      assert.equal(await told(ask, `/w/${name}/z`), `/w/${name}/z: tooManyRules in /w/${name}/.gitignore`);
    }
    assert.equal(await told(ask, '/w/z'), '/w/z: allowed');
    // There is room again once a file is smaller, or gone.
    disk.put('/w/a/.gitignore', 'z\n');
    assert.equal(await told(ask, '/w/a/z'), '/w/a/z: line 1');
    assert.equal(await told(ask, '/w/b/z'), '/w/b/z: allowed');
    disk.files.delete('/w/b/.gitignore');
    disk.put(
      '/w/c/.gitignore',
      fill((index) => `y${index}`, 49_000),
    );
    assert.equal(await told(ask, '/w/c/z'), '/w/c/z: allowed');
  });

  it('eight of 4 MB cost no more than what they may hold', async () => {
    const line = fill(() => 'a', 2_097_000);
    const files = Object.fromEntries(Array.from({ length: 8 }, (_, n) => [`/w/${'d/'.repeat(n)}.gitignore`, line]));
    const { ask } = place(files);
    const before = process.memoryUsage().heapUsed;
    const { ms, longestMs } = await turnsOf(() => told(ask, `/w/${'d/'.repeat(8)}z`));
    assert.ok(ms < 2_000 && longestMs < mostMs, `${ms} ms, the longest turn ${longestMs} ms`);
    assert.ok(process.memoryUsage().heapUsed - before < 100 * 1024 * 1024);
  });

  const rules = (line: (index: number) => string, count = 50_000): PatternList => {
    let text = '';
    for (let index = 0; index < count && text.length + line(index).length < 4 * 1024 * 1024; index += 1)
      text += `${line(index)}\n`;
    const { value, longestMs } = measured(readPatterns(Buffer.from(text)));
    assert.ok(longestMs < mostMs, `${longestMs} ms to read`);
    return typeof value.patterns === 'string' ? assert.fail(value.patterns) : value.patterns;
  };
  const long = 'a'.repeat(250);
  const hostile: Readonly<Record<string, (index: number) => string>> = {
    classes: () => '[b]',
    'the same name': () => 'a/',
    'letters before stars': (index) => `${'a*'.repeat(40)}${index}`,
    'stars between letters': () => `${'*a'.repeat(120)}b`,
    'stars between classes': () => `${'*[ab]'.repeat(120)}c`,
    'one star and a long end': () => `*${'a'.repeat(125)}[b]`,
    'folders of any depth': () => `${'**/a*/'.repeat(120)}b`,
    'unclosed classes': () => '[[:'.repeat(1_000),
    'only stars': () => `${'*'.repeat(4_000)}[x]`,
    'two thousand stars': () => `${'a*'.repeat(2_000)}[x]`,
    'two thousand folders': () => `${'**/'.repeat(1_300)}[x]`,
    'long paths': () => `${'a/'.repeat(2_000)}*b`,
    'ends of each length': (index) => `*${'a'.repeat(index % 250)}`,
  };
  for (const [name, line] of Object.entries(hostile)) {
    it(`one name under rules of ${name} is a short step`, () => {
      const list = rules(line);
      for (const asked of [long, `b${long}`, 'x', `${'a/'.repeat(1_000)}a`]) {
        const last = asked.slice(asked.lastIndexOf('/') + 1);
        const from = processorMs();
        list.lastMatch({ path: asked, name: last, isFolder: false, reading, work: { left: maxSteps } });
        const ms = processorMs() - from;
        assert.ok(ms < mostMs, `${ms} ms for ${asked.slice(0, 20)}`);
      }
    });
  }

  it('all readings of the rules share what one name may cost', () => {
    const readings = [false, true].flatMap((ignoresCase) =>
      [false, true].map((looksBack) => ({ ignoresCase, looksBack })),
    );
    for (const [name, line] of Object.entries(hostile)) {
      const file = rules(line);
      const layer = IgnoreLayer.root(readings, [[{ by: '.gitignore', path: '/w/.gitignore', file }]]);
      const work = workForName();
      const found = layer.ask(long, false, work);
      // The search that uses it up is the last one.
      assert.ok(work.left > -maxSteps / 4, `${name}: ${work.left}`);
      if (work.left < 0) assert.equal(found?.line, null);
    }
  });

  it('generated rules that differ only in a number are ordinary ones', () => {
    const readings = [false, true].flatMap((ignoresCase) =>
      [false, true].map((looksBack) => ({ ignoresCase, looksBack })),
    );
    for (const line of [
      (index: number) => `**/service-${index}/src/main/generated`,
      (index: number) => `**/package-${index}/dist/bundle.generated.min.js`,
      (index: number) => `**/locale_${index}/**/translations.properties`,
      (index: number) => `*${index}*-integration-test-snapshot.json`,
    ]) {
      const file = rules(line, 20_000);
      const layer = IgnoreLayer.root(readings, [[{ by: '.gitignore', path: '/w/.gitignore', file }]]);
      const name = line(99_999).replace('99999', 'none').replaceAll('*', '').replaceAll('//', '/').replace(/^\//, '');
      assert.equal(layer.ask(name, false, workForName()), null, name);
    }
  });

  it('the comparison of pairs, of ends, and of many files counts as work', () => {
    const name = `${'abcdefghijklmnopqrstuvwxyz'.repeat(3)}z`;
    const files: Readonly<Record<string, readonly PatternList[]>> = {
      pairs: [rules(() => `${[...name].map((letter, index) => letter + index).join('')}?9z`)],
      'almost all pairs': [rules(() => `${name}?9z`)],
      ends: Array.from({ length: 200 }, () => rules((index) => `*${'a'.repeat(index)}Z`, 198)),
      files: Array.from({ length: 3_000 }, () => rules(() => '?/[a]', 1)),
    };
    const used = Object.entries(files).map(([kind, lists]) => {
      const found = lists.map((file) => ({ by: '.gitignore', path: '/w/.gitignore', file }) as const);
      const work = workForName();
      IgnoreLayer.root([reading], [found]).ask(name, false, work);
      return [kind, maxSteps - work.left] as const;
    });
    const { pairs = 0, 'almost all pairs': all = 0, ends = 0, files: many = 0 } = Object.fromEntries(used);
    assert.ok(all > pairs + 50_000 * 2, `${all} after ${pairs}`);
    assert.ok(ends > 200 * 198 * 20, `${ends}`);
    assert.ok(many > 3_000 * 100, `${many}`);
  });

  it('the content of a folder is excluded while its name takes too long', async () => {
    const slow = (count: number): string => fill(() => 'b[0-9]*[z]', count);
    const { ask, disk } = place({ '/w/.svcignore': slow(15_000), '/w/.gitignore': slow(15_000) });
    const tooMany = '/w/b2/x.txt: tooManyRules in /w/.gitignore';
    assert.equal(await told(ask, '/w/b2/x.txt'), tooMany);
    assert.equal(await told(ask, '/w/c2/x.txt'), '/w/c2/x.txt: allowed');
    // The answer of the other file is cached, and still counts.
    disk.put('/w/.gitignore', `y\n${slow(15_000)}`);
    assert.equal(await told(ask, '/w/b2/x.txt'), tooMany);
    disk.put('/w/.gitignore', slow(10));
    assert.equal(await told(ask, '/w/b2/x.txt'), '/w/b2/x.txt: allowed');
  });

  it('a name is allowed again as soon as the file that used up the work is shorter', async () => {
    const slow = (count: number): string => fill(() => '?[0-9]*z', count);
    const { ask, disk } = place({ '/w/.svcignore': slow(20_000), '/w/.gitignore': slow(10_000) });
    const paths = ['/w/a1.txt', '/w/a2/b3/c4.txt'];
    // No answer depends on what was asked before.
    for (let time = 0; time < 4; time += 1) {
      for (const path of paths) assert.match(await told(ask, path), /: tooManyRules in/);
    }
    disk.put('/w/.svcignore', '\n');
    for (const path of paths) assert.equal(await told(ask, path), `${path}: allowed`);
  });

  it('a name that would cost more than its share is excluded', async () => {
    const { ask } = place({ '/w/.gitignore': fill(() => `${'*[ab]'.repeat(120)}[c]`, 5_000) });
    const path = `/w/${long}`;
    assert.equal(await told(ask, path), `${path}: tooManyRules in /w/.gitignore`);
    assert.equal(await told(ask, '/w/x'), '/w/x: allowed');
  });
});
