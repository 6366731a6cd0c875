import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { whyFilesExcluded } from '../../../../src/platform/sources/ignored/exclusions.ts';
import { memoryFolder } from '../../../tools/folders.ts';
import { turnsOf } from '../../../tools/processorTime.ts';
import { DiskWorkspace, moduleIn } from '../excludedContent/stage.ts';

type Rules = { readonly whyFilesExcluded: typeof whyFilesExcluded };

describe('the check of many files with slow rules', () => {
  let folder = '';

  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(memoryFolder(), 'svc-slow-rules-')));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [where, pathOf] of Object.entries({
    'in one folder': (index: number) => `b${index}.txt`,
    'in a folder each': (index: number) => `b${index}.folder/a/file.txt`,
    'that are links': (index: number) => `b${index}.link`,
  })) {
    it(`takes short steps: ${where}`, async () => {
      const paths = Array.from({ length: 400 }, (_, index) => pathOf(index));
      writeFileSync(join(folder, '.gitignore'), `${'?[0-9]*z\n'.repeat(5_000)}b7.*\n`);
      for (const path of paths) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        if (path.endsWith('link')) symlinkSync('.gitignore', join(folder, path));
        else writeFileSync(join(folder, path), '');
      }
      const rules = await moduleIn<Rules>(new DiskWorkspace(folder), 'src/platform/sources/ignored/exclusions.ts');
      const uris = paths.map((path) => `file://${join(folder, path)}`);
      const { value, ms, longestMs } = await turnsOf(() => rules.whyFilesExcluded(uris));
      assert.deepEqual(
        paths.filter((_, index) => value[index] !== null),
        [pathOf(7)],
      );
      // All together take far more than one step may.
      assert.ok(longestMs <= Math.max(50, ms / 8), `${longestMs} of ${ms} ms`);
    });
  }
});
