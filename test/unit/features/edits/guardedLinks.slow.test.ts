import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DiskWorkspace, moduleIn } from '../../platform/excludedContent/stage.ts';

type Module = typeof import('../../../../src/features/edits/vscode/changes/fileToChange.ts');

const file = 'src/features/edits/vscode/changes/fileToChange.ts';

describe('a file that a link with a guarded name leads to', () => {
  let folder: string;
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-links-')));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const at = (name: string): string => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    return join(folder, name);
  };
  const put = (...names: readonly string[]): void => {
    for (const name of names) writeFileSync(at(name), 'one\n');
  };
  const link = (name: string, target: string): void => symlinkSync(target, at(name));
  /** Returns which of these files a model may not change. */
  const guarded = async (names: readonly string[], opened = folder): Promise<readonly string[]> => {
    const { fileToChange } = await moduleIn<Module>(new DiskWorkspace(opened), file);
    const found: string[] = [];
    for (const name of names) {
      const words = await fileToChange(name).then(
        () => '',
        (error: { readonly words: string }) => error.words,
      );
      if (/decides what runs here/.test(words)) found.push(name);
      else assert.equal(words, '', name);
    }
    return found;
  };

  it('is not changed by a model, whatever its own name is', async () => {
    const names = [
      'shared/tasks.json',
      'ci/deploy.txt',
      'docs/house.md',
      'tools/check',
      'tools/hook',
      'skills/a/b/c.md',
    ];
    put(...names, 'shared/other.json');
    link('.vscode/tasks.json', '../shared/tasks.json');
    link('.github/workflows/deploy.yml', '../../ci/deploy.txt');
    link('CLAUDE.md', 'docs/house.md');
    link('.husky/pre-commit', '../tools/check');
    link('.git/hooks/pre-commit', '../../tools/hook');
    link('.claude/skills', '../skills');
    assert.deepEqual(await guarded([...names, 'shared/other.json', 'skills.md']), names);
  });

  it('is one in a linked folder, which a new file and the target of a further link are, too', async () => {
    put('conf/settings.txt', 'shared/tasks.txt', 'conf.txt');
    link('.vscode', 'conf');
    link('conf/tasks.json', '../shared/tasks.txt');
    const names = ['conf/settings.txt', 'conf/new.txt', 'shared/tasks.txt'];
    assert.deepEqual(await guarded([...names, 'conf.txt']), names);
  });

  it('is found in a workspace folder that is a link', async () => {
    put('real/shared/tasks.json', 'real/a.ts');
    link('real/.vscode/tasks.json', '../shared/tasks.json');
    link('opened', 'real');
    assert.deepEqual(await guarded(['shared/tasks.json', 'a.ts'], at('opened')), ['shared/tasks.json']);
  });

  it('is not one behind a link to a folder around it, in installed packages, or with an ordinary name', async () => {
    const names = ['packages/one/a.ts', 'src/a.ts', 'dist/a.ts', '.a/a.ts'];
    put(...names);
    link('.vscode/all', '..');
    link('.github/loop', 'loop');
    link('.github/missing', 'nowhere');
    link('node_modules/one', '../packages/one');
    link('build', 'dist');
    link('latest', 'src');
    assert.deepEqual(await guarded(names), []);
  });
});
