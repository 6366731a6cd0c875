import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInDenial } from '../../../src/gate/denials.ts';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import { makeSample, uncommitted } from '../../demo/sample.ts';

describe('the sample workspace of the demo', () => {
  let folder: string;
  let workspace: string;
  const before = { ...process.env };
  const git = (...args: readonly string[]): string =>
    execFileSync('git', args, { cwd: workspace, encoding: 'utf8', env: before }).trimEnd();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-sample-'));
    workspace = join(folder, 'payments');
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
    rmSync(folder, { recursive: true, force: true });
  });

  it('is a repository with two commits and one change, whatever the configuration of git and its variables say', () => {
    const hooks = join(folder, 'hooks');
    mkdirSync(hooks);
    for (const name of ['pre-commit', 'commit-msg', 'prepare-commit-msg', 'post-commit', 'reference-transaction']) {
      writeFileSync(join(hooks, name), '#!/bin/sh\nexit 1\n');
      chmodSync(join(hooks, name), 0o755);
    }
    writeFileSync(join(folder, 'ignored'), '*\n');
    const config = [
      '[user]\n name = Somebody Else\n email = else@example.com\n signingKey = none',
      '[commit]\n gpgSign = true\n template = /nowhere\n[gpg]\n program = /bin/false',
      `[core]\n hooksPath = ${hooks}\n autocrlf = true\n excludesFile = ${join(folder, 'ignored')}`,
      `[init]\n defaultBranch = other\n templateDir = ${hooks}`,
    ].join('\n');
    writeFileSync(join(folder, '.gitconfig'), config);
    Object.assign(process.env, {
      HOME: folder,
      GIT_CONFIG_GLOBAL: join(folder, '.gitconfig'),
      GIT_DIR: join(folder, 'elsewhere'),
      GIT_INDEX_FILE: join(folder, 'index'),
      GIT_AUTHOR_NAME: 'Somebody Else',
    });
    makeSample(workspace);
    assert.equal(git('branch', '--show-current'), 'main');
    assert.deepEqual(git('log', '--format=%an <%ae> %cn <%ce> %G?').split('\n'), [
      'Svc Coder demo <demo@example.com> Svc Coder demo <demo@example.com> N',
      'Svc Coder demo <demo@example.com> Svc Coder demo <demo@example.com> N',
    ]);
    assert.equal(
      git('-c', `core.excludesFile=${join(folder, 'none')}`, 'status', '--porcelain'),
      ` M ${uncommitted.file}`,
    );
    assert.match(git('diff'), /^-.*throw new Error[\s\S]*^\+.*console\.error/m);
    assert.deepEqual(readdirSync(folder).sort(), ['.gitconfig', 'hooks', 'ignored', 'payments']);
  });

  it('has the same commits each time, and keeps what the user changed', () => {
    makeSample(workspace);
    const id = git('rev-parse', 'HEAD');
    writeFileSync(join(workspace, 'mine.ts'), '');
    makeSample(workspace);
    assert.ok(existsSync(join(workspace, 'mine.ts')));
    workspace = join(folder, 'again');
    makeSample(workspace);
    assert.equal(git('rev-parse', 'HEAD'), id);
  });

  it('has files that are never sent, and only secrets that are recognized', async () => {
    makeSample(workspace);
    const environment = readFileSync(join(workspace, '.env'), 'utf8');
    assert.equal((await scanText(environment)).length, 2);
    assert.notEqual(builtInDenial('.env'), null);
    assert.equal(git('check-ignore', '.env'), '.env');
    assert.match(readFileSync(join(workspace, '.svcignore'), 'utf8'), /^data\/$/m);
    assert.ok(git('ls-files').split('\n').includes('data/customers.csv'));
  });

  it('has a test in each language that finds its bug, and others that pass', function () {
    this.timeout(60_000);
    makeSample(workspace);
    // null if the program is not there.
    const outputOf = (program: string, args: readonly string[]): string | null => {
      const { error, stdout, stderr } = spawnSync(program, args, { cwd: workspace, encoding: 'utf8' });
      return error === undefined ? stdout + stderr : null;
    };
    const typescript = outputOf(process.execPath, ['--test', '--test-reporter=tap']) ?? '';
    assert.match(typescript, /^# pass 3$/m);
    assert.match(typescript, /^ *not ok \d+ - the installments are the amount together, to the cent$/m);
    assert.match(typescript, /^# fail 1$/m);
    const python = outputOf('python3', ['-m', 'unittest', 'discover', 'tests']);
    if (python === null) return;
    assert.match(python, /FAIL: test_each_day_starts_at_zero[\s\S]*Ran 2 tests[\s\S]*failures=1/);
  });
});
