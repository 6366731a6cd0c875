import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { whyFileExcluded, whyFilesExcluded } from '../../../../src/platform/sources/ignored/exclusions.ts';
import { memoryFolder } from '../../../tools/folders.ts';
import { turnsOf } from '../../../tools/processorTime.ts';
import { DiskWorkspace, moduleIn } from '../excludedContent/stage.ts';

interface Rules {
  readonly whyFilesExcluded: typeof whyFilesExcluded;
  readonly whyFileExcluded: typeof whyFileExcluded;
}

const many = 'b'.repeat(40);
/** Where the files are. */
const places: Readonly<Record<string, (index: number) => string>> = {
  'in one folder': (index) => `${many}${index}.txt`,
  'in a folder each': (index) => `${many}${index}.folder/a/file.txt`,
  'in a folder each that has rules': (index) => `${many}${index}.folder/file.txt`,
  'that are links': (index) => `${many}${index}.link`,
};

/** The ways to check them. */
const ways: Readonly<Record<string, (rules: Rules, uris: readonly string[]) => Promise<readonly (string | null)[]>>> = {
  together: (rules, uris) => rules.whyFilesExcluded(uris),
  'at the same time': (rules, uris) => {
    const files = new Map();
    return Promise.all(uris.map((uri) => rules.whyFileExcluded(uri, files)));
  },
};

const glob = `**/{${Array.from({ length: 300 }, (_, index) => `b*${index}z`).join(',')}}`;
/** Rules that take a millisecond or more for a name, and exclude the file 7. */
const slowRules: Readonly<Record<string, { readonly ignored: string; readonly exclude: Record<string, boolean> }>> = {
  '.gitignore': { ignored: `${'?[b]*z\n'.repeat(4_000)}*b7.*\n`, exclude: {} },
  'files.exclude': { ignored: '', exclude: { [glob]: true, '**/*b7.*': true } },
};

describe('the check of many files with slow rules', () => {
  let folder = '';

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(memoryFolder(), 'svc-slow-rules-')));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [by, { ignored, exclude }] of Object.entries(slowRules)) {
    const cases = Object.keys(places).flatMap((where) => Object.keys(ways).map((way) => ({ where, way })));
    for (const { where, way } of cases) {
      it(`takes short steps: ${by}, files ${where}, ${way}`, async () => {
        const pathOf = places[where] ?? assert.fail();
        const paths = Array.from({ length: 200 }, (_, index) => pathOf(index));
        writeFileSync(join(folder, '.gitignore'), ignored);
        for (const path of paths) {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          if (path.endsWith('link')) symlinkSync('.gitignore', join(folder, path));
          else writeFileSync(join(folder, path), '');
          if (where.endsWith('rules')) writeFileSync(join(folder, dirname(path), '.gitignore'), 'x\n');
        }
        const workspace = new DiskWorkspace(folder);
        workspace.settings = { exclude: { workspaceValue: exclude } };
        const rules = await moduleIn<Rules>(workspace, 'src/platform/sources/ignored/exclusions.ts');
        const uris = paths.map((path) => `file://${join(folder, path)}`);
        const { value, ms, longestMs } = await turnsOf(async () => ways[way]?.(rules, uris) ?? assert.fail());
        assert.deepEqual(
          paths.filter((_, index) => value[index] !== null),
          [pathOf(7)],
        );
        // All together take far more than one step may.
        assert.ok(longestMs <= Math.max(50, ms / 30), `${longestMs} of ${ms} ms`);
      });
    }
  }

  it('takes a short step for a file in many workspace folders, each with slow globs', async () => {
    const folders = Array.from({ length: 8 }, (_, depth) => join(folder, `${many}/`.repeat(depth)));
    mkdirSync(folders.at(-1) ?? assert.fail(), { recursive: true });
    const workspace = new DiskWorkspace(folder, 'git', folders.slice(1));
    workspace.settings = { exclude: { workspaceValue: { [glob]: true } } };
    const rules = await moduleIn<Rules>(workspace, 'src/platform/sources/ignored/exclusions.ts');
    const uris = Array.from(
      { length: 20 },
      (_, index) => `file://${join(folders.at(-1) ?? '', `${many}${index}.txt`)}`,
    );
    for (const uri of uris) writeFileSync(uri.slice('file://'.length), '');
    const { value, longestMs } = await turnsOf(() => rules.whyFilesExcluded(uris));
    assert.deepEqual(
      value.map((reason) => /too many to be read/.test(reason ?? '')),
      uris.map(() => true),
    );
    assert.ok(longestMs <= 50, `${longestMs} ms`);
  });

  it('takes short steps for the files of a linked folder, with slow rules for both of its names', async () => {
    const letters = `${'abcdefghijklmnopqrstuvwxyz'.repeat(3)}z`;
    const above = join(folder, `${many}/`.repeat(5));
    const [real, link] = [join(above, 'real'), join(above, 'link')];
    mkdirSync(real, { recursive: true });
    symlinkSync(real, link);
    writeFileSync(join(folder, '.gitignore'), `${letters}?9z\n`.repeat(50_000));
    const workspace = new DiskWorkspace(folder);
    workspace.settings = { exclude: { workspaceValue: { [glob]: true } } };
    const rules = await moduleIn<Rules>(workspace, 'src/platform/sources/ignored/exclusions.ts');
    const names = Array.from({ length: 20 }, (_, index) => `${letters}${index}.txt`);
    for (const name of names) writeFileSync(join(real, name), '');
    const uris = names.map((name) => `file://${join(link, name)}`);
    const { value, longestMs } = await turnsOf(() => rules.whyFilesExcluded(uris));
    assert.deepEqual(
      value,
      uris.map(() => null),
    );
    assert.ok(longestMs <= 50, `${longestMs} ms`);
  });
});
