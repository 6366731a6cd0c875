import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { gitIn } from '../../../../src/evidence/cli/git.ts';
import { addedInCommit, commitsBetween } from '../../../../src/evidence/provenance/repository/commits.ts';
import { lineOrigin } from '../../../../src/evidence/provenance/repository/lineOrigin.ts';
import { listNotes, putNote, readNotes, removeNote } from '../../../../src/evidence/provenance/repository/notes.ts';
import { blobSizes, readBlobs } from '../../../../src/platform/git/blobs.ts';
import { listChanges } from '../../../../src/platform/git/listChanges.ts';
import { committedWith, listFiles } from '../../../../src/platform/git/listings.ts';
import { type GitPlace, runGit } from '../../../../src/platform/git/run.ts';
import { lastSubjects } from '../../../../src/platform/git/subjects.ts';
import { startGit } from '../../../../src/util/git/startGit.ts';
import { Repository } from '../../platform/git/repository.ts';
import { HostileRepository } from './hostileRepository.ts';

/** Everything that is asked of git, each once. What fails, fails without a program. */
async function askAll(place: GitPlace, { head, missing }: HostileRepository): Promise<void> {
  const git = (args: readonly string[], input?: string) => runGit(place, args, input);
  const all: readonly (() => Promise<unknown>)[] = [
    () => listChanges(place, 'with-untracked'),
    () => listChanges(place, 'all'),
    () => listFiles(place),
    () => lastSubjects(place, 10),
    () => committedWith(place, ['const one = [1];']),
    () => readBlobs(place, [missing]),
    () => blobSizes(place, [missing]),
    () => lineOrigin(git, 'a.txt', 'one\n', 1),
    () => lineOrigin(git, 'lost.txt', 'lost\n', 1),
    () => addedInCommit(git, head),
    () => commitsBetween(git, head, null, 10),
    () => putNote(git, head, 'a note'),
    () => listNotes(git),
    () => readNotes(git, [head]),
    () => removeNote(git, head),
    () => git(['var', 'GIT_COMMITTER_IDENT']),
    () => git(['config', '--local', '--add', 'notes.rewriteRef', 'refs/notes/ai']),
  ];
  for (const ask of all) await ask().catch(() => undefined);
}

describe('a repository that names programs', function () {
  this.timeout(120_000);

  it('starts them with a plain git', () => {
    using repository = new HostileRepository();
    const seen = new Set<string>();
    const look = (args: readonly string[], input = ''): void => {
      repository.touch();
      repository.tryPlainGit(args, input);
      for (const mark of repository.marks()) seen.add(mark);
    };
    look(['status', '--porcelain']);
    look(['update-ref', 'refs/heads/x', repository.head]);
    look(['cat-file', '--batch'], `${repository.missing}\n`);
    look(['blame', 'a.txt']);
    repository.moveHooks();
    look(['update-ref', 'refs/heads/y', repository.head]);
    repository.remote('ssh://127.0.0.1:1/x');
    look(['cat-file', '-p', repository.missing]);
    for (const mark of ['clean', 'fsmonitor', 'inner', 'hook', 'hooks-path', 'ext', 'textconv', 'ssh']) {
      assert.ok(seen.has(mark), `${mark} is started: ${[...seen]}`);
    }
  });

  it('starts none of them through Svc Coder, not even in an old git', async () => {
    using repository = new HostileRepository();
    repository.marks();
    for (const program of ['git', join(repository.oldGit(), 'git')]) {
      for (const url of [repository.extRemote, 'ssh://127.0.0.1:1/x', 'git://127.0.0.1:1/x', 'http://127.0.0.1:1/x']) {
        repository.remote(url);
        repository.touch();
        await askAll({ program, folder: repository.folder }, repository);
        assert.deepEqual(repository.marks(), [], `${program} ${url}`);
      }
    }
    repository.moveHooks();
    repository.plainGit('config', 'remote.origin.vcs', 'ext');
    repository.plainGit('config', 'fetch.bundleURI', 'http://127.0.0.1:1/x');
    repository.marks();
    repository.touch();
    await askAll({ program: join(repository.oldGit(), 'git'), folder: repository.folder }, repository);
    assert.deepEqual(repository.marks(), []);
  });

  it('starts none of them when its notes are verified, not even in an old git', async () => {
    using repository = new HostileRepository();
    repository.marks();
    const { PATH } = process.env;
    for (const path of [PATH, `${repository.oldGit()}${delimiter}${PATH}`]) {
      process.env.PATH = path;
      try {
        const git = await gitIn(repository.folder);
        for (const args of [
          ['cat-file', '--batch'],
          ['cat-file', '--batch-check'],
        ])
          await git(args, `${repository.missing}\n${repository.head}\n`).catch(() => undefined);
        await addedInCommit(git, repository.head).catch(() => undefined);
        await listNotes(git).catch(() => undefined);
        await lineOrigin(git, 'lost.txt', 'lost\n', 1).catch(() => undefined);
      } finally {
        process.env.PATH = PATH;
      }
      assert.deepEqual(repository.marks(), []);
    }
  });

  it('still has its changes found', async () => {
    using repository = new HostileRepository();
    repository.touch();
    const changes = await listChanges({ program: 'git', folder: repository.folder }, 'with-untracked');
    assert.deepEqual(
      changes.map(({ before, after }) => (after ?? before)?.path),
      ['.gitattributes'],
    );
  });

  it('is refused if a filter has a name that cannot be overridden', async () => {
    using repository = new Repository();
    repository.git('config', 'filter.a=b.clean', 'false');
    await assert.rejects(listChanges(repository.place, 'all'));
  });

  for (const [what, name] of [
    ['one byte', [0xff]],
    ['a cut letter', [0x61, 0xc3, 0x62]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
  ] as const) {
    it(`is refused if a filter has a name that is not text: ${what}`, async () => {
      using repository = new Repository();
      repository.put('a.txt', 'one\n');
      repository.commit();
      const bytes = Buffer.from(name);
      writeFileSync(
        repository.at('.gitattributes'),
        Buffer.concat([Buffer.from('* filter='), bytes, Buffer.from('\n')]),
      );
      const program = `touch '${repository.at('mark')}'; cat`;
      const [before, after] = [Buffer.from('[filter "'), Buffer.from(`"]\n\tclean = "${program}"\n`)];
      appendFileSync(repository.at('.git/config'), Buffer.concat([before, bytes, after]));
      // Of the same size, so that git must read it.
      repository.put('a.txt', 'two\n');
      await assert.rejects(listChanges(repository.place, 'all'));
      assert.ok(!existsSync(repository.at('mark')));
      repository.git('status', '--porcelain');
      assert.ok(existsSync(repository.at('mark')), 'plain git starts it');
    });
  }

  it('switches off the filters of the user, if it names a program for Git LFS', async () => {
    using repository = new Repository();
    repository.put('a.bin', 'one\n');
    repository.commit();
    repository.put('.gitattributes', '*.bin filter=lfs\n');
    const home = mkdtempSync(join(tmpdir(), 'svc-home-'));
    const { HOME } = process.env;
    const mark = join(home, 'mark');
    const filter = `[filter "lfs"]\n\tclean = "touch '${mark}'; cat"\n\trequired = true\n`;
    writeFileSync(join(home, '.gitconfig'), filter);
    process.env.HOME = home;
    const isStarted = async (): Promise<boolean> => {
      rmSync(mark, { force: true });
      repository.put('a.bin', 'two\n');
      await listChanges(repository.place, 'all');
      return existsSync(mark);
    };
    try {
      assert.ok(await isStarted());
      for (const key of [
        'lfs.extension.x.clean',
        'lfs.customtransfer.x.path',
        'lfs.standaloneTransferAgent',
        'lfs.https://127.0.0.1/.standaloneTransferAgent',
      ]) {
        repository.git('config', key, 'false');
        assert.ok(!(await isStarted()), key);
        repository.git('config', '--unset', key);
      }
      repository.git('config', 'lfs.url', 'https://127.0.0.1/');
      assert.ok(await isStarted());
    } finally {
      process.env.HOME = HOME;
      rmSync(home, { recursive: true });
    }
  });
});

describe('git as Svc Coder starts it', function () {
  this.timeout(60_000);

  it('finds the same repository with any environment', async () => {
    using repository = new Repository();
    using other = new Repository();
    repository.put('a.ts', 'const one = [1];\n');
    repository.put('.gitignore', 'b.ts\n');
    repository.commit();
    repository.put('b.ts', '');
    repository.put('a.ts', 'const two = [2];\n');
    const found = async (): Promise<unknown> => [
      await listFiles(repository.place),
      await committedWith(repository.place, ['const one = [1];']),
      await repository.changes('with-untracked'),
    ];
    const before = await found();
    const set: Readonly<Record<string, string>> = {
      GIT_DIR: other.at('.git'),
      GIT_WORK_TREE: other.folder,
      GIT_INDEX_FILE: other.at('index'),
      GIT_OBJECT_DIRECTORY: other.at('.git/objects'),
      GIT_COMMON_DIR: other.at('.git'),
      GIT_CEILING_DIRECTORIES: repository.folder,
      GIT_NAMESPACE: 'x',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'core.excludesFile',
      GIT_CONFIG_VALUE_0: '/nowhere',
      GIT_CONFIG_PARAMETERS: "'core.bare=true'",
      GIT_CONFIG_GLOBAL: other.at('.git/config'),
      GIT_LITERAL_PATHSPECS: '1',
      GIT_REPLACE_REF_BASE: 'refs/x',
      GIT_DEFAULT_HASH: 'sha256',
      GIT_TRACE: '1',
    };
    Object.assign(process.env, set);
    try {
      assert.deepEqual(await found(), before);
    } finally {
      for (const name of Object.keys(set)) delete process.env[name];
    }
  });

  it('prints the same with any settings of the user', async () => {
    using repository = new Repository();
    repository.put('lib/ä.ts', 'const one = [1];\n');
    repository.put('lib/b.ts', 'const two = [2];\n');
    repository.put('.gitignore', 'lib/c.ts\n');
    repository.commit();
    repository.put('lib/c.ts', '');
    repository.put('lib/d.ts', '');
    repository.put('lib/b.ts', 'const three = [3];\n');
    const lib = { program: 'git', folder: repository.at('lib') };
    const git = (args: readonly string[], input?: string) => runGit(repository.place, args, input);
    const head = repository.git('rev-parse', 'HEAD').trim();
    const found = async (): Promise<unknown> => [
      await listFiles(lib),
      await committedWith(lib, ['const one = [1];']),
      await repository.changes('with-untracked'),
      await listChanges(lib, 'with-untracked'),
      await lineOrigin(git, 'lib/b.ts', 'const two = [2];\n', 1),
      await addedInCommit(git, head),
      await commitsBetween(git, head, null, 10),
    ];
    const before = await found();
    assert.deepEqual((before as unknown[])[1], ['ä.ts']);
    const home = mkdtempSync(join(tmpdir(), 'svc-home-'));
    const { HOME } = process.env;
    writeFileSync(
      join(home, '.gitconfig'),
      [
        [
          'grep',
          'fullName = true',
          'lineNumber = true',
          'column = true',
          'patternType = perl',
          'fallbackToNoIndex = true',
        ],
        ['color', 'ui = always', 'status = always', 'grep = always', 'diff = always'],
        ['core', 'quotePath = true', 'pager = false', 'abbrev = 4', 'commentChar = x'],
        ['status', 'relativePaths = true', 'short = true', 'branch = true', 'showStash = true', 'renames = false'],
        ['status', 'showUntrackedFiles = no', 'submoduleSummary = true'],
        ['diff', 'relative = true', 'noprefix = true', 'renames = false', 'orderFile = /x', 'algorithm = patience'],
        ['log', 'showSignature = true', 'showRoot = false', 'decorate = full', 'date = relative', 'follow = true'],
        ['blame', 'showEmail = true', 'coloring = highlightRecent', 'blankBoundary = true'],
        ['i18n', 'logOutputEncoding = utf-16'],
        ['alias', 'status = version', 'ls-files = version', 'grep = version'],
        ['submodule', 'recurse = true'],
        ['pager', 'status = true', 'grep = true'],
      ]
        .map(([section, ...lines]) => `[${section}]\n\t${lines.join('\n\t')}\n`)
        .join(''),
    );
    process.env.HOME = home;
    try {
      assert.deepEqual(await found(), before);
    } finally {
      process.env.HOME = HOME;
      rmSync(home, { recursive: true });
    }
  });

  it('does not wait for a pipe or a device in place of the excluded files of the user', async () => {
    using repository = new Repository();
    repository.put('a.ts', '');
    repository.put('.gitignore', 'b.ts\n');
    repository.put('b.ts', '');
    execFileSync('mkfifo', [repository.at('pipe')]);
    repository.put('.git/info/exclude', 'pipe\n');
    writeFileSync(repository.at('.git/huge'), Buffer.alloc(5 * 1024 * 1024, '\n'));
    const before = await listFiles(repository.place);
    assert.deepEqual(before?.ignored, ['b.ts']);
    for (const path of [
      repository.at('pipe'),
      '/dev/zero',
      '/dev/stdin',
      repository.at('.git/huge'),
      repository.folder,
    ]) {
      repository.git('config', 'core.excludesFile', path);
      assert.deepEqual(await listFiles(repository.place), before, path);
      assert.equal((await listChanges(repository.place, 'with-untracked')).length, 2, path);
    }
  });

  it('works in a folder by its relative path, and is found without the repository', async () => {
    using repository = new Repository();
    mkdirSync(repository.at('x'));
    const start = { program: 'git', args: ['rev-parse', '--show-toplevel'], timeout: 20_000, maxBytes: 1_000 };
    const { output } = await startGit({
      ...start,
      folder: join('..', '..', '..', '..', '..', '..', repository.at('x')),
    });
    assert.equal(output.toString().trim(), repository.folder);
  });

  it('is the only program that is started, besides tasks that the user allows and credential helpers', () => {
    const starts = globSync('{src,tools}/**/*.{ts,mjs}')
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) =>
        /from 'node:child_process'|require\(.child_process|import\(.node:child_process/.test(
          readFileSync(path, 'utf8'),
        ),
      );
    assert.deepEqual(starts.sort(), [
      'src/features/tools/node/taskProcess.ts',
      'src/platform/keys/helper/runHelper.ts',
      'src/util/git/childOutput.ts',
      'src/util/git/startGit.ts',
      // Ends the processes of tasks and helpers.
      'src/util/processTree.ts',
    ]);
  });
});
