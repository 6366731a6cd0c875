import assert from 'node:assert/strict';
import { ownerOf } from '../../../src/edits/text/owner.ts';

describe('the class of some lines', () => {
  const of = (languageId: string, text: string, start: number, end: number) =>
    ownerOf(text.split('\n'), languageId, { start, end });

  it('is that of which they are whole members, with or without their comments', () => {
    const text =
      'class Queue {\n  /** Adds. */\n  add(job) {\n    push(job);\n  }\n\n  size() {\n    return 0;\n  }\n}\n';
    assert.equal(of('typescript', text, 1, 5), 'Queue');
    assert.equal(of('typescript', text, 2, 5), 'Queue');
    assert.equal(of('typescript', text, 1, 9), 'Queue');
    assert.equal(of('python', 'class Queue:\n    def add(self):\n        pass\n', 1, 3), 'Queue');
    assert.equal(of('java', 'class A {\n  class B {\n    int c() {\n      return 1;\n    }\n  }\n}\n', 2, 5), 'B');
  });

  it('is none of lines within a member, of the class itself, of functions, or of keys', () => {
    const text = 'class Queue {\n  add(job) {\n    push(job);\n  }\n}\nfunction f() {\n  g();\n}\n';
    assert.equal(of('typescript', text, 2, 3), undefined);
    assert.equal(of('typescript', text, 0, 5), undefined);
    assert.equal(of('typescript', text, 5, 8), undefined);
    assert.equal(of('typescript', text, 6, 7), undefined);
    assert.equal(of('yaml', 'a:\n  b: 1\n', 1, 2), undefined);
    assert.equal(of('typescript', '', 0, 1), undefined);
  });
});
