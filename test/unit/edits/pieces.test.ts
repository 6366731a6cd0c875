import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

const piece = (old: string, now: string): string => fenced(`<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE`);

describe('a piece', () => {
  it('a block with several lines of equals signs has no place, because any of them may be its separator', () => {
    const text = 'Title\n=======\n\ntext\n';
    assert.equal(placed('markdown', text, piece('Title\n=======', 'Other\n=======')), 'unplaced');
    assert.equal(placed('markdown', text, piece('text', 'words')), text.replace('text', 'words'));
  });

  it('deletes lines, also the last one without a line ending', () => {
    const deleting = fenced('<<<<<<< SEARCH\nb();\n=======\n>>>>>>> REPLACE');
    assert.equal(placed('typescript', 'a();\nb();\nc();\n', deleting), 'a();\nc();\n');
    assert.equal(placed('typescript', 'a();\nb();', piece('b();', 'c();\nd();')), 'a();\nc();\nd();');
  });
});

describe('a byte order mark', () => {
  it('a byte order mark at the beginning of code is ignored', () => {
    assert.equal(
      placed('typescript', 'const a = 1;\nconst b = 2;\n', fenced('\ufeffconst a = 1;\nconst b = 3;', 'ts')),
      'const a = 1;\nconst b = 3;\n',
    );
  });
});
