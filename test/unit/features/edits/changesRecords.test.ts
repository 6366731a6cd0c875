import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChangeSet } from '../../../../src/features/edits/common/changeSet.ts';
import {
  acceptRecord,
  rejectedRecord,
  undoneRecord,
  writtenRecord,
} from '../../../../src/features/edits/common/changesRecords.ts';
import { undoChanges, writeChanges } from '../../../../src/features/edits/common/writeChanges.ts';
import { MemoryFiles } from '../../../tools/memoryFiles.ts';

const before = { 'src/a.ts': 'one\ntwo\n', 'old.ts': '1\n2\n3\n', 'c.ts': 'c', 'd.ts': 'd' };

/** An edit, a new file, a deleted file, and two renamed files, one of them with an edit. */
function proposed(files: MemoryFiles) {
  const set = new ChangeSet({ ignoresCase: false });
  set.write('src/a.ts', ['one', '2', 'two and a half', ''], files.linesNow('src/a.ts'));
  set.write('new.ts', ['new', 'file', ''], null);
  set.delete('old.ts', files.linesNow('old.ts'));
  set.rename('c.ts', 'moved.ts', files.linesNow('c.ts'), false);
  set.write('moved.ts', ['c', 'more'], files.linesNow('c.ts'));
  set.rename('d.ts', 'other.ts', files.linesNow('d.ts'), false);
  return { set, choices: set.changes.map((change) => ({ change })) };
}

describe('the records of proposed changes', () => {
  it('count what is accepted, before it is written, without any name of a file', () => {
    const { set, choices } = proposed(new MemoryFiles(before));
    const { changes } = set;
    const record = acceptRecord('id', choices, new Set(changes.slice(0, 2)));
    assert.deepEqual(record, {
      ...{ kind: 'changes-accept', set: 'id', files: 5, shown: 2, created: 1, deleted: 1, renamed: 2 },
      ...{ added: 5, removed: 4 },
    });
    assert.ok(
      Object.entries(record).every(([name, value]) => name === 'kind' || value === 'id' || typeof value === 'number'),
    );
  });

  it('count as shown only diffs of the files that are accepted', () => {
    const { set, choices } = proposed(new MemoryFiles(before));
    const { files, shown } = acceptRecord('id', choices.slice(0, 1), new Set(set.changes));
    assert.deepEqual([files, shown], [1, 1]);
  });

  it('count only the hunks that are accepted, and a new name not before it is', () => {
    const files = new MemoryFiles({ 'a.ts': 'a\nb\nc\nd\n' });
    const set = new ChangeSet({ ignoresCase: false });
    set.rename('a.ts', 'b.ts', files.linesNow('a.ts'), false);
    set.write('b.ts', ['A', 'b', 'c', 'D', 'E', ''], files.linesNow('a.ts'));
    const [change] = set.changes;
    assert.ok(change);
    const [first, last] = change.draft.hunks;
    assert.ok(first && last);
    const counts = (hunks?: typeof change.draft.hunks) => {
      const { renamed, added, removed } = acceptRecord(
        'id',
        [hunks === undefined ? { change } : { change, hunks }],
        new Set(),
      );
      return { renamed, added, removed };
    };
    assert.deepEqual(counts([last]), { renamed: 0, added: 2, removed: 1 });
    set.accepted(change, [last]);
    // What was written before is not counted again.
    assert.deepEqual(counts([last]), { renamed: 0, added: 0, removed: 0 });
    assert.deepEqual(counts(), { renamed: 1, added: 1, removed: 1 });
  });

  it('count a file once, although its text and its name are written one after the other', async () => {
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    const accepted = await writeChanges(set, choices, files);
    assert.deepEqual(writtenRecord('id', accepted), {
      kind: 'changes-written',
      set: 'id',
      files: 5,
      outcome: 'complete',
    });
    const left = await undoChanges(accepted, files);
    assert.deepEqual(undoneRecord('id', accepted, left), { kind: 'changes-undone', set: 'id', files: 5, leftAlone: 0 });
  });

  it('tell an accept that wrote a part from one that wrote nothing', async () => {
    const outcomes: unknown[] = [];
    for (const failsAt of [0, 1, 3]) {
      const files = new MemoryFiles(before);
      const { set, choices } = proposed(files);
      files.failsAt = failsAt;
      const { files: count, outcome } = writtenRecord('id', await writeChanges(set, choices, files));
      outcomes.push([count, outcome]);
    }
    // The first write leaves half of its text.
    assert.deepEqual(outcomes, [
      [1, 'partly'],
      [2, 'partly'],
      [3, 'partly'],
    ]);
    const files = new MemoryFiles(before);
    const { set, choices } = proposed(files);
    await files.restore('src/a.ts', 'typed');
    const stale = await writeChanges(set, choices, files);
    assert.deepEqual(writtenRecord('id', stale), { kind: 'changes-written', set: 'id', files: 0, outcome: 'failed' });
    assert.deepEqual(undoneRecord('id', stale, []), { kind: 'changes-undone', set: 'id', files: 0, leftAlone: 0 });
  });

  it('count a file as left alone if one of its two steps was not undone', async () => {
    for (const [path, text] of [
      ['moved.ts', 'typed'],
      ['c.ts', 'of the user'],
    ] as const) {
      const files = new MemoryFiles(before);
      const { set, choices } = proposed(files);
      const accepted = await writeChanges(set, choices, files);
      await files.restore(path, text);
      const { files: undone, leftAlone } = undoneRecord('id', accepted, await undoChanges(accepted, files));
      assert.deepEqual([undone, leftAlone], [4, 1], path);
    }
  });

  it('the record of rejected changes has the number of files', () => {
    assert.deepEqual(rejectedRecord('id', 3), { kind: 'changes-rejected', set: 'id', files: 3 });
  });

  it('fit the files: lines added less lines removed is by how much the files grew, as the editor counts', async () => {
    const texts = fc.array(fc.constantFrom('a', 'b', '', '}'), { maxLength: 8 }).map((lines) => lines.join('\n'));
    const pair = fc.record({ old: texts, text: texts, name: fc.constantFrom('', 'new/'), isDeleted: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 6 }), async (pairs) => {
        const files = new MemoryFiles(Object.fromEntries(pairs.map(({ old }, at) => [`${at}`, old])));
        const linesNow = () => [...files.texts.values()].reduce((sum, text) => sum + text.split('\n').length, 0);
        const start = linesNow();
        let deleted = 0;
        const set = new ChangeSet({ ignoresCase: false });
        for (const [at, { old, text, name, isDeleted }] of pairs.entries()) {
          const current = files.linesNow(`${at}`);
          if (isDeleted) {
            set.delete(`${at}`, current);
            deleted += old === '' || old.endsWith('\n') ? 1 : 0;
            continue;
          }
          if (name !== '') set.rename(`${at}`, `${name}${at}`, current, false);
          set.write(`${name}${at}`, text.split('\n'), current);
        }
        const choices = set.changes.map((change) => ({ change }));
        const record = acceptRecord('id', choices, new Set());
        const written = writtenRecord('id', await writeChanges(set, choices, files));
        assert.deepEqual([written.outcome, written.files], ['complete', record.files]);
        // The editor counts an empty last line, which is not a removed line when the file is deleted.
        assert.equal(record.added - record.removed, linesNow() + deleted - start);
      }),
      { numRuns: 500 },
    );
  });
});
