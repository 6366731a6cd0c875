import assert from 'node:assert/strict';
import fc from 'fast-check';
import { ChangeSet, type FileChange } from '../../../../src/features/edits/common/changeSet.ts';
import { decidedLines } from '../../../../src/features/edits/common/decidedLines.ts';

const before = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
const proposed = ['a', 'B', 'c', 'x', 'y', 'd', 'e', 'g', 'H'];

/** A change with the hunks: b to B, x and y before d, f removed, h to H. */
function start(): { readonly set: ChangeSet; readonly change: FileChange } {
  const set = new ChangeSet({ ignoresCase: false });
  set.write('a.ts', proposed, before);
  return { set, change: set.openAt('a.ts') ?? assert.fail() };
}
const hunk = ({ draft }: FileChange, at: number) => [draft.hunks[at] ?? assert.fail()];

describe('edits: the lines that were decided about', () => {
  it('are those of the present text, in any order of decisions', () => {
    const { set, change } = start();
    set.rejected(change, hunk(change, 3));
    set.accepted(change, hunk(change, 1));
    assert.deepEqual(decidedLines(change, change.draft.original), {
      accepted: 'lines 4-5',
      rejected: 'line 10',
      open: 'line 2, line 8',
    });
    set.accepted(change, hunk(change, 1));
    set.rejected(change, hunk(change, 0));
    assert.deepEqual(decidedLines(change, change.draft.original), {
      accepted: 'lines 4-5, after line 7',
      rejected: 'line 9, line 2',
      open: '',
    });
    assert.equal(change.state, 'accepted');
  });

  it('follow what the user types, and say where they are gone', () => {
    const { set, change } = start();
    set.rejected(change, hunk(change, 0));
    set.accepted(change, hunk(change, 0));
    const typed = ['top', ...change.draft.original.filter((line) => line !== 'b')];
    assert.deepEqual(decidedLines(change, typed), {
      accepted: 'lines 4-5',
      rejected: 'lines that have changed since',
      open: 'line 8, line 10',
    });
  });

  it('are a place where nothing stands, for an insertion that was rejected or a line that was removed', () => {
    const { set, change } = start();
    set.rejected(change, hunk(change, 1));
    assert.equal(decidedLines(change, before).rejected, 'after line 3');
    const added = new ChangeSet({ ignoresCase: false });
    added.write('b.ts', ['top', ...before], before);
    const at = added.openAt('b.ts') ?? assert.fail();
    added.rejected(at, at.draft.hunks);
    assert.equal(decidedLines(at, before).rejected, 'after line 0');
  });

  it('are at most thirty of a kind', () => {
    const lines = Array.from({ length: 100 }, (_, at) => `line ${at}`);
    const set = new ChangeSet({ ignoresCase: false });
    set.write(
      'long.ts',
      lines.map((line, at) => (at % 2 === 0 ? line : `${line}!`)),
      lines,
    );
    const change = set.openAt('long.ts') ?? assert.fail();
    set.rejected(change);
    const { rejected } = decidedLines(change, lines);
    assert.match(rejected, /^line 2, line 4, .*, line 60, 20 more$/);
  });

  it('name lines that the file has, whatever the file and the decisions are', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { minLength: 1, maxLength: 12 });
    const choices = fc.array(fc.record({ at: fc.nat(20), accepts: fc.boolean() }), { maxLength: 12 });
    fc.assert(
      fc.property(text, text, text, choices, (old, next, now, decisions) => {
        const set = new ChangeSet({ ignoresCase: false });
        set.write('a.ts', next, old);
        const change = set.openAt('a.ts');
        if (change === undefined) return;
        for (const { at, accepts } of decisions) {
          const { hunks } = change.draft;
          if (hunks.length === 0) break;
          const chosen = hunks.slice(at % hunks.length).slice(0, 1);
          if (accepts) set.accepted(change, chosen);
          else set.rejected(change, chosen);
        }
        const words = Object.values(decidedLines(change, now)).join(', ');
        for (const [number] of words.matchAll(/\d+/g)) assert.ok(Number(number) <= now.length, words);
      }),
    );
  });
});
