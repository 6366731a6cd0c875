import assert from 'node:assert/strict';
import fc from 'fast-check';
import { follow } from '../../../src/review/findings/follow.ts';

const before = 'one\ntwo\nthree\ntwo\n';
const edit = (offset: number, removed: number, inserted: string) => ({
  changes: [{ offset, removed, inserted: inserted.length }],
  after: before.slice(0, offset) + inserted + before.slice(offset + removed),
});
const three = { start: 8, end: 13, text: 'three' };

describe('following a quoted text through edits', () => {
  it('moves with text inserted before it, not with text after it', () => {
    const above = edit(0, 0, 'zero\n');
    assert.deepEqual(follow(three, above.changes, above.after), { start: 13, end: 18 });
    const below = edit(14, 3, 'four');
    assert.deepEqual(follow(three, below.changes, below.after), { start: 8, end: 13 });
  });

  it('is lost if the text itself changes', () => {
    for (const { changes, after } of [edit(9, 1, 'H'), edit(10, 0, 'x'), edit(8, 5, ''), edit(0, 18, '')]) {
      assert.equal(follow(three, changes, after), null);
    }
  });

  it('is found again if the line was moved', () => {
    const after = 'three\none\ntwo\ntwo\n';
    assert.deepEqual(follow(three, [{ offset: 0, removed: before.length, inserted: after.length }], after), {
      start: 0,
      end: 5,
    });
  });

  it('is correct for any simultaneous edits outside of it', () => {
    fc.assert(
      fc.property(
        fc.nat({ max: 8 }),
        fc.nat({ max: 8 }),
        fc.string({ maxLength: 5 }),
        fc.string({ maxLength: 5 }),
        (a, b, x, y) => {
          const [first, second] = [Math.min(a, 7), 13 + Math.min(b, 4)];
          const after = before.slice(0, first) + x + before.slice(first, second) + y + before.slice(second);
          const changes = [
            { offset: second, removed: 0, inserted: y.length },
            { offset: first, removed: 0, inserted: x.length },
          ];
          const found = follow(three, changes, after);
          return found !== null && found.start === 8 + x.length && after.slice(found.start, found.end) === 'three';
        },
      ),
    );
  });
});
