import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { builtInDenial } from '../../../../src/gate/denials.ts';
import type { findExcludedFiles } from '../../../../src/platform/excludedContent/excludedFiles.ts';
import type { kindOf } from '../../../../src/platform/excludedContent/knownNames.ts';
import type { ruleFor } from '../../../../src/platform/sources/ignored/ignoreRules.ts';
import { Dice } from '../../../tools/dice.ts';
import { Repository } from '../git/repository.ts';
import { DiskWorkspace, moduleIn } from './stage.ts';
import { Uri } from './vscodeFiles.ts';

const folders = ['', 'a', 'a/b', 'a/b.c', 'a-b', 'A', 'dist', 'a/dist', 'ä', 'a\u0308', '.ssh', 'x\\y', 'in', 'in/a'];
const names = [
  ...[
    'a',
    'b.ts',
    '.env',
    '.env.example',
    'key.pem',
    'notes.md',
    'x.log',
    'ä.log',
    'a\u0308.log',
    'x\\.env',
    'copy of id_rsa',
  ],
  ...['.gitignore.bak', 'B.ts', 'c.tmp', '#c.tmp#', 'index.ts', ' a', 'c.key.txt'],
];
const patterns = [
  ...[
    '*.log',
    '/a/',
    'b.ts',
    '!b.ts',
    'a/**/c.tmp',
    '*.tmp',
    '!keep',
    'ä*',
    'dist/',
    'a/b/*',
    '[a-c].ts',
    '/in',
    '**/a',
    'x*',
  ],
  ...['!*', 'index.ts', 'A/', 'a-b/x.log'],
];

/** Random files and rules; `in` is another repository in some of them. */
function make(repository: Repository, dice: Dice): void {
  const rules = (): string => Array.from({ length: 1 + dice.below(3) }, () => `${dice.pick(patterns)}\n`).join('');
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(repository.at(path)), { recursive: true });
    writeFileSync(repository.at(path), text);
  };
  const isFile = new Set<string>();
  for (let count = 0; count < 60; count += 1) {
    const path = join(dice.pick(folders), dice.pick(names));
    if (folders.some((folder) => folder === path || folder.startsWith(`${path}/`))) continue;
    isFile.add(path);
    put(path, '');
  }
  for (let count = 0; count < 3; count += 1) {
    put(join(dice.pick(folders), dice.below(3) === 0 ? '.svcignore' : '.gitignore'), rules());
  }
  if (dice.below(2) === 0) put('.git/info/exclude', rules());
  if (dice.below(3) === 0) {
    mkdirSync(repository.at('in'), { recursive: true });
    execFileSync('git', ['init', '--quiet'], { cwd: repository.at('in') });
  }
  // Some files are tracked, whatever the rules are.
  const tracked = [...isFile].filter((path) => dice.below(2) === 0 && !path.startsWith('in/'));
  const input = tracked.map((path) => `${path}\0`).join('');
  execFileSync('git', ['update-index', '--add', '-z', '--stdin'], { cwd: repository.folder, input });
}

function* filesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.name === '.git') continue;
    if (entry.isDirectory()) yield* filesIn(join(folder, entry.name));
    else yield join(folder, entry.name);
  }
}

describe('the search for excluded files', () => {
  it('finds what the rules say of each file alone, in random trees', async () => {
    type Search = { readonly findExcludedFiles: typeof findExcludedFiles };
    type Rules = { readonly ruleFor: typeof ruleFor };
    type Names = { readonly kindOf: typeof kindOf };
    let found = 0;
    for (let seed = 1; seed <= 25; seed += 1) {
      using repository = new Repository();
      make(repository, new Dice(seed));
      const workspace = new DiskWorkspace(repository.folder);
      const { findExcludedFiles } = await moduleIn<Search>(workspace, 'src/platform/excludedContent/excludedFiles.ts');
      const { ruleFor } = await moduleIn<Rules>(workspace, 'src/platform/sources/ignored/ignoreRules.ts');
      const { kindOf } = await moduleIn<Names>(workspace, 'src/platform/excludedContent/knownNames.ts');
      const { files, built, unsearched } = await findExcludedFiles();
      const expected = new Map<string, string>();
      let expectedBuilt = 0;
      const lookups = new Map();
      for (const path of filesIn(repository.folder)) {
        const uri = Uri.file(path);
        const rule = await ruleFor(uri as unknown as Parameters<typeof ruleFor>[0], lookups);
        const kind = builtInDenial(path) === null ? kindOf(rule) : 'credentials';
        const isBuilt = kind === 'ignored' && path.slice(repository.folder.length).includes('/dist/');
        if (isBuilt) expectedBuilt += 1;
        else if (kind !== null) expected.set(uri.toString(), kind);
      }
      const ours = new Map([...files].map(([key, { kind }]) => [key, kind as string]));
      const sorted = (map: ReadonlyMap<string, string>) => [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
      assert.deepEqual(sorted(ours), sorted(expected), `seed ${seed}`);
      assert.equal(built, expectedBuilt, `seed ${seed}`);
      assert.deepEqual(unsearched, []);
      found += ours.size;
    }
    assert.ok(found > 250, String(found));
  });
});
