import assert from 'node:assert/strict';
import { readCells } from '../../../src/edits/reading/cells.ts';

describe('the cells that code of an answer is for', () => {
  const read = (text: string) => readCells(text).map(({ number, lines }) => [number, lines.join('|')]);

  it('are those that it names, as the attached notebook does', () => {
    assert.deepEqual(read('[cell 2, python]\na = 1\n\nb\n\n[cell 3, markdown]\n# Text\n'), [
      [2, 'a = 1||b'],
      [3, '# Text'],
    ]);
    assert.deepEqual(read('# [cell 2, python]\r\na = 1\r\n'), [[2, 'a = 1']]);
    assert.deepEqual(read('// [Cell 12]\na\n'), [[12, 'a']]);
  });

  it('are without the outputs that it repeats', () => {
    assert.deepEqual(read('[cell 1, python]\na\n\n[output of cell 1]\n5\nx = 1\n\n[cell 2, python]\nb'), [
      [1, 'a'],
      [2, 'b'],
    ]);
  });

  it('may be none by name', () => {
    assert.deepEqual(read('a = [cell for cell in row]\nb'), [[undefined, 'a = [cell for cell in row]|b']]);
    assert.deepEqual(read('\n\n'), []);
    assert.deepEqual(read('[cell 1]\n\n[cell 2]\n'), []);
    assert.deepEqual(read('first\n[cell 2]\nsecond'), [
      [undefined, 'first'],
      [2, 'second'],
    ]);
  });
});
