import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

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
