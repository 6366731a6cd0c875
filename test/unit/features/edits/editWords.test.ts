import assert from 'node:assert/strict';
import { matchEdit } from '../../../../src/edits/placing/matchEdit.ts';
import { editWords, refusalWords } from '../../../../src/features/edits/common/editWords.ts';

const file = ['function a() {', '  one();', '  two();', '}', '', 'function b() {', "  log('x');", '}'];

describe('the result of an edit in words', () => {
  const table: readonly (readonly [old: string, now: string, words: string, quoted?: readonly [number, number]])[] = [
    ['  one();', '  three();', 'Proposed, not written: line 2 of the new text.'],
    ['  one();\n  two();', '  two();\n  one();', 'Proposed, not written: lines 2-3 of the new text.'],
    [
      '  one();  ',
      '  three();',
      'Proposed, not written: line 2 of the new text. White space at line ends was ignored.',
    ],
    ['  log(‘x’);', '  log(‘y’);', 'Proposed, not written: line 7 of the new text. Typographic letters were ignored.'],
    [
      'one();\ntwo();',
      'two();\none();',
      'Proposed, not written: lines 2-3 of the new text. The indentation was adjusted.',
    ],
    ['', 'x', 'Refused: oldString is blank, and the file is not. Copy the lines that are to change.'],
    ['  one();', '  one();', 'Refused: this changes nothing.'],
    ['  one();', '  // ...', 'Refused: line 1 of newString replaces code that was left out. Write that code.'],
    ['{\n  // ...\n}', 'x', 'Refused: line 2 of oldString replaces code that was left out. Write that code.'],
    [
      '}',
      '};',
      'Refused: oldString occurs at several places: lines 4, 8. Copy more lines around it, so that it occurs once.',
    ],
    ['nothing();', 'x', 'Refused: the file has no line of oldString. Read the file again.'],
    [
      '  one();\n  too();\n}',
      'x',
      'Refused: oldString is not in the file. Most of it is at lines 2-4. Line 2 of oldString differs first, from line 3 of the file:',
      [1, 4],
    ],
    [
      '    one();\n two();',
      'x',
      'Refused: oldString is not in the file. Most of it is at lines 2-3. Its lines are there, with other white space:',
      [1, 3],
    ],
  ];
  for (const [old, now, words, quoted] of table) {
    it(`is "${words}"`, () => {
      const [start, end] = quoted ?? [];
      assert.deepEqual(editWords(matchEdit(file, { old, now }, 'typescript')), {
        ...{ words, ...(start === undefined ? {} : { quoted: { start, end } }) },
      });
    });
  }

  it('names the number of places, and each line once', () => {
    const all = matchEdit(file, { old: 'function', now: 'async function', isForAll: true }, 'typescript');
    assert.deepEqual(editWords(all), { words: 'Proposed, not written: lines 1-6 of the new text. 2 places.' });
    const twice = matchEdit(['a a'], { old: 'a', now: 'b' }, 'typescript');
    assert.match(editWords(twice).words, /several places: lines 1\. /);
  });

  it('names a line that would have a mark', () => {
    assert.match(editWords({ is: 'mark', line: 4 }).words, /line 5 of the edited file would have a mark/);
  });

  it('names the limits', () => {
    assert.match(refusalWords('too-many-files'), /50 files/);
    assert.match(refusalWords('file-too-long'), /at most 512 KiB/);
    assert.match(refusalWords('set-too-long'), /at most 2048 KiB/);
  });
});
