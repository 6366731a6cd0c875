import assert from 'node:assert/strict';
import { posix } from 'node:path';
import fc from 'fast-check';
import type { Lookups } from '../../../../src/gate/ignore/ignoreDisk.ts';
import { IgnoreTree, type RootFacts } from '../../../../src/gate/ignore/ignoreTree.ts';
import { repositories } from '../../../fuzz/ignore/repositories.ts';
import { MemoryDisk } from './memoryDisk.ts';

const usual: RootFacts = { lists: [[]], readings: [{ ignoresCase: false, looksBack: false }] };

/** A disk with repositories, and the result of the tree for a path in it. */
class Place {
  readonly disk = new MemoryDisk();
  readonly #facts = new Map<string, RootFacts>();
  readonly #tree = new IgnoreTree({
    disk: this.disk,
    isRoot: async (folder) => this.#facts.has(folder),
    facts: async (folder) => this.#facts.get(folder) ?? usual,
  });

  constructor(files: Readonly<Record<string, string | null>>) {
    for (const [path, text] of Object.entries(files)) this.disk.put(path, text);
  }

  repository(folder: string, facts: RootFacts): void {
    this.disk.put(posix.join(folder, '.git'), '');
    this.#facts.set(folder, facts);
  }

  /** `.gitignore:1 *.log`, or undefined if no rule ignores it. */
  async rule(path: string, lookups: Lookups = new Map(), top = '/w'): Promise<string | undefined> {
    const isFolder = path.endsWith('/');
    const whole = isFolder ? path.slice(0, -1) : path;
    const folder = await this.#tree.folder({ folder: top, governedBy: top }, posix.dirname(whole), lookups);
    const found = folder.ask(posix.basename(whole), isFolder);
    if (found === null) return undefined;
    return found.line === null ? `${found.source}: unread` : `${found.source}:${found.line} ${found.pattern}`;
  }
}

const rows = async (place: Place, expected: Readonly<Record<string, string | undefined>>): Promise<void> => {
  for (const [path, rule] of Object.entries(expected)) assert.equal(await place.rule(path), rule, path);
};

describe('gate: ignore files of a folder', () => {
  it('apply from the root down, the innermost takes precedence, and the rule is named', async () => {
    const place = new Place({
      '/w/.gitignore': '*.log\n/build/\n!keep.log\n',
      '/w/docs/.gitignore': '*.txt\n!a.txt\n',
      '/w/a/.gitignore': '!data.log\n',
    });
    await rows(place, {
      '/w/x.log': '/w/.gitignore:1 *.log',
      '/w/keep.log': undefined,
      '/w/build/a.js': '/w/.gitignore:2 /build/',
      '/w/build/': '/w/.gitignore:2 /build/',
      '/w/build': undefined,
      '/w/src/build/a.js': undefined,
      '/w/docs/b.txt': '/w/docs/.gitignore:1 *.txt',
      '/w/docs/a.txt': undefined,
      '/w/a/data.log': undefined,
      '/w/b/data.log': '/w/.gitignore:1 *.log',
    });
  });

  it('include nothing again below an ignored folder', async () => {
    const place = new Place({ '/w/.gitignore': 'vendor/\n!vendor/x.ts\n', '/w/vendor/.gitignore': '!*\n' });
    await rows(place, { '/w/vendor/x.ts': '/w/.gitignore:1 vendor/' });
  });

  it('.svcignore excludes what .gitignore includes again', async () => {
    const place = new Place({ '/w/.gitignore': '!a.csv\n', '/w/.svcignore': '*.csv\n', '/w/sub/.svcignore': 'x\n' });
    await rows(place, {
      '/w/a.csv': '/w/.svcignore:1 *.csv',
      '/w/sub/x/y': '/w/sub/.svcignore:1 x',
      '/w/x': undefined,
    });
  });

  it('info/exclude applies after .gitignore, and core.excludesFile last', async () => {
    const place = new Place({ '/w/.gitignore': '!both\n', '/exclude': 'both\none\n!two\n', '/global': 'two\nthree\n' });
    const lists = [
      [
        { by: 'info/exclude', path: '/exclude' },
        { by: 'core.excludesFile', path: '/global' },
      ],
    ] as const;
    place.repository('/w', { ...usual, lists });
    await rows(place, {
      '/w/both': undefined,
      '/w/a/one': '/exclude:2 one',
      '/w/two': undefined,
      '/w/a/three': '/global:2 three',
    });
  });

  it('each of several candidates for core.excludesFile excludes', async () => {
    const place = new Place({ '/one': 'a\n', '/other': 'b\n' });
    const list = (path: string) => [{ by: 'core.excludesFile', path } as const];
    place.repository('/w', { ...usual, lists: [list('/one'), list('/other')] });
    await rows(place, { '/w/a': '/one:1 a', '/w/b': '/other:1 b', '/w/c': undefined });
  });

  it('a nested repository has its own rules, and includes nothing that the outer one ignores', async () => {
    const place = new Place({
      '/w/.gitignore': '*.key.txt\nin/secret\n',
      '/w/in/.gitignore': '!*.key.txt\n!secret\n*.tmp\n',
      '/exclude': 'local\n',
    });
    place.repository('/w/in', { ...usual, lists: [[{ by: 'info/exclude', path: '/exclude' }]] });
    await rows(place, {
      '/w/in/a.key.txt': '/w/.gitignore:1 *.key.txt',
      '/w/in/secret': '/w/.gitignore:2 in/secret',
      '/w/in/a.tmp': '/w/in/.gitignore:3 *.tmp',
      '/w/in/sub/local': '/exclude:1 local',
      '/w/local': undefined,
    });
  });

  it('an unreadable one excludes everything that it could', async () => {
    const place = new Place({
      '/w/a/.gitignore': null,
      '/w/b/.svcignore': `${'x'.repeat(5_000)}\n`,
      '/w/c/.gitignore': '',
    });
    place.disk.files.set('/w/c/.gitignore', Buffer.alloc(5 * 1024 * 1024, '\n'));
    await rows(place, {
      '/w/a/x/y.ts': '/w/a/.gitignore: unread',
      '/w/b/y.ts': '/w/b/.svcignore: unread',
      '/w/c/y.ts': '/w/c/.gitignore: unread',
      '/w/y.ts': undefined,
    });
  });

  it('ignore what any dialect of patterns ignores', async () => {
    const place = new Place({ '/w/.gitignore': '*.TMP\n!Keep.tmp\n' });
    const readings = [false, true].map((ignoresCase) => ({ ignoresCase, looksBack: false }));
    place.repository('/w', { ...usual, readings });
    await rows(place, { '/w/a.TMP': '/w/.gitignore:1 *.TMP', '/w/a.tmp': '/w/.gitignore:1 *.TMP' });
  });

  it('are checked once per request and read again when they change', async () => {
    const place = new Place({ '/w/.gitignore': 'a\n' });
    const request: Lookups = new Map();
    assert.equal(await place.rule('/w/a', request), '/w/.gitignore:1 a');
    const { stats } = place.disk;
    for (const name of ['b', 'c', 'd']) assert.equal(await place.rule(`/w/${name}`, request), undefined);
    assert.equal(place.disk.stats, stats);
    assert.equal(await place.rule('/w/a'), '/w/.gitignore:1 a');
    assert.equal(place.disk.reads, 1);
    place.disk.put('/w/.gitignore', 'b\n');
    assert.equal(await place.rule('/w/a'), undefined);
    assert.equal(await place.rule('/w/b'), '/w/.gitignore:1 b');
    place.disk.put('/w/.svcignore', 'c\n');
    assert.equal(await place.rule('/w/c'), '/w/.svcignore:1 c');
    place.disk.files.delete('/w/.gitignore');
    assert.equal(await place.rule('/w/b'), undefined);
  });

  it('one that was changed just now is read again, because the next change may have the same time', async () => {
    const place = new Place({ '/w/.gitignore': 'a\n' });
    place.disk.isSettled = false;
    assert.equal(await place.rule('/w/a'), '/w/.gitignore:1 a');
    place.disk.put('/w/.gitignore', 'b\n');
    assert.equal(await place.rule('/w/a'), undefined);
  });

  it('a nested repository with any rules never reduces what is excluded', async () => {
    const one = fc.tuple(repositories(30), fc.nat());
    await fc.assert(
      fc.asyncProperty(one, async ([{ rules, paths }, pick]) => {
        const folders = paths.filter(({ path }) => path.includes('/')).map(({ path }) => `/w/${posix.dirname(path)}`);
        const inner = folders[pick % folders.length] ?? '/w/a';
        const [plain, nested] = [new Place({}), new Place({})];
        nested.repository(inner, usual);
        for (const { folder, bytes } of rules.ignoreFiles) {
          for (const { disk } of [plain, nested]) disk.files.set(posix.join('/w', folder, '.gitignore'), bytes);
        }
        for (const { path } of paths) {
          const rule = await plain.rule(`/w/${path}`);
          if (rule !== undefined) assert.notEqual(await nested.rule(`/w/${path}`), undefined, path);
        }
      }),
      { numRuns: 100 },
    );
  });
});
