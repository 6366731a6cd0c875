import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isGuarded, readFenceInfo, safeParseAnswerPath } from '../../../src/host/edits/placing/answerPath.ts';

describe('the file that a fence names', () => {
  it('is a title, or the only other word', () => {
    assert.deepEqual(readFenceInfo('ts title="src/pay.ts"'), { language: 'ts', path: 'src/pay.ts' });
    assert.deepEqual(readFenceInfo("ts title='my files/pay.ts'"), { language: 'ts', path: 'my files/pay.ts' });
    assert.deepEqual(readFenceInfo('ts title=pay.ts'), { language: 'ts', path: 'pay.ts' });
    assert.deepEqual(readFenceInfo('ts ./src/pay.ts'), { language: 'ts', path: 'src/pay.ts' });
    assert.deepEqual(readFenceInfo('  makefile   build/Makefile '), { language: 'makefile', path: 'build/Makefile' });
    assert.deepEqual(readFenceInfo('{.python} größe/日本.py'), { language: 'python', path: 'größe/日本.py' });
  });

  it('is absent in any other line', () => {
    const infos = [
      '',
      'ts',
      'ts hello',
      'ts src/pay.ts and more',
      'ts {1,3-4}',
      'ts showLineNumbers',
      'ts file=src/pay.ts',
    ];
    for (const info of [...infos, 'ts title="a.ts" b.ts', 'ts title=""'])
      assert.equal(readFenceInfo(info).path, undefined, info);
    assert.equal(readFenceInfo('ts').language, 'ts');
  });

  it('is absent if it leads outside the folder', () => {
    const hostile = [
      '/etc/passwd',
      '../x.ts',
      'a/../../x.ts',
      'a/./b.ts',
      'a//b.ts',
      '~/x.ts',
      'C:/x.ts',
      'a\\..\\b.ts',
      'file:///x.ts',
      '$HOME/x.ts',
      '%APPDATA%/x.ts',
      'a.ts:stream',
      'a.ts.',
      'a.ts ',
      'a/ b.ts',
      'a\u0000.ts',
      'a\u202ets.exe',
      'a\u200b.ts',
      'a\ufe0f.ts',
      'a\u034f.ts',
      'a\nb.ts',
      `${'a/'.repeat(200)}b.ts`,
      '..',
      '.',
      '',
    ];
    for (const path of hostile) assert.equal(safeParseAnswerPath(path), null, JSON.stringify(path));
  });

  it('never leads outside, for any input', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('..', '.', '/', 'a', '\\', ' ', 'b.ts', ':', '~')), (parts) => {
        const path = safeParseAnswerPath(parts.join(''));
        if (path === null) return;
        assert.ok(!path.startsWith('/') && !path.split('/').includes('..') && !path.includes('\\'));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('files that require a second confirmation', () => {
  it('are those that decide what runs, in any case and at any depth', () => {
    const guarded = [
      '/w/.vscode/tasks.json',
      '/w/a/.VSCode/Settings.json',
      '/w/.git/hooks/pre-commit',
      '/w/.svc/prompts/x.md',
      '/w/team.code-workspace',
      '/w/.github/workflows/ci.yml',
      '/w/.devcontainer/devcontainer.json',
      'C:\\w\\.vscode\\launch.json',
      '/w/.envrc',
      '/w/.gitignore',
      '/w/AGENTS.md',
    ];
    for (const path of guarded) assert.ok(isGuarded(path), path);
    for (const path of ['/w/src/pay.ts', '/w/vscode/tasks.json', '/w/git.ts', '/w/settings.json'])
      assert.ok(!isGuarded(path), path);
  });
});
