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
});
