import assert from 'node:assert/strict';
import { changedLines } from '../../../../src/features/edits/common/changedLines.ts';
import { ChangeSet } from '../../../../src/features/edits/common/changeSet.ts';

describe('the lines of a change', () => {
  it('are all lines of a file that is new or deleted, without the empty one after its last line break', () => {
    for (const [text, count] of [
      ['a\nb\n', 2],
      ['a\nb', 2],
      ['\na', 2],
      ['\n', 1],
      ['', 0],
    ] as const) {
      const set = new ChangeSet({ ignoresCase: false });
      set.write('new', text.split('\n'), null);
      set.delete('old', text.split('\n'));
      assert.deepEqual(
        set.changes.map((change) => changedLines({ change })),
        [
          { added: count, removed: 0 },
          { added: 0, removed: count },
        ],
        JSON.stringify(text),
      );
    }
  });

  it('are those of its hunks, or of some of them, and not of hunks that were decided before', () => {
    const set = new ChangeSet({ ignoresCase: false });
    set.write('a.ts', ['A', 'b', 'c', 'D', 'E', ''], ['a', 'b', 'c', 'd', '']);
    const [change] = set.changes;
    assert.ok(change);
    const [first, last] = change.draft.hunks;
    assert.ok(first && last);
    assert.deepEqual(changedLines({ change }), { added: 3, removed: 2 });
    assert.deepEqual(changedLines({ change, hunks: [last] }), { added: 2, removed: 1 });
    assert.deepEqual(changedLines({ change, hunks: [] }), { added: 0, removed: 0 });
    set.rejected(change, [first]);
    assert.deepEqual(changedLines({ change }), { added: 2, removed: 1 });
  });

  it('a rename without a new text has no changed lines', () => {
    const set = new ChangeSet({ ignoresCase: false });
    set.rename('a.ts', 'b.ts', ['a', 'b'], false);
    assert.deepEqual(
      set.changes.map((change) => changedLines({ change })),
      [{ added: 0, removed: 0 }],
    );
  });
});
