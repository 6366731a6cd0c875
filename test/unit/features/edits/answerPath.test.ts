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

  it('are also all hooks of Git and of assistants', () => {
    const hooks = [
      'applypatch-msg pre-applypatch post-applypatch pre-commit pre-merge-commit prepare-commit-msg commit-msg',
      'post-commit pre-rebase post-checkout post-merge pre-push pre-receive update proc-receive post-receive',
      'post-update reference-transaction push-to-checkout pre-auto-gc post-rewrite sendemail-validate',
      'fsmonitor-watchman p4-changelist p4-prepare-changelist p4-post-changelist p4-pre-submit post-index-change',
      'hooks.json',
    ];
    for (const name of hooks.join(' ').split(' ')) assert.ok(isGuarded(`/w/repository/hooks/${name}`), name);
    for (const path of named('hooks/useUpdate.ts hooks/post-list.ts hooks/pre-push.md src/update hooks.json'))
      assert.ok(!isGuarded(path), path);
  });

  const neighbors: Readonly<Record<string, readonly string[]>> = {
    'other forms of the files of a tool': named(
      [
        'tox.toml pytest.toml .pytest.toml gems.rb go.work .luarc.jsonc meson.options .releaserc .releaserc.yml',
        'package.json5 package.yaml .pnp.cjs .pnp.loader.mjs .yarnrc.yaml .bunfig.toml rebar.config.script',
        'build.gradle.dcl settings.gradle.dcl podman-compose.yml podman-compose.dev.yaml REPO.bazel WORKSPACE.bzlmod',
        'a.MODULE.bazel .bazelversion user.bazelrc tools/bazel BUCK .buckconfig.local pants.ci.toml vitest.workspace.ts',
        'azure-pipelines/build.yml azure-pipelines.release.yml .gitlab-ci/build.yml .gitlab-ci.d/a.yml buildkite.yml',
        'profiles.clj dune-workspace cabal.project.local Package@swift-5.9.swift pubspec_overrides.yaml rescript.json',
        'CMakeSettings.json cmake-variants.yaml mise/config.toml devenv.local.nix .gdbearlyinit .gvimrc',
      ].join(' '),
    ),
    'projects of Visual Studio and of Eclipse': named(
      [
        'a.csproj.user a.vcxproj.user a.esproj a.sqlproj a.pyproj a.shproj a.projitems a.slnf Directory.Build.rsp',
        'MSBuild.rsp .vs/tasks.vs.json launch.vs.json packages.config .config/dotnet-tools.json dotnet-tools.json',
        '.project .factorypath .settings/org.eclipse.jdt.core.prefs',
      ].join(' '),
    ),
    'versions that a shell or an editor runs': named(
      '.python-version .nvmrc .node-version .ruby-version .java-version .terraform-version .sdkmanrc .rvmrc',
    ),
    'settings of checks and language servers': named(
      [
        '.pylintrc pylintrc pylintrc.toml mypy.ini .mypy.ini .flake8 .coveragerc .rubocop.yml .rubocop_todo.yml',
        '.golangci.yml .golangci.yaml .golangci.toml .golangci.json .luacheckrc .lintr .ansible-lint phpcs.xml.dist',
        'phpstan.neon.dist psalm.xml .php-cs-fixer.dist.php .trunk/trunk.yaml analysis_options.yaml .credo.exs',
        '.markdownlint-cli2.jsonc .markdownlint-cli2.mjs .markdownlint.cjs .markdownlint.mjs .vscode-test.mjs',
        '.graphqlrc.yml graphql.config.js .oxlintrc.json cspell.config.cjs dprint.json vetur.config.js .formatter.exs',
        'rust-analyzer.toml .rust-analyzer.toml rust-project.json omnisharp.json hie.yaml .bsp/sbt.json buildServer.json',
        '.lsp/config.edn Steepfile lib/ruby_lsp/pay/addon.rb compile_commands.json .ycm_extra_conf.py .vim/coc-settings.json',
      ].join(' '),
    ),
    'builds, packages, and starts': named(
      [
        'project/Build.scala project/plugins.sbt project/build.properties .jvmopts .sbtopts package.mill conanfile.py',
        'conanfile.txt platformio.ini pay.nimble config.nims nim.cfg dub.json dub.sdl uv.toml hatch.toml pyvenv.cfg',
        'fastlane/Appfile Cartfile.private renv/activate.R .user.ini .config/environment.d/a.conf .mkshrc .xsession',
      ].join(' '),
    ),
    'assistants, bots, and pipelines': named(
      [
        '.claude-plugin/plugin.json .codex-plugin/plugin.json .cline/a.md .clinerules-code .factory/mcp.json .lfsconfig',
        '.aiassistant/rules/a.md .mergify.yml .renovaterc.json5 Dangerfile dangerfile.ts vercel.json amplify.yml Procfile',
        '.gitpod/automations.yaml .gitlint',
      ].join(' '),
    ),
  };
  for (const [group, paths] of Object.entries(neighbors)) {
    it(`are also ${group}`, () => {
      for (const path of paths) assert.ok(isGuarded(path), path);
    });
  }

  it('are none that are edited in ordinary work', () => {
    const ordinary = [
      'tsconfig.json tsconfig.app.json jsconfig.json main.tf tasks.py project.json app.yaml serverless.yml wrangler.toml',
      'angular.json .markdownlint.json .prettierignore .editorconfig .env.example.ts user.ts a.user.js users.csv',
      'PackageView.swift PackageTests.swift taskfile.go src/library/launchpad/a.ts cloudbuild.ts JenkinsfileParser.java',
      'dangerfileRunner.ts Get-UserProfile.ps1 decompose.yaml candycrush.json requirePnpmfile.js hooks/usePush.ts',
      'src/version.ts python-version.md src/project/Task.java projects/Task.scala cspell.json gems.ts go.work.md',
      'procfile.ts vercel.ts compile.json settings/a.json vs/a.json plugin/a.json claude-plugin/a.json lazy.lua',
      'config/config.exs test/pay_test.exs pay.nim slides.sldx hie.ts lsp/server.ts bsp/a.ts',
    ];
    for (const path of named(ordinary.join(' '))) assert.ok(!isGuarded(path), path);
  });
});
