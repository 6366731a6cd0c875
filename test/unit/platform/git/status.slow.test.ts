import assert from 'node:assert/strict';
import { chmodSync, rmSync, symlinkSync } from 'node:fs';
import { blobSizes, readBlobs } from '../../../../src/platform/git/blobs.ts';
import { type Change, type ChangeKind, namesOf, specialKind } from '../../../../src/platform/git/changes.ts';
import { runGit } from '../../../../src/platform/git/run.ts';
import { parseStatus } from '../../../../src/platform/git/status.ts';
import { Repository } from './repository.ts';

/** Names that git would read as patterns, options or pathspec magic. */
const names = [
  '[id].tsx',
  '*.yml',
  ':(top)x',
  ':!x',
  '-x',
  '--cached',
  'HEAD',
  'ümlaut ß.ts',
  'a b.txt',
  'quo"te.txt',
  "it's",
  'back\\slash',
  'tab\tname',
  'new\nline',
  '😀',
  '..data',
  'x?y#z%20.ts',
  'deep/[a]/*.ts',
];

const lines = (from: number): string => Array.from({ length: 30 }, (_, index) => `line ${from + index}\n`).join('');

/** `A path`, `M path`, `D path`, `R old -> new`, with the modes if they differ. */
function told({ before, after, isConflict, isUntracked }: Change): string {
  const [one, other] = [before?.path ?? '', after?.path ?? ''];
  const kind = before === null ? (isUntracked ? '?' : 'A') : after === null ? 'D' : one === other ? 'M' : 'R';
  const path = kind === 'R' ? `${one} -> ${other}` : other || one;
  const mode = before !== null && after !== null && before.mode !== after.mode ? ` ${before.mode} ${after.mode}` : '';
  return `${isConflict ? 'U' : kind} ${path}${mode}`;
}

describe('the changes of a repository', () => {
  const list = async (repository: Repository, kind: ChangeKind): Promise<readonly string[]> =>
    (await repository.changes(kind)).map(told).sort();

  /** One change of each kind. */
  function changeAll(repository: Repository): void {
    for (const [index, name] of ['changed', 'deleted', 'gone', 'moved', 'staged', 'mode', 'type', 'both'].entries()) {
      repository.put(name, lines(index * 100));
    }
    repository.commit();
    repository.put('changed', lines(1));
    repository.put('new', lines(5_000));
    repository.put('staged', lines(402));
    repository.git('mv', 'moved', 'to');
    repository.git('rm', '--quiet', 'gone');
    repository.git('add', 'staged');
    rmSync(repository.at('deleted'));
    rmSync(repository.at('type'));
    symlinkSync('changed', repository.at('type'));
    chmodSync(repository.at('mode'), 0o755);
    repository.put('both', lines(701));
    repository.git('add', 'both');
    repository.put('both', lines(702));
    repository.put('added', lines(9_000));
    repository.git('add', 'added');
  }

  const staged = ['A added', 'D gone', 'M both', 'M staged', 'R moved -> to'];
  const all = [...staged, 'D deleted', 'M changed', 'M mode 100644 100755', 'M type 100644 120000'].sort();

  it('include those of the index, of tracked files and of untracked files', async () => {
    using repository = new Repository();
    changeAll(repository);
    assert.deepEqual(await list(repository, 'staged'), staged);
    assert.deepEqual(await list(repository, 'all'), all);
    assert.deepEqual(await list(repository, 'with-untracked'), ['? new', ...all].sort());
    const changes = await repository.changes('all');
    assert.deepEqual(
      changes.filter((change) => specialKind(change) !== null).map((change) => [specialKind(change), namesOf(change)]),
      [['link', ['type']]],
    );
    const moved = changes.find(({ before }) => before?.path === 'moved');
    assert.deepEqual(moved === undefined ? [] : namesOf(moved), ['moved', 'to']);
  });

  const settings: readonly (readonly [key: string, value: string])[] = [
    ['diff.noprefix', 'true'],
    ['diff.mnemonicPrefix', 'true'],
    ['diff.submodule', 'log'],
    ['diff.external', 'echo external'],
    ['diff.renames', 'false'],
    ['diff.renames', 'copies'],
    ['diff.renameLimit', '1'],
    ['diff.relative', 'true'],
    ['diff.ignoreSubmodules', 'all'],
    ['diff.orderFile', '/dev/null'],
    ['diff.wordRegex', '.'],
    ['diff.algorithm', 'histogram'],
    ['diff.colorMoved', 'zebra'],
    ['status.renames', 'false'],
    ['status.showUntrackedFiles', 'no'],
    ['status.showStash', 'true'],
    ['status.branch', 'true'],
    ['status.short', 'true'],
    ['status.relativePaths', 'false'],
    ['status.submoduleSummary', 'true'],
    ['core.quotePath', 'true'],
    ['core.quotePath', 'false'],
    ['color.ui', 'always'],
    ['color.status', 'always'],
    ['column.ui', 'always'],
    ['core.pager', 'echo paged'],
  ];

  it('do not depend on the git configuration of the user', async () => {
    using repository = new Repository();
    changeAll(repository);
    repository.git('stash', 'push', '--quiet', '--keep-index', '--', 'changed');
    repository.git('stash', 'apply', '--quiet');
    const expected = await list(repository, 'with-untracked');
    for (const [key, value] of settings) {
      repository.git('config', key, value);
      assert.deepEqual(await list(repository, 'with-untracked'), expected, `${key}=${value}`);
      assert.deepEqual(await list(repository, 'staged'), staged, `${key}=${value}`);
      repository.git('config', '--unset', key);
    }
    for (const [key, value] of settings) repository.git('config', key, value);
    assert.deepEqual(await list(repository, 'with-untracked'), expected);
  });

  it('are found before the first commit', async () => {
    using repository = new Repository();
    repository.put('a', 'one\n');
    repository.git('add', 'a');
    repository.put('b', 'two\n');
    assert.deepEqual(await list(repository, 'staged'), ['A a']);
    assert.deepEqual(await list(repository, 'with-untracked'), ['? b', 'A a']);
  });

  it('have names verbatim, for any name', async () => {
    using repository = new Repository();
    for (const name of names) repository.put(name, `${name}\n${lines(1)}`);
    repository.commit();
    for (const name of names) repository.put(name, `${name}\n${lines(2)}`);
    const changed = names.map((name) => `M ${name}`).sort();
    assert.deepEqual(await list(repository, 'all'), changed);
    // Each is read by its object id.
    for (const { before, after } of await repository.changes('all')) {
      const [bytes] = await readBlobs(repository.place, [before?.oid ?? '']);
      assert.equal(bytes?.toString(), `${before?.path}\n${lines(1)}`);
      assert.equal(after?.oid, null);
    }
    for (const name of names) repository.git('mv', '--', `./${name}`, `moved ${name.replaceAll('/', '_')}`);
    const moved = names.map((name) => `R ${name} -> moved ${name.replaceAll('/', '_')}`).sort();
    assert.deepEqual(await list(repository, 'staged'), moved);
  });

  it('mark a submodule as such, and treat a nested repository as separate', async () => {
    using repository = new Repository();
    using inner = new Repository();
    inner.put('a', 'one\n');
    inner.commit();
    repository.put('own', 'own\n');
    repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'sub');
    repository.commit();
    const sub = (...args: readonly string[]): string =>
      repository.git('-C', 'sub', '-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args);
    repository.put('sub/a', 'dirty\n');
    assert.deepEqual(await list(repository, 'all'), []);
    sub('commit', '--quiet', '--all', '--message', 'two');
    for (const ignored of ['all', 'none']) {
      repository.git('config', 'submodule.sub.ignore', ignored);
      const changes = await repository.changes('all');
      assert.deepEqual(changes.map(specialKind), ['submodule'], ignored);
    }
    repository.put('nested/a', 'one\n');
    repository.git('-C', 'nested', 'init', '--quiet');
    repository.git('-C', 'nested', 'add', 'a');
    assert.deepEqual(await list(repository, 'with-untracked'), ['M sub']);
  });

  it('the changes of an unresolved merge are compared with our side', async () => {
    using repository = new Repository();
    repository.put('a', 'base\n');
    repository.put('gone', lines(1));
    repository.commit();
    repository.git('switch', '--quiet', '--create', 'other');
    repository.put('a', 'theirs\n');
    repository.put('gone', lines(2));
    repository.commit();
    repository.git('switch', '--quiet', 'main');
    repository.put('a', 'ours\n');
    repository.git('rm', '--quiet', 'gone');
    repository.commit();
    assert.throws(() => repository.git('merge', '--quiet', 'other'));
    assert.deepEqual(await list(repository, 'all'), ['U a', 'U gone']);
    const [a, gone] = await repository.changes('all');
    const [ours] = await readBlobs(repository.place, [a?.before?.oid ?? '']);
    assert.equal(ours?.toString(), 'ours\n');
    assert.equal(gone?.before, null);
    assert.equal(
      (await repository.changes('staged')).every(({ isConflict }) => isConflict),
      true,
    );
  });

  it('include files that were added only with --intent-to-add', async () => {
    using repository = new Repository();
    repository.put('old', lines(1));
    repository.commit();
    repository.git('mv', 'old', 'moved');
    repository.git('reset', '--quiet');
    repository.git('add', '--intent-to-add', 'moved');
    assert.deepEqual(await list(repository, 'staged'), []);
    assert.deepEqual(await list(repository, 'all'), ['R old -> moved']);
  });
});

describe('objects of git', () => {
  it('are read unchanged: no filter or textconv of a repository runs', async () => {
    using repository = new Repository();
    repository.put('.gitattributes', '* diff=secret filter=secret\n');
    repository.put('a.enc', 'sealed\n');
    repository.commit();
    repository.git('config', 'diff.secret.textconv', 'echo opened; cat');
    repository.git('config', 'filter.secret.smudge', 'echo opened; cat');
    const oid = repository.git('rev-parse', 'HEAD:a.enc').trim();
    assert.match(repository.git('show', '--textconv', 'HEAD:a.enc'), /opened/);
    assert.deepEqual((await readBlobs(repository.place, [oid])).map(String), ['sealed\n']);
  });

  it('have their sizes; a missing object and one that is not a file are null', async () => {
    using repository = new Repository();
    const bytes = 'é\0\n\nblob 3\n';
    repository.put('a', bytes);
    repository.put('empty', '');
    repository.commit();
    const [a = '', empty = '', commit = ''] = ['HEAD:a', 'HEAD:empty', 'HEAD'].map((name) =>
      repository.git('rev-parse', name).trim(),
    );
    const missing = '1'.repeat(40);
    const wanted = [a, missing, commit, empty, a];
    const read = await readBlobs(repository.place, wanted);
    assert.deepEqual(
      read.map((one) => one?.toString() ?? null),
      [bytes, null, null, '', bytes],
    );
    const sizes = await blobSizes(repository.place, wanted);
    assert.deepEqual(
      wanted.map((oid) => sizes.get(oid)),
      [Buffer.byteLength(bytes), null, null, 0, Buffer.byteLength(bytes)],
    );
    assert.deepEqual(await readBlobs(repository.place, []), []);
  });

  it('objects that git cannot read cause an error with the reason', async () => {
    using repository = new Repository();
    await assert.rejects(runGit(repository.place, ['cat-file', '--no-such-option']), {
      kind: 'gate',
      code: 'git-failed',
      reason: /no-such-option/,
    });
    const notStarted = {
      code: 'git-failed',
      reason: undefined,
      details: { git: { is: 'not-started', code: 'ENOENT' } },
    };
    await assert.rejects(runGit({ ...repository.place, program: '/nowhere/git' }, ['status']), notStarted);
    await assert.rejects(runGit({ ...repository.place, folder: '/nowhere' }, ['status']), { reason: /nowhere/ });
    // Git says nothing where it only compares.
    const quiet = ['diff', '--no-index', '--quiet', '/dev/null', '/etc/hostname'];
    await assert.rejects(runGit(repository.place, quiet), {
      reason: undefined,
      details: { git: { is: 'exit', code: 1 } },
    });
  });

  it('unexpected output of git is an error', () => {
    const parse = (text: string) => parseStatus(Buffer.from(text));
    assert.throws(() => parse('3 what\0'), /not known/);
    assert.throws(() => parse('1 M. N...\0'), /too few fields/);
    assert.deepEqual(parse(''), []);
    assert.deepEqual(parse('# stash 1\0! ignored\0? nested/\0'), []);
  });
});
