import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { ChangeSet } from '../../../../src/features/edits/common/changeSet.ts';
import { StaleChange, undoChanges, writeChanges } from '../../../../src/features/edits/common/writeChanges.ts';
import { MemoryFiles } from '../../../tools/memoryFiles.ts';

const before = { 'a.ts': '\uFEFFone\r\nüber\r\n', 'b.ts': 'b', 'c.ts': 'c', 'd.ts': 'd' };

/** A change of each kind, and a renamed file with an edit. */
function proposed(files: MemoryFiles) {
  const set = new ChangeSet({ ignoresCase: false });
  set.delete('b.ts', files.linesNow('b.ts'));
  set.rename('c.ts', 'moved.ts', files.linesNow('c.ts'), false);
  set.write('moved.ts', ['c', 'more'], files.linesNow('c.ts'));
  set.write('a.ts', ['one', 'two', 'über', ''], files.linesNow('a.ts'));
  set.write('new.ts', ['new', ''], null);
  return { set, choices: set.changes.map((change) => ({ change })) };
}

/** Files that are formatted when they are saved. */
class FormattedFiles extends MemoryFiles {
  readonly #format: (text: string) => string;

  constructor(texts: Readonly<Record<string, string>>, format: (text: string) => string) {
    super(texts);
    this.#format = format;
  }

  override async write(path: string, lines: readonly string[], before: readonly string[] | null): Promise<void> {
    await super.write(path, lines, before);
    this.texts.set(path, this.#format(this.texts.get(path) ?? ''));
  }
}

const texts = ({ texts }: MemoryFiles) => Object.fromEntries(texts);

describe('what was accepted', () => {
  it('is written: texts first, then names, then deletions, with the line endings and the mark of the file', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    const accepted = await writeChanges(set, choices, files);
    assert.equal(accepted.stopped, undefined);
    assert.deepEqual(files.written, ['c.ts', 'a.ts', 'new.ts', 'c.ts', 'moved.ts', 'b.ts']);
    assert.deepEqual(texts(files), {
      ...{ 'a.ts': '\uFEFFone\r\ntwo\r\nüber\r\n', 'moved.ts': 'c\nmore', 'new.ts': 'new\n', 'd.ts': 'd' },
    });
    assert.ok(set.changes.every(({ state }) => state === 'accepted'));
    assert.deepEqual(await undoChanges(accepted, files), []);
    assert.deepEqual(texts(files), before);
  });

  it('is written up to the first failure, and undone with what that wrote in part', async () => {
    for (let failsAt = 0; failsAt < 6; failsAt += 1) {
      const files = new MemoryFiles(before);
      const { set, choices } = proposed(files);
      files.failsAt = failsAt;
      const accepted = await writeChanges(set, choices, files);
      assert.match(String(accepted.stopped?.reason), /disk full/);
      files.failsAt = Number.POSITIVE_INFINITY;
      assert.deepEqual(await undoChanges(accepted, files), []);
      assert.deepEqual(texts(files), before, `failed at ${failsAt}`);
    }
  });

  it('in part, and formatted when it was saved, leaves the rest to be decided where it has one place', async () => {
    const lines = ['one', 'two', 'three', 'four', 'five', 'six', ''];
    for (const [format, state] of [
      [(text: string) => text.replaceAll('ONE ', 'ONE;'), 'proposed'],
      [(text: string) => text.replaceAll('five', 'five;'), 'stale'],
    ] as const) {
      const files = new FormattedFiles({ 'a.ts': lines.join('\n') }, format);
      const set = new ChangeSet({ ignoresCase: false });
      set.write('a.ts', ['ONE ', 'two', 'three', 'four', 'five', 'SIX', ''], files.linesNow('a.ts'));
      const [change] = set.changes;
      const [first] = change?.draft.hunks ?? [];
      if (change === undefined || first === undefined) assert.fail('nothing is proposed');
      const accepted = await writeChanges(set, [{ change, hunks: [first] }], files);
      assert.equal(accepted.stopped, undefined);
      assert.equal(change.state, state);
      if (state === 'stale') continue;
      assert.deepEqual([change.draft.hunks.length, change.draft.carried], [1, 1]);
      const rest = await writeChanges(set, [{ change }], files);
      assert.equal(rest.stopped, undefined);
      assert.equal(files.texts.get('a.ts'), 'ONE;\ntwo\nthree\nfour\nfive\nSIX\n');
      assert.deepEqual(await undoChanges(rest, files), []);
      assert.deepEqual(await undoChanges(accepted, files), []);
      assert.equal(files.texts.get('a.ts'), lines.join('\n'));
    }
  });

  it('is not another text that was proposed after the user accepted', async () => {
    const files = new MemoryFiles(before);
    const { set } = proposed(files);
    const choices = set.changes.map((change) => ({ change, proposed: change.draft.proposed }));
    set.write('a.ts', ['one', 'hidden', ''], files.linesNow('a.ts'));
    const only = choices.filter(({ change }) => change.to === 'a.ts');
    const { stopped, steps } = await writeChanges(set, only, files);
    assert.ok(stopped?.reason instanceof StaleChange);
    assert.deepEqual([steps, texts(files)], [[], before]);
  });

  it('is named by an undo that cannot tell whether the file changed since', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    const { digest } = files;
    let reads = 0;
    files.digest = (path) => {
      reads += 1;
      return reads === 2 ? Promise.reject(new Error('too long')) : digest.call(files, path);
    };
    const only = choices.filter(({ change }) => change.to === 'a.ts');
    const accepted = await writeChanges(set, only, files);
    assert.equal(accepted.steps.length, 1);
    assert.deepEqual(
      (await undoChanges(accepted, files)).map(({ paths }) => paths),
      [['a.ts']],
    );
  });

  it('is formatted when it is saved, and still gets its new name', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    const { write } = files;
    files.write = async (path, lines, old) => {
      await write.call(files, path, lines, old);
      files.texts.set(path, `${files.texts.get(path)}\nformatted`);
    };
    const accepted = await writeChanges(set, choices, files);
    assert.equal(accepted.stopped, undefined);
    assert.equal(files.texts.get('moved.ts'), 'c\nmore\nformatted');
    assert.deepEqual(await undoChanges(accepted, files), []);
    assert.deepEqual(texts(files), before);
  });

  it('is not written to a file that changed since, that is gone, or that is there now', async () => {
    for (const [path, text] of [
      ['a.ts', 'typed'],
      ['a.ts', null],
      ['new.ts', 'of the user'],
    ] as const) {
      const files = new MemoryFiles(before);
      const { set, choices } = proposed(files);
      await files.restore(path, text);
      const was = texts(files);
      const only = choices.filter(({ change }) => (change.from ?? change.to) === path);
      const { stopped, steps } = await writeChanges(set, only, files);
      assert.ok(stopped?.reason instanceof StaleChange && stopped.path === path);
      assert.deepEqual([steps, texts(files)], [[], was]);
    }
  });

  for (const [what, there] of [
    ['changed', { 'b.ts': 'b' }],
    ['was created', {}],
  ] as const)
    it(`is not written to a file that ${what} while the file before it was written, and the undo leaves that alone`, async () => {
      class WatchedFiles extends MemoryFiles {
        override async write(...of: Parameters<MemoryFiles['write']>): Promise<void> {
          // The next file is read meanwhile.
          await setImmediate();
          await super.write(...of);
          this.texts.set('b.ts', 'typed');
        }
      }
      const files = new WatchedFiles({ 'a.ts': 'a', ...there });
      const set = new ChangeSet({ ignoresCase: false });
      for (const path of ['a.ts', 'b.ts']) set.write(path, ['new'], files.linesNow(path));
      const choices = set.changes.map((change) => ({ change }));
      const accepted = await writeChanges(set, choices, files);
      assert.ok(accepted.stopped?.reason instanceof StaleChange && accepted.stopped.path === 'b.ts');
      assert.deepEqual(
        accepted.steps.flat().map(({ path }) => path),
        ['a.ts'],
      );
      assert.deepEqual(texts(files), { 'a.ts': 'new', 'b.ts': 'typed' });
      assert.deepEqual(await undoChanges(accepted, files), []);
      assert.deepEqual(texts(files), { 'a.ts': 'a', 'b.ts': 'typed' });
    });

  it('does not take the name of a file that is there now', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    await files.restore('moved.ts', 'of the user');
    const accepted = await writeChanges(set, choices, files);
    assert.equal(accepted.stopped?.path, 'c.ts');
    await undoChanges(accepted, files);
    assert.deepEqual(texts(files), { ...before, 'moved.ts': 'of the user' });
  });

  it('is written hunk by hunk, however often one is named', async () => {
    const files = new MemoryFiles({ 'a.ts': 'a\nb\nc\nd\ne' });
    const set = new ChangeSet({ ignoresCase: false });
    set.write('a.ts', ['a', 'B', 'B', 'c', 'd', 'E', 'F'], files.linesNow('a.ts'));
    const [change] = set.changes;
    const [first, last] = change?.draft.hunks ?? [];
    assert.ok(change && first && last);
    const one = await writeChanges(set, [{ change, hunks: [last, last] }], files);
    assert.deepEqual(texts(files), { 'a.ts': 'a\nb\nc\nd\nE\nF' });
    const again = await writeChanges(set, [{ change, hunks: [last] }], files);
    assert.ok(again.stopped?.reason instanceof StaleChange, 'it is decided');
    const mixed = await writeChanges(set, [{ change, hunks: [first, last] }], files);
    assert.ok(mixed.stopped?.reason instanceof StaleChange, 'one of them is decided');
    const both = await writeChanges(set, [{ change, hunks: [first] }], files);
    assert.deepEqual(texts(files), { 'a.ts': 'a\nB\nB\nc\nd\nE\nF' });
    assert.equal(change.state, 'accepted');
    assert.deepEqual(await undoChanges(both, files), []);
    assert.deepEqual(await undoChanges(one, files), []);
    assert.deepEqual(texts(files), { 'a.ts': 'a\nb\nc\nd\ne' });
  });
});

describe('an undo', () => {
  it('leaves alone what changed since, and a renamed file with both of its names', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    const accepted = await writeChanges(set, choices, files);
    await files.restore('moved.ts', 'typed');
    await files.restore('b.ts', 'made again');
    assert.deepEqual(await undoChanges(accepted, files), [
      { paths: ['b.ts'] },
      { paths: ['c.ts', 'moved.ts'] },
      { paths: ['c.ts'] },
    ]);
    assert.deepEqual(texts(files), { 'a.ts': before['a.ts'], 'd.ts': 'd', 'moved.ts': 'typed', 'b.ts': 'made again' });
  });

  it('an undo of an earlier accept leaves alone what a later one wrote', async () => {
    const files = new MemoryFiles(before);
    const set = new ChangeSet({ ignoresCase: false });
    const accept = async (text: string) => {
      set.write('b.ts', [text], files.linesNow('b.ts'));
      const change = set.openAt('b.ts');
      assert.ok(change);
      return writeChanges(set, [{ change }], files);
    };
    const [first, second] = [await accept('1'), await accept('2')];
    assert.deepEqual(await undoChanges(first, files), [{ paths: ['b.ts'] }]);
    assert.deepEqual(await undoChanges(second, files), []);
    assert.deepEqual(await undoChanges(first, files), []);
    assert.deepEqual(texts(files), before);
  });

  it('says which files could not be written, and brings back the others', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    const accepted = await writeChanges(set, choices, files);
    const restore = files.restore.bind(files);
    const reason = new Error('read-only');
    files.restore = async (path, text) => (path === 'a.ts' ? Promise.reject(reason) : restore(path, text));
    assert.deepEqual(await undoChanges(accepted, files), [{ paths: ['a.ts'], reason }]);
    assert.deepEqual(texts(files), { ...before, 'a.ts': '\uFEFFone\r\ntwo\r\nüber\r\n' });
  });
});
