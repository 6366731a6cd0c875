import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { booleanIn, gitDirIn, readConfigList, readGitConfig } from '../../../../src/gate/ignore/gitConfig.ts';

describe('gate: git settings, as git lists them', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-config-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const git = (...args: string[]) => {
    const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', HOME: folder, XDG_CONFIG_HOME: folder };
    return spawnSync('git', ['config', '-z', ...args], { cwd: folder, env, encoding: 'utf8' });
  };

  it('has the origin, the key and the value of each entry, also of included files', () => {
    writeFileSync(
      join(folder, '.gitconfig'),
      '[Core "Sub"]\n a = "x\\ny"\n[core]\n IgnoreCase\n[include]\n path = more\n',
    );
    writeFileSync(join(folder, 'more'), '[core]\n excludesFile =\n');
    const file = (name: string): string => `file:${join(folder, name)}`;
    assert.deepEqual(readConfigList(git('--list', '--show-origin', '--show-scope').stdout), [
      { scope: 'global', origin: file('.gitconfig'), key: 'core.Sub.a', value: 'x\ny' },
      { scope: 'global', origin: file('.gitconfig'), key: 'core.ignorecase', value: null },
      { scope: 'global', origin: file('.gitconfig'), key: 'include.path', value: 'more' },
      { scope: 'global', origin: file('more'), key: 'core.excludesfile', value: '' },
    ]);
    assert.deepEqual(readConfigList(''), []);
  });

  it('a boolean means what it means to git, or git is asked', () => {
    for (const written of [
      '',
      '=',
      '= true',
      '= YES',
      '= On',
      '= 1',
      '= False',
      '= no',
      '= off',
      '= 0',
      '= 2',
      '= 1k',
      '= "true "',
    ]) {
      writeFileSync(join(folder, '.gitconfig'), `[core]\n ignorecase ${written}\n`);
      const [entry] = readConfigList(git('--list', '--show-origin', '--show-scope').stdout);
      const value = booleanIn(entry?.value ?? null);
      if (value !== null) assert.equal(git('--type=bool', '--get', 'core.ignorecase').stdout, `${value}\0`, written);
    }
    assert.equal(booleanIn('2'), null);
  });
});

describe('gate: git settings, read without git', () => {
  it('reads core.excludesFile and core.ignoreCase, with quotes, escapes and comments', () => {
    const text =
      '[user]\n\texcludesfile = no\n[Core] ; c\n\tExcludesFile = "C:\\\\Users\\\\a b\\\\i#g" # c\n\tignorecase\n[core "x"]\n\tignorecase = false\n';
    assert.deepEqual(readGitConfig(text), {
      excludesFiles: ['C:\\Users\\a b\\i#g'],
      ignoresCase: true,
      workTrees: [],
    });
    assert.deepEqual(
      readGitConfig('[core] excludesfile = "~/a"  \r\n excludesFile=b c ;d\n worktree = ../x y ; z\n ignoreCase = off'),
      {
        excludesFiles: ['~/a', 'b c'],
        ignoresCase: false,
        workTrees: ['../x y'],
      },
    );
    assert.deepEqual(readGitConfig(''), { excludesFiles: [], ignoresCase: null, workTrees: [] });
  });

  it('resolves the folder that a .git file names', () => {
    assert.equal(gitDirIn('gitdir: ../.git/modules/a b\r\n'), '../.git/modules/a b');
    assert.equal(gitDirIn('ref: refs/heads/main\n'), null);
  });
});
