import assert from 'node:assert/strict';
import { binaryLines, isBinary } from '../../../../src/features/edits/common/binaryFile.ts';
import { changedLines } from '../../../../src/features/edits/common/changedLines.ts';
import { ChangeSet } from '../../../../src/features/edits/common/changeSet.ts';

describe('edits: a file that is no text', () => {
  it('the line of a binary file differs from texts, and from the line of another content', () => {
    assert.equal(isBinary(binaryLines('ab')), true);
    for (const lines of [[], [''], ['ab'], ['', '\0']]) assert.equal(isBinary(lines), false, JSON.stringify(lines));
    assert.notDeepEqual(binaryLines('ab'), binaryLines('ac'));
  });

  it('a binary file can be deleted while its content is the same, and has no lines', () => {
    const set = new ChangeSet({ ignoresCase: false });
    assert.equal(set.delete('logo.png', binaryLines('ab')), null);
    const [change] = set.changes;
    if (change === undefined) assert.fail('nothing is proposed');
    assert.deepEqual(changedLines({ change }), { added: 0, removed: 0 });
    set.check(change, binaryLines('ac'));
    assert.equal(change.state, 'stale');
    set.check(change, ['ab']);
    assert.equal(change.state, 'stale');
    set.check(change, binaryLines('ab'));
    assert.equal(change.state, 'proposed');
  });
});
