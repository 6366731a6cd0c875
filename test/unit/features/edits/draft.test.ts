import assert from 'node:assert/strict';
import { placeAnswer } from '../../../../src/edits/place.ts';
import { readAnswer } from '../../../../src/edits/reading/answer.ts';
import { Draft } from '../../../../src/features/edits/common/draft.ts';
import { linesOf } from '../../../../src/features/edits/common/hunks.ts';
import {
  growingLines,
  placeAfter,
  placesOf,
  type Selected,
  wholeOf,
} from '../../../../src/features/edits/common/places.ts';

const at = (line: number, character = 0, endLine = line, endCharacter = character): Selected => ({
  start: { line, character },
  end: { line: endLine, character: endCharacter },
});

/** The text with code after the selection. */
function putIn(text: string, selected: Selected, code: string): string {
  const lines = linesOf(text);
  const wanted = { lines, languageId: 'typescript', mode: 'insert', places: [placeAfter(lines, selected)] } as const;
  const placed = placeAnswer(readAnswer(`\`\`\`\n${code}\`\`\``), wanted);
  return placed.is === 'edit' ? placed.lines.join('\n') : placed.is;
}

describe('places of an edit', () => {
  it('code goes after the selected lines, indented like the last of them', () => {
    assert.equal(
      putIn('if (a) {\n  // add\n}\n', at(1, 0, 1, 8), 'add();\nmore();\n'),
      'if (a) {\n  // add\n  add();\n  more();\n}\n',
    );
    assert.equal(putIn('one\ntwo\n', at(0, 0, 1, 0), 'new\n'), 'one\nnew\ntwo\n');
  });

  it('code replaces a blank line, and ends a text with a line ending', () => {
    assert.equal(putIn('one\n\ntwo\n', at(1), 'new\n'), 'one\nnew\ntwo\n');
    assert.equal(putIn('', at(0), 'new\n'), 'new\n');
    assert.equal(putIn('one', at(0, 3), 'new\n'), 'one\nnew\n');
    assert.equal(putIn('one\n', at(1), 'new\n'), 'one\nnew\n');
  });

  it('selections are extended to whole lines and merged if they touch', () => {
    const lines = linesOf('a\n  b\n    c\nd\n\n\te\n');
    assert.deepEqual(placesOf(lines, [at(5, 1), at(1, 2, 2, 1), at(2, 3, 3, 0)]), [
      { start: 1, end: 3, indent: '  ' },
      { start: 5, end: 6, indent: '\t' },
    ]);
  });

  it('a partial answer does not remove lines that it has not reached', () => {
    const lines = linesOf('a\n  b\n  c\n');
    assert.deepEqual(growingLines(lines, [wholeOf(lines)], ['A\n']), ['A', '  b', '  c', '']);
    const [place] = placesOf(lines, [at(1, 0, 3, 0)]);
    assert.ok(place !== undefined);
    assert.deepEqual(growingLines(lines, [place], ['B\n']), ['a', '  B', '  c', '']);
    assert.deepEqual(growingLines(lines, [place], ['']), lines);
  });

  it('handles 100,000 lines', () => {
    const lines = linesOf('line\n'.repeat(200_000));
    assert.equal(growingLines(lines, [wholeOf(lines)], ['x\n'.repeat(200_000)]).length, 200_001);
  });
});

describe('draft', () => {
  const text = 'a\nb\nc\nd\ne\n';
  const draftOf = (code: string): Draft => {
    const draft = new Draft(text, [wholeOf(linesOf(text))]);
    draft.complete(linesOf(code));
    return draft;
  };
  const only = <T>(items: readonly T[]): T => {
    assert.ok(items[0] !== undefined);
    return items[0];
  };

  it('has no hunks before it is complete', () => {
    const draft = new Draft(text, [wholeOf(linesOf(text))]);
    assert.equal(draft.update(['A\n']), true);
    assert.equal(draft.update(['A\n']), false);
    assert.deepEqual(draft.hunks, []);
    draft.complete(linesOf('A\nb\nc\nd\ne\n'));
    assert.equal(draft.hunks.length, 1);
    assert.equal(draft.update(['late\n']), false);
  });

  it('has no hunks if the code is unchanged', () => {
    const same = draftOf(text);
    assert.deepEqual([same.isUnchanged, same.hunks], [true, []]);
    assert.equal(draftOf('A\nb\nc\nd\ne\n').isUnchanged, false);
  });

  it('decides each hunk independently', () => {
    const draft = draftOf('A\nb\nc\nd\nE\n');
    draft.accept(only(draft.hunks));
    assert.equal(draft.original.join(''), 'Abcde');
    draft.reject(only(draft.hunks));
    assert.equal(draft.proposed.join(''), 'Abcde');
    assert.deepEqual(draft.hunks, []);
    assert.equal(draft.first.join(''), 'abcde');
  });

  it('fits only the text it was made for', () => {
    const draft = draftOf('A\nb\nc\nd\nE\n');
    assert.ok(draft.fits(text.replaceAll('\n', '\r\n')));
    draft.accept(only(draft.hunks));
    assert.ok(draft.fits('A\nb\nc\nd\ne\n'));
    assert.ok(!draft.fits('A\nb\nc\nd\ne\n\n'));
    assert.equal(draft.hunks.length, 1);
    // The user has undone the accepted hunk, so it is open again.
    assert.ok(draft.fits(text));
    assert.equal(draft.hunks.length, 2);
    assert.ok(!draft.fits('A\nb\nc\nd\ne\n'));
  });

  it('carries its hunks over to another text, and restores the former ones after an undo', () => {
    const draft = draftOf('A\nb\nc\nd\nE\n');
    const [, second] = draft.hunks.map(({ id }) => id);
    draft.accept(only(draft.hunks));
    assert.equal(draft.settle(linesOf('A\nb\nc\nd\ne\nf\n')), false, 'a line after it has changed');
    assert.ok(draft.fits('A\nb\nc\nd\ne\n'));
    assert.equal(draft.carried, 0);
    assert.equal(draft.settle(linesOf('// A\nb\nc\nd\ne\n')), true);
    assert.deepEqual([draft.original.join(''), draft.proposed.join('')], ['// Abcde', '// AbcdE']);
    assert.equal(draft.carried, 1);
    // A reference to a hunk in the former text decides nothing.
    assert.notEqual(only(draft.hunks).id, second);
    assert.ok(!draft.fits('A\nb\nc\nd\ne\n'));
    assert.ok(draft.fits(text));
    assert.deepEqual([draft.original.join(''), draft.proposed.join('')], ['abcde', 'AbcdE']);
    assert.equal(draft.hunks.length, 2);
  });

  it('names a hunk that is undone again, and the others as before', () => {
    const draft = draftOf('A\nb\nC\nd\nE\n');
    const [first, second, third] = draft.hunks.map(({ id }) => id);
    draft.accept(only(draft.hunks));
    assert.equal(draft.takeUndo(draft.original.join('\n')), false);
    assert.equal(draft.takeUndo('something else\n'), false);
    assert.equal(draft.takeUndo(text), true);
    const [again, ...others] = draft.hunks.map(({ id }) => id);
    assert.deepEqual(others, [second, third]);
    assert.ok(![undefined, first, second, third].includes(again));
  });
});
