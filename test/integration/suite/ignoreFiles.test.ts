import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { whyExcluded, whyFileExcluded } from '../../../src/platform/sources/ignored/exclusions.ts';
import { answersAround } from '../../../src/platform/sources/ignored/folderAnswers.ts';

const folder = vscode.workspace.workspaceFolders?.[0]?.uri ?? assert.fail('no workspace');
/** The folder of this test run, which contains the workspace. */
const above = vscode.Uri.joinPath(folder, '..').fsPath;
const made: string[] = [];

function put(path: string, text: string): string {
  made.push(path);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}
const at = (name: string): string => join(folder.fsPath, 'ignore', name);
const why = (name: string): Promise<string | null> => whyFileExcluded(vscode.Uri.file(at(name)).toString());
const git = (cwd: string, ...args: readonly string[]): unknown =>
  execFileSync('git', [...args], { cwd, stdio: 'pipe' });

describe('ignore files', () => {
  before(() => {
    git(above, 'init', '--quiet', '--initial-branch=main');
    made.push(join(above, '.git'));
  });
  afterEach(() => {
    for (const path of made.splice(1)) rmSync(path, { force: true });
    rmSync(at(''), { recursive: true, force: true });
    rmSync(join(above, '.git', 'info'), { recursive: true, force: true });
  });
  after(() => rmSync(join(above, '.git'), { recursive: true, force: true }));

  it('rules in folders above the opened folder apply, and the message links to the line', async () => {
    put(join(above, '.gitignore'), '# secret\n*.plan\n!keep.plan\n');
    assert.equal(await why('a/b.plan'), '../.gitignore, line 2: *.plan');
    assert.equal(await why('keep.plan'), null);
    put(join(above, '.svcignore'), 'workspace/ignore/inner/\n');
    assert.equal(await why('inner/x.ts'), '../.svcignore, line 1: workspace/ignore/inner/');
  });

  it('the rules in info/exclude and core.excludesFile of git apply', async () => {
    put(join(above, '.git', 'info', 'exclude'), 'local.ts\n');
    assert.equal(await why('a/local.ts'), 'info/exclude, line 1: local.ts');
    const mine = put(join(above, 'my excludes'), '\n*.mine\n!local.ts\n');
    git(above, 'config', 'core.excludesFile', mine);
    assert.equal(await why('a/x.mine'), 'core.excludesFile, line 2: *.mine');
    assert.equal(await why('a/local.ts'), 'info/exclude, line 1: local.ts');
    git(above, 'config', '--unset', 'core.excludesFile');
    assert.equal(await why('a/x.mine'), null);
  });

  it('the rules of a submodule and of a work tree are found through its .git file', async () => {
    const modules = join(above, '.git', 'modules', 'lib');
    put(join(modules, 'HEAD'), 'ref: refs/heads/main\n');
    put(join(modules, 'info', 'exclude'), 'own.ts\n');
    put(at('lib/.git'), `gitdir: ${modules}\n`);
    assert.equal(await why('lib/src/own.ts'), 'info/exclude, line 1: own.ts');
    put(join(above, '.git', 'worktrees', 'tree', 'HEAD'), 'ref: refs/heads/main\n');
    put(join(above, '.git', 'worktrees', 'tree', 'commondir'), '../..\n');
    put(join(above, '.git', 'info', 'exclude'), 'all.ts\n');
    put(at('tree/.git'), `gitdir: ${join(above, '.git', 'worktrees', 'tree')}\n`);
    assert.equal(await why('tree/all.ts'), 'info/exclude, line 1: all.ts');
    assert.equal(await why('tree/own.ts'), null);
  });

  it("the rules of a subfolder apply, whatever the Unicode normalization of the file's name is", async () => {
    put(at('sub/.svcignore'), 'übung?.ts\n/only/\n');
    assert.equal(await why('sub/a/übung1.ts'), 'ignore/sub/.svcignore, line 1: übung?.ts');
    assert.equal(await why('sub/a/u\u0308bung1.ts'), 'ignore/sub/.svcignore, line 1: übung?.ts');
    assert.equal(await why('sub/only/..data'), 'ignore/sub/.svcignore, line 2: /only/');
    assert.equal(await why('only/..data'), null);
  });

  it('the current content of an ignore file applies if it changes between two questions', async () => {
    assert.equal(await why('a.ts'), null);
    put(at('.gitignore'), 'a.ts\n');
    assert.match((await why('a.ts')) ?? '', /line 1: a\.ts/);
    put(at('.gitignore'), 'b.ts\n');
    assert.deepEqual([await why('a.ts'), await why('b.ts')], [null, 'ignore/.gitignore, line 1: b.ts']);
    rmSync(at('.gitignore'));
    assert.equal(await why('b.ts'), null);
  });

  it('folders are read again only after something in them has changed', async () => {
    // Changes of the last seconds are not cached.
    const now = Date.now;
    Date.now = () => now() + 60_000;
    try {
      put(at('kept/a.ts'), '');
      put(at('kept/deep/a.ts'), '');
      put(at('.env'), '');
      const both = async (): Promise<readonly (string | null)[]> => [
        await why('kept/a.ts'),
        await why('kept/deep/a.ts'),
      ];
      const answers = () => answersAround(vscode.Uri.file(at('kept/deep/a.ts')).toString(), new Map());
      assert.deepEqual(await both(), [null, null]);
      const before = await answers();
      assert.deepEqual(await both(), [null, null]);
      // On other platforms it is unknown whether a folder's times change with its entries.
      if (process.platform === 'linux') assert.equal(await answers(), before);
      put(at('kept/.svcignore'), 'a.ts\n');
      const byRule = 'ignore/kept/.svcignore, line 1: a.ts';
      assert.deepEqual(
        [await both(), await both()],
        [
          [byRule, byRule],
          [byRule, byRule],
        ],
      );
      rmSync(at('kept/.svcignore'));
      assert.deepEqual(await both(), [null, null]);
      rmSync(at('kept/a.ts'));
      symlinkSync('../.env', at('kept/a.ts'));
      put(at('hidden/.svcignore'), '*\n');
      put(at('hidden/a.ts'), '');
      rmSync(at('kept/deep'), { recursive: true });
      symlinkSync('../hidden', at('kept/deep'));
      assert.deepEqual(await both(), ['a built-in rule (.env)', 'ignore/hidden/.svcignore, line 1: *']);
      const files = vscode.workspace.getConfiguration('files', folder);
      assert.equal(await why('hidden/..%2Fa.ts'), 'ignore/hidden/.svcignore, line 1: *');
      const encoded = `${vscode.Uri.file(at('hidden')).toString()}/..%2F.env`;
      assert.equal(await whyFileExcluded(encoded), 'a built-in rule (.env)');
      rmSync(at('hidden/.svcignore'));
      assert.equal(await why('hidden/a.ts'), null);
      await files.update('exclude', { '**/hidden/**': true }, vscode.ConfigurationTarget.Workspace);
      assert.match((await why('hidden/a.ts')) ?? '', /files\.exclude/);
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
      assert.equal(await why('hidden/a.ts'), null);
    } finally {
      Date.now = now;
    }
  });

  it('the patterns of files.exclude exclude the same files as in VS Code', async () => {
    const patterns = [
      '**/notes (private).md',
      '**/*.{mine,{own}}',
      '(a+)+b',
      '**/plan[0-9]?.md',
      'deep/**/x.md',
      '[z-a]',
    ];
    const names = [
      'notes (private).md',
      'a/x.mine',
      '(a+)+b',
      'aab',
      'plan12.md',
      'deep/x.md',
      'deep/a/b/x.md',
      'y.md',
    ];
    const files = vscode.workspace.getConfiguration('files', folder);
    try {
      for (const pattern of patterns) {
        const exclude = { [`ignore/${pattern}`]: true, ...(pattern.startsWith('**/') ? { [pattern]: true } : {}) };
        await files.update('exclude', exclude, vscode.ConfigurationTarget.Workspace);
        for (const name of names) {
          const uri = vscode.Uri.file(at(name));
          const document = { uri, languageId: 'plaintext' } as vscode.TextDocument;
          const isHidden = Object.keys(exclude).some(
            (glob) => vscode.languages.match({ pattern: new vscode.RelativePattern(folder, glob) }, document) > 0,
          );
          const reason = await why(name);
          if (pattern === '[z-a]') assert.match(reason ?? '', /cannot be read/);
          else assert.equal(reason !== null, isHidden, `${pattern} and ${name}: ${reason}`);
        }
      }
    } finally {
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('many files at the same time get the same answers as each file alone', async () => {
    const names = [
      'a.ts',
      'b.log',
      '.env',
      'x.env.',
      'Ünder.ts',
      'sp ace.ts',
      '50%25.ts',
      'q?#.ts',
      'dir',
      '.aws/credentials',
    ];
    for (const place of ['deep/er', 'deep', 'rules']) {
      for (const name of names.filter((one) => one !== 'dir')) put(at(`${place}/${name}`), '');
      mkdirSync(at(`${place}/dir`));
      symlinkSync('../a.ts', at(`${place}/link.ts`));
    }
    put(at('rules/.gitignore'), '*.log\nÜ*\nsp\\ ace.ts\n*%25*\nq[?]#*\n');
    symlinkSync('rules', at('linked'));
    put(join(above, 'beside', 'a.ts'), '');
    const places = ['deep/er', 'deep', 'rules', 'linked', 'none', '../../beside'];
    const all = places.flatMap((place) => [...names, 'link.ts', 'gone.ts'].map((name) => at(`${place}/${name}`)));
    for (const uri of all.map((path) => vscode.Uri.file(path).toString())) {
      // With a path outside that the user agreed to, no answer for the folder is used.
      const alone = await whyFileExcluded(uri, new Map(), '/agreed');
      assert.equal(await whyFileExcluded(uri), alone, uri);
      assert.equal(await whyExcluded({ uri: '', covers: [{ uri, folder: null }] }), alone, uri);
    }
    const covers = all.map((path) => ({ uri: vscode.Uri.file(path).toString(), folder: null }));
    assert.equal(await whyExcluded({ uri: '', covers }), await whyFileExcluded(covers[2]?.uri ?? ''));
  });

  it('an ignore file that cannot be read excludes every file that it could exclude', async () => {
    mkdirSync(at('odd'), { recursive: true });
    symlinkSync('.gitignore', at('odd/.gitignore'));
    assert.equal(await why('odd/a/b.ts'), 'ignore/odd/.gitignore, which cannot be read');
    put(at('large/.gitignore'), '\n'.repeat(5 * 1024 * 1024));
    assert.equal(await why('large/b.ts'), 'ignore/large/.gitignore, which cannot be read: too many rules');
  });

  it('every file that an attachment covers is checked', async () => {
    put(at('.gitignore'), 'two.ts\n');
    const covers = ['one.ts', 'two.ts'].map((name) => ({ uri: vscode.Uri.file(at(name)).toString(), folder: null }));
    const uri = vscode.Uri.file(at('')).toString();
    assert.equal(await whyExcluded({ uri, covers }), 'ignore/.gitignore, line 1: two.ts');
    assert.equal(await whyExcluded({ uri, covers: covers.slice(0, 1) }), null);
  });

  it('the rules of a former repository still apply, and so do the rules around it', async () => {
    put(join(above, '.gitignore'), 'outer.ts\n');
    put(at('left/.git/config'), '');
    put(at('left/.gitignore'), 'inner.ts\n!outer.ts\n');
    assert.equal(await why('left/outer.ts'), '../.gitignore, line 1: outer.ts');
    assert.equal(await why('left/inner.ts'), 'ignore/left/.gitignore, line 1: inner.ts');
  });
});
