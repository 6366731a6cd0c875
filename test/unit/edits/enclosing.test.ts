import assert from 'node:assert/strict';
import fc from 'fast-check';
import { enclosingOf } from '../../../src/edits/enclosing.ts';

describe('what stands around code that is explained', () => {
  /** The lines of each span. `marked`: the lines between the two marks are the code. */
  const of = (languageId: string, marked: string): readonly string[] => {
    const all = marked.split('\n');
    const [start, end] = [all.indexOf('>>>'), all.indexOf('<<<') - 1];
    const lines = all.filter((line) => line !== '>>>' && line !== '<<<');
    return enclosingOf(lines, languageId, { start, end }).map((span) => lines.slice(span.start, span.end).join('\n'));
  };

  it('is the imports and the rest of the function', () => {
    const text =
      "// Copyright A\n\nimport a from 'a';\n\nimport {\n  b,\n} from 'b';\n\nconst other = 1;\n\n/** Adds. */\nfunction add(x, y) {\n  a();\n>>>\n  b(x);\n<<<\n  return y;\n}\n\nfunction after() {\n  a();\n}\n";
    assert.deepEqual(of('typescript', text), [
      "import a from 'a';\n\nimport {\n  b,\n} from 'b';",
      '/** Adds. */\nfunction add(x, y) {\n  a();',
      '  return y;\n}',
    ]);
  });

  it('is the head of each class, without its other members', () => {
    const text =
      'package a;\n\nimport java.util.List;\n\n@Service\npublic class A {\n  int c;\n\n  static class B {\n    int d;\n\n    int e() {\n      if (d) {\n>>>\n        f();\n<<<\n      }\n      return d;\n    }\n\n    int g() {\n      return 1;\n    }\n  }\n}\n';
    assert.deepEqual(of('java', text), [
      'import java.util.List;\n\n@Service\npublic class A {',
      '  static class B {',
      '    int e() {\n      if (d) {',
      '      }\n      return d;\n    }',
    ]);
  });

  it('is only the head of the class of a whole method', () => {
    const text = 'import os\n\nclass A:\n    x = 1\n\n    # Adds.\n>>>\n    def add(self):\n        return 1\n<<<\n';
    assert.deepEqual(of('python', text), ['import os\n\nclass A:']);
    const named = 'class A {\n  b = 1;\n\n  /** Adds. */\n>>>\n  add() {\n    return 1;\n  }\n<<<\n}\n';
    assert.deepEqual(of('typescript', named), ['class A {']);
  });

  it('there is none for a whole file, for imports alone, and for prose', () => {
    assert.deepEqual(of('typescript', ">>>\nimport a from 'a';\na();\n<<<"), []);
    assert.deepEqual(of('typescript', ">>>\nimport a from 'a';\n<<<\na();\n"), []);
    assert.deepEqual(of('markdown', '# A\n\n>>>\ntext\n<<<\nmore\n'), []);
  });

  it('is at most 60 lines on each side', () => {
    const body = Array.from({ length: 200 }, (_, line) => `  a(${line});`).join('\n');
    const around = of('typescript', `function f() {\n${body}\n>>>\n  b();\n<<<\n${body}\n}\n`);
    assert.deepEqual(
      around.map((each) => each.split('\n').length),
      [1, 60, 60],
    );
  });

  it('has no line twice, and none of the code itself', () => {
    const line = fc.constantFrom('import a', 'class A {', '  f() {', '    g();', '  }', '}', '', '# c', 'def f():');
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 40 }),
        fc.nat(),
        fc.nat(),
        fc.constantFrom('typescript', 'python', 'java', 'go', 'sql', 'yaml'),
        (lines, first, count, languageId) => {
          const start = first % lines.length;
          const end = Math.min(lines.length, start + 1 + (count % 5));
          let at = 0;
          for (const span of enclosingOf(lines, languageId, { start, end })) {
            assert.ok(span.start >= at && span.end > span.start && span.end <= lines.length);
            assert.ok(span.end <= start || span.start >= end);
            at = span.end;
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
