import assert from 'node:assert/strict';
import { changedLines, touches } from '../../../src/review/diff.ts';

describe('the changed lines of a diff', () => {
  it('are those that are added, and where something is missing now', () => {
    const diff = [
      'diff --git a/a.ts b/a.ts',
      '--- a/a.ts',
      '+++ b/a.ts',
      '@@ -1,4 +1,5 @@ function',
      ' one',
      '-two',
      '+TWO',
      '+three',
      ' four',
      ' five',
      '@@ -20,3 +21,2 @@',
      ' x',
      '-gone',
      ' y',
      '\\ No newline at end of file',
      '@@ -40 +40 @@',
      '-old',
      '+++ new',
    ].join('\n');
    assert.deepEqual(changedLines(diff), [
      { first: 1, last: 3 },
      { first: 21, last: 21 },
      { first: 39, last: 40 },
    ]);
  });

  it('are all lines of a new file, and none of no diff', () => {
    assert.deepEqual(changedLines('@@ -0,0 +1,3 @@\n+a\n+b\n+c\n'), [{ first: 1, last: 3 }]);
    assert.deepEqual(changedLines(''), []);
    assert.equal(touches([{ first: 3, last: 5 }], 1, 2), false);
    assert.equal(touches([{ first: 3, last: 5 }], 5, 9), true);
  });
});
