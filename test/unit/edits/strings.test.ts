import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

const piece = (old: string, now: string): string => fenced(`<<<<<<< SEARCH\n${old}\n=======\n${now}\n>>>>>>> REPLACE`);

describe('strings of several lines in an edit', () => {
  const method = 'class Q {\n  add(job) {\n    const text = `\nat left\n  two\n`;\n    return job;\n  }\n}\n';
  const java =
    'class A {\n    String run() {\n        var s = """\n            SELECT 1\n              FROM a\n            """;\n        return s;\n    }\n}\n';

  it('stay as they are if the code around them is moved', () => {
    assert.equal(
      placed('typescript', method, piece('return job;', 'const s = `\n  a\nb\n`;\nreturn s;')),
      method.replace('return job;', 'const s = `\n  a\nb\n`;\n    return s;'),
    );
    assert.equal(
      placed(
        'typescript',
        method,
        piece(
          'const text = `\nat left\n  two\n`;\nreturn job;',
          'const text = `\nat left\n  two\nthree\n`;\nreturn text;',
        ),
      ),
      method.replace('  two\n', '  two\nthree\n').replace('return job', 'return text'),
    );
  });

  it('are moved with the code if the lines to replace were, too', () => {
    assert.equal(
      placed(
        'java',
        java,
        piece(
          'var s = """\n    SELECT 1\n      FROM a\n    """;',
          'var s = """\n    SELECT 2\n      FROM a\n     WHERE b\n    """;',
        ),
      ),
      java.replace('SELECT 1', 'SELECT 2').replace('FROM a\n', 'FROM a\n             WHERE b\n'),
    );
  });

  it('have no place if they are moved otherwise than the code', () => {
    assert.equal(
      placed('typescript', method, piece('const text = `\n at left\n  two\n`;\nreturn job;', 'return job;')),
      'unplaced',
    );
  });
});

describe('a piece', () => {
  it('with several lines of equals signs has no place: any of them may be its mark', () => {
    const text = 'Title\n=======\n\ntext\n';
    assert.equal(placed('markdown', text, piece('Title\n=======', 'Other\n=======')), 'unplaced');
    assert.equal(placed('markdown', text, piece('text', 'words')), text.replace('text', 'words'));
  });

  it('deletes lines, also the last one without a line end', () => {
    const deleting = fenced('<<<<<<< SEARCH\nb();\n=======\n>>>>>>> REPLACE');
    assert.equal(placed('typescript', 'a();\nb();\nc();\n', deleting), 'a();\nc();\n');
    assert.equal(placed('typescript', 'a();\nb();', piece('b();', 'c();\nd();')), 'a();\nc();\nd();');
  });
});

describe('a test class with one new test', () => {
  for (const [languageId, file, answer] of [
    [
      'java',
      'package a;\n\nclass T {\n    @Test\n    void one() {\n        ok(1);\n    }\n}\n',
      'class T {\n    @Test\n    void two() {\n        ok(2);\n    }\n}\n',
    ],
    [
      'csharp',
      'using Xunit;\n\npublic class T\n{\n    [Fact]\n    public void One()\n    {\n        Ok(1);\n    }\n}\n',
      'using Xunit;\n\npublic class T\n{\n    [Fact]\n    public void Two()\n    {\n        Ok(2);\n    }\n}\n',
    ],
    [
      'python',
      'import a\n\n\nclass T:\n    def test_one(self):\n        ok(1)\n\n    x = 1\n',
      'class T:\n    def test_two(self):\n        ok(2)\n',
    ],
    [
      'typescript',
      "import a from 'a';\n\nclass T {\n  one() {\n    ok(1);\n  }\n}\n",
      'class T {\n  two() {\n    ok(2);\n  }\n}\n',
    ],
  ] as const) {
    it(`does not replace the tests of the file: ${languageId}`, () =>
      assert.equal(placed(languageId, file, fenced(answer, languageId)), 'unplaced'));
  }
});

describe('a byte order mark', () => {
  it('at the beginning of code is not code', () => {
    assert.equal(
      placed('typescript', 'const a = 1;\nconst b = 2;\n', fenced('\ufeffconst a = 1;\nconst b = 3;', 'ts')),
      'const a = 1;\nconst b = 3;\n',
    );
  });
});
