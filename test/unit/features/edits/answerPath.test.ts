import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isGuarded, safeParseAnswerPath } from '../../../../src/features/edits/vscode/placing/answerPath.ts';
import { guardedFiles } from '../../../../src/features/edits/vscode/placing/guardedFiles.ts';
import { guardedReasons } from '../../../tools/guardedReasons.ts';

describe('the file that a fence names', () => {
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
      `${'$'}{HOME}/x.ts`,
      'a/$USER/x.ts',
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

const named = (names: string): readonly string[] => names.split(' ').map((name) => `/w/${name}`);

describe('files that require a second confirmation', () => {
  it('are also meant by letters that a file system takes for theirs', () => {
    for (const name of ['.v\u017fcode/tasks.json', 'pac\u212aage.json', '.G\u0131T/config', '.\u1e9eh/config'])
      assert.ok(isGuarded(name), name);
  });

  it('are each named once, with a reason and its source', () => {
    const names = Object.values(guardedFiles).flat();
    assert.deepEqual([...new Set(names)], names);
    for (const name of names) {
      assert.equal(name, name.toLowerCase());
      const example = `/a/${name.replaceAll('*', 'x')}${name.endsWith('/') ? 'x' : ''}`;
      assert.ok(isGuarded(example.toUpperCase()), example);
    }
    for (const { why, source } of Object.values(guardedReasons))
      assert.ok(why.length > 15 && /^[\w-]+(?:\.[\w-]+)+(?:[/#]|$)/.test(source), source);
  });

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
      ...named(
        '.cursorrules GEMINI.md CLAUDE.md .windsurfrules .clinerules .mcp.json .cursor/rules/a.mdc .roorules-code',
      ),
      ...named('a/AGENTS.md .github/copilot-instructions.md x/y.instructions.md .claude/settings.json .aider.conf.yml'),
      ...named(
        '.continue/config.yaml .kiro/steering/a.md .gemini/settings.json .codex/config.toml .goosehints WARP.md',
      ),
      ...named(
        '.travis.yml .circleci/config.yml Jenkinsfile .gitlab-ci.yml azure-pipelines.yml bitbucket-pipelines.yml',
      ),
      ...named(
        '.drone.yml .cirrus.yml appveyor.yml .buildkite/pipeline.yml cloudbuild.yaml buildspec.yml .teamcity/settings.kts',
      ),
      ...named(
        '.woodpecker.yml .semaphore/semaphore.yml codemagic.yaml bitrise.yml .tekton/push.yaml .builds/arch.yml',
      ),
      ...named('.zshrc .bashrc .bash_profile .profile .zshenv config.fish Microsoft.PowerShell_profile.ps1 .tmux.conf'),
      ...named(
        'mise.toml .mise.local.toml .tool-versions .envrc flake.nix shell.nix devbox.json .config/mise/config.toml',
      ),
      ...named(
        'package.json sub/package.json Makefile GNUmakefile setup.py build.gradle build.gradle.kts pom.xml build.rs',
      ),
      ...named('.npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs conftest.py tests/conftest.py sitecustomize.py a.pth tox.ini'),
      ...named(
        'noxfile.py pyproject.toml CMakeLists.txt Rakefile Gemfile justfile Taskfile.yml vite.config.ts .eslintrc.cjs',
      ),
      ...named(
        'Dockerfile Dockerfile.dev docker-compose.yml compose.override.yaml .devcontainer.json Vagrantfile .gitpod.yml',
      ),
      ...named(
        '.husky/pre-commit .pre-commit-config.yaml lefthook.yml .gitattributes .gitmodules .git .lintstagedrc.json',
      ),
      ...named('.vscode/mcp.json a.code-workspace .idea/workspace.xml .nvim.lua .exrc .dir-locals.el BUILD .bazelrc'),
      ...named(
        'Directory.Build.props a.csproj NuGet.Config .cargo/config.toml composer.json mix.exs .gdbinit .Rprofile',
      ),
    ];
    for (const path of guarded) assert.ok(isGuarded(path), path);
    const ordinary = [
      ...named('src/pay.ts vscode/tasks.json git.ts settings.json README.md docs/agents.html src/hooks/post-list.ts'),
      ...named('app.config.ts src/package.ts zshrc.md tests/test_pay.py claude.ts build/a.ts github/ci.yml'),
      ...named('index.html main.go lib/mise.rb src/config.js dockerfiles.md .gitkeep a.env.ts profile.ts'),
    ];
    for (const path of ordinary) assert.ok(!isGuarded(path), path);
  });
});
