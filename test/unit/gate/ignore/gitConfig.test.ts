import assert from 'node:assert/strict';
import { gitDirIn, readGitConfig } from '../../../../src/gate/ignore/gitConfig.ts';

describe('gate: git settings, read without git', () => {
  it('reads core.excludesFile and core.ignoreCase, with quotes, escapes and comments', () => {
    const text =
      '[user]\n\texcludesfile = no\n[Core] ; c\n\tExcludesFile = "C:\\\\Users\\\\a b\\\\i#g" # c\n\tignorecase\n[core "x"]\n\tignorecase = false\n';
    assert.deepEqual(readGitConfig(text), { excludesFiles: ['C:\\Users\\a b\\i#g'], ignoresCase: true });
    assert.deepEqual(readGitConfig('[core] excludesfile = "~/a"  \r\n excludesFile=b c ;d\n ignoreCase = off'), {
      excludesFiles: ['~/a', 'b c'],
      ignoresCase: false,
    });
    assert.deepEqual(readGitConfig(''), { excludesFiles: [], ignoresCase: null });
  });

  it('resolves the folder that a .git file names', () => {
    assert.equal(gitDirIn('gitdir: ../.git/modules/a b\r\n'), '../.git/modules/a b');
    assert.equal(gitDirIn('ref: refs/heads/main\n'), null);
  });
});
