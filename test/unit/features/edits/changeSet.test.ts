import assert from 'node:assert/strict';
import { ChangeSet, changeLimits, kindOf } from '../../../../src/features/edits/common/changeSet.ts';

const text = (lines: string): readonly string[] => lines.split('\n');
const one = text('a\nb\nc\nd\ne');
const two = text('a\nB\nc\nD\ne');

function setOf({ ignoresCase = false } = {}): ChangeSet {
  return new ChangeSet({ ignoresCase });
}

/** What is open, each as `kind from -> to`. */
function open(set: ChangeSet): readonly string[] {
  return set.changes
    .filter(({ state }) => state === 'proposed' || state === 'stale')
    .map((change) => `${kindOf(change)} ${change.from ?? ''} -> ${change.to ?? ''}`);
}

function changeAt(set: ChangeSet, path: string) {
  const change = set.openAt(path);
  assert.ok(change);
  return change;
}

describe('a change set', () => {
  it('has one change for each file, which is read instead of it', () => {
    const set = setOf();
    assert.equal(set.write('a.ts', two, one), null);
    assert.equal(set.write('a.ts', text('x'), one), null);
    assert.equal(set.write('new.ts', text('n'), null), null);
    assert.deepEqual(open(set), ['edit a.ts -> a.ts', 'create  -> new.ts']);
    assert.deepEqual([set.linesAt('a.ts'), set.linesAt('new.ts'), set.linesAt('b.ts')], [['x'], ['n'], undefined]);
    assert.deepEqual(changeAt(set, 'a.ts').draft.original, one);
  });

  it('has no change for what was taken back', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    set.write('a.ts', one, one);
    set.write('b.ts', one, one);
    set.rename('c.ts', 'd.ts', one, false);
    assert.equal(set.rename('d.ts', 'c.ts', one, true), null);
    set.write('new.ts', [''], null);
    assert.deepEqual(open(set), ['create  -> new.ts']);
    set.delete('new.ts', null);
    assert.deepEqual(set.changes, []);
  });

  it('drops the edit of a file that is deleted, which is not edited any more', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    assert.equal(set.delete('a.ts', one), null);
    assert.deepEqual([open(set), set.linesAt('a.ts')], [['delete a.ts -> '], null]);
    assert.deepEqual(changeAt(set, 'a.ts').draft.hunks, []);
    assert.equal(set.write('a.ts', two, one), 'deleted');
    assert.equal(set.delete('a.ts', one), 'deleted');
    assert.equal(set.rename('a.ts', 'b.ts', one, false), 'deleted');
    assert.equal(set.rename('b.ts', 'a.ts', one, false), 'taken', 'the file is there until that is accepted');
  });

  it('keeps the edits of a file that gets another name, and takes further ones by that name', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    assert.equal(set.rename('a.ts', 'b.ts', one, false), null);
    assert.equal(set.rename('b.ts', 'c.ts', one, false), null);
    assert.equal(set.write('c.ts', text('x'), one), null);
    assert.deepEqual([open(set), set.linesAt('c.ts'), set.linesAt('a.ts')], [['rename a.ts -> c.ts'], ['x'], null]);
    assert.equal(set.write('a.ts', two, one), 'renamed');
    assert.equal(set.write('b.ts', two, null), null, 'the name in between is free');
    assert.equal(set.delete('c.ts', one), null);
    assert.deepEqual(open(set), ['delete a.ts -> ', 'create  -> b.ts']);
  });

  it('creates a new file under its last name', () => {
    const set = setOf();
    set.write('a.ts', one, null);
    assert.equal(set.rename('a.ts', 'b.ts', null, false), null);
    assert.deepEqual(open(set), ['create  -> b.ts']);
  });

  it('refuses what is not there', () => {
    assert.equal(setOf().delete('a.ts', null), 'not-there');
    assert.equal(setOf().rename('a.ts', 'b.ts', null, false), 'not-there');
  });

  const taken: readonly (readonly [string, string])[] = [
    ['a.ts', 'a.ts'],
    ['a.ts', 'new.ts'],
    ['a.ts', 'new.ts/x'],
    ['a.ts', 'dir'],
    ['a.ts', 'a.ts/x'],
    ['a.ts', 'old.ts'],
    ['a.ts', 'moved.ts'],
  ];
  for (const [from, to] of taken) {
    it(`refuses to rename ${from} to ${to}, which is taken`, () => {
      const set = setOf();
      set.write('new.ts', one, null);
      set.write('dir/x.ts', one, null);
      set.delete('old.ts', one);
      set.rename('b.ts', 'moved.ts', one, false);
      const before = open(set);
      assert.equal(set.rename(from, to, one, to === from), 'taken');
      assert.deepEqual(open(set), before);
    });
  }

  it('refuses a name that a file of the disk has, and a new file below a file of the set', () => {
    const set = setOf();
    assert.equal(set.rename('a.ts', 'b.ts', one, true), 'taken');
    set.write('new.ts', one, null);
    assert.equal(set.write('new.ts/x.ts', one, null), 'taken');
    assert.equal(set.write('new.ts.txt', one, null), null);
  });

  it('takes names in another case for the same where the file system does', () => {
    const set = setOf({ ignoresCase: true });
    set.write('src/Über.ts', one, null);
    assert.equal(set.rename('a.ts', 'SRC/ÜBER.TS', one, false), 'taken');
    assert.equal(set.rename('a.ts', 'src/über.ts/x', one, false), 'taken');
    assert.equal(set.rename('a.ts', 'src/U\u0308ber.ts', one, false), 'taken');
    assert.equal(set.write('src/über.ts', two, null), null);
    assert.deepEqual(open(set), ['create  -> src/Über.ts']);
    assert.equal(set.rename('a.ts', 'A.ts', one, true), 'taken');
    const other = setOf();
    other.write('src/A.ts', one, null);
    assert.equal(other.rename('b.ts', 'src/a.ts', one, false), null);
  });

  it('has at most so many files, and so much text', () => {
    const set = setOf();
    for (let at = 0; at < changeLimits.files; at += 1) assert.equal(set.write(`${at}.ts`, two, one), null);
    assert.equal(set.write('more.ts', two, one), 'too-many-files');
    assert.equal(set.delete('more.ts', one), 'too-many-files');
    assert.equal(set.rename('more.ts', 'x.ts', one, false), 'too-many-files');
    assert.equal(set.write('0.ts', text('other'), one), null);
    set.rejected(changeAt(set, '0.ts'));
    assert.equal(set.write('more.ts', two, one), null);

    const long = setOf();
    const most = ['ü'.repeat(changeLimits.fileBytes / 2)];
    assert.equal(long.write('a.ts', [`${most}x`], one), 'file-too-long');
    for (const path of ['a', 'b', 'c', 'd']) assert.equal(long.write(path, most, one), null);
    assert.equal(long.write('e', ['x'], one), 'set-too-long');
    assert.equal(long.write('a', ['x'], one), null);
    assert.equal(long.write('e', ['x'], one), null);
    assert.equal(long.delete('f', most), null);
    assert.equal(
      long.write('g', ['x'.repeat(changeLimits.fileBytes - 9)], one),
      null,
      'a deleted file has no new text',
    );
  });

  it('is refused for a file that changed since, until it is as before', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    assert.equal(set.write('a.ts', text('x'), text('typed')), 'stale');
    assert.equal(changeAt(set, 'a.ts').state, 'stale');
    assert.equal(set.delete('a.ts', text('typed')), 'stale');
    assert.equal(set.rename('a.ts', 'b.ts', null, false), 'stale');
    assert.equal(set.write('a.ts', text('x'), one), null);
    assert.equal(changeAt(set, 'a.ts').state, 'proposed');
    set.write('new.ts', one, null);
    assert.equal(set.write('new.ts', two, text('of the user')), 'stale');
  });
});

describe('a decision', () => {
  it('about a hunk leaves the others as they were shown', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    const change = changeAt(set, 'a.ts');
    const [first, second] = change.draft.hunks;
    assert.ok(first && second);
    set.accepted(change, [first]);
    assert.deepEqual([change.state, change.draft.original], ['proposed', text('a\nB\nc\nd\ne')]);
    set.rejected(change, change.draft.hunks);
    assert.deepEqual([change.state, change.accepted, change.rejected.length], ['accepted', 1, 1]);
    assert.equal(set.openAt('a.ts'), undefined);
  });

  it('about several hunks is the same in any order', () => {
    for (const order of [(hunks: readonly unknown[]) => hunks, (hunks: readonly unknown[]) => hunks.toReversed()]) {
      const set = setOf();
      set.write('a.ts', text('a\nb\nb\nb\nc\nd\nd\ne'), one);
      const change = changeAt(set, 'a.ts');
      set.accepted(change, order(change.draft.hunks) as typeof change.draft.hunks);
      assert.deepEqual([change.state, change.draft.original], ['accepted', text('a\nb\nb\nb\nc\nd\nd\ne')]);
    }
  });

  it('against several hunks leaves the last one as it was shown', () => {
    const set = setOf();
    set.write('a.ts', text('a\nb\nb\nb\nc\nd\nd\ne\nf'), one);
    const change = changeAt(set, 'a.ts');
    set.rejected(change, change.draft.hunks.slice(0, 2));
    assert.deepEqual([change.draft.proposed, change.draft.hunks.length], [text('a\nb\nc\nd\ne\nf'), 1]);
  });

  it('about all hunks of a renamed file leaves its name to decide', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    set.rename('a.ts', 'b.ts', one, false);
    const change = changeAt(set, 'b.ts');
    set.rejected(change, change.draft.hunks);
    assert.deepEqual([change.state, open(set)], ['proposed', ['rename a.ts -> b.ts']]);
    set.accepted(change);
    assert.equal(change.state, 'accepted');
  });

  it('against the last hunk of a new file is against the file', () => {
    const set = setOf();
    set.write('a.ts', one, null);
    const change = changeAt(set, 'a.ts');
    set.rejected(change, change.draft.hunks);
    assert.equal(change.state, 'rejected');
  });

  it('stays when the model proposes for the file again', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    set.rejected(changeAt(set, 'a.ts'));
    set.write('a.ts', two, one);
    assert.deepEqual(
      set.changes.map(({ state }) => state),
      ['rejected', 'proposed'],
    );
  });

  it('stays when what was left of the change is taken back', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    const change = changeAt(set, 'a.ts');
    set.accepted(change, change.draft.hunks.slice(0, 1));
    set.write('a.ts', change.draft.original, change.draft.original);
    assert.deepEqual([change.state, change.accepted], ['accepted', 1]);
  });

  it('keeps the names of hunks that a further proposal does not change', () => {
    const set = setOf();
    set.write('a.ts', two, one);
    const change = changeAt(set, 'a.ts');
    const ids = change.draft.hunks.map(({ id }) => id);
    set.write('a.ts', [...two, 'f'], one);
    assert.deepEqual(
      change.draft.hunks.map(({ id }) => id),
      [...ids, 3],
    );
  });
});
