import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

type Case = readonly [languageId: string, text: string, answer: string, meant: string];

function check(cases: Readonly<Record<string, Case>>): void {
  for (const [name, [languageId, text, answer, meant]] of Object.entries(cases)) {
    it(name, () => {
      assert.equal(placed(languageId, `»\n${text}«\n`, fenced(answer)), meant);
      assert.equal(placed(languageId, text, fenced(answer), { mode: 'apply' }), meant);
    });
  }
}

describe('a mark for omitted lines, beside a statement that begins like one of the file', () => {
  const tries = 'void f() {\n    try {\n        a();\n    } finally {\n        b();\n    }\n    c();\n}\n';
  const send = 'function f() {\n  a();\n  send(\n    1,\n  );\n  b();\n}\n';
  const paid = 'function f() {\n  a();\n  if (paid) {\n    b();\n  }\n  c();\n}\n';
  check({
    'another try': [
      'java',
      tries,
      'void f() {\n    // ...\n    try {\n        d();\n    } finally {\n        b();\n    }\n    c();\n}',
      'unplaced',
    ],
    'the same try': [
      'java',
      tries,
      'void f() {\n    try {\n        a();\n    } finally {\n        b();\n    }\n    x();\n    // ...\n    c();\n}',
      tries.replace('    c', '    x();\n    c'),
    ],
    'a loop without a condition that omits lines': [
      'typescript',
      'function f() {\n  for (;;) {\n    a();\n  }\n  b();\n}\n',
      'function f() {\n  for (;;) {\n    if (d) return;\n    // ... existing code ...\n  }\n  // ... existing code ...\n}',
      'function f() {\n  for (;;) {\n    if (d) return;\n    a();\n  }\n  b();\n}\n',
    ],
    'another call with arguments on other lines': [
      'typescript',
      send,
      'function f() {\n  // ... existing code ...\n  send(\n    2,\n  );\n  b();\n}',
      'unplaced',
    ],
    'a call with another argument': [
      'typescript',
      "function f() {\n  a();\n  log('one');\n  b();\n}\n",
      "function f() {\n  // ... existing code ...\n  log('two');\n  b();\n}",
      'unplaced',
    ],
    'a sum with another summand': [
      'python',
      'def f():\n    a()\n    total += one\n    b()\n',
      'def f():\n    # ... existing code ...\n    total += two\n    b()',
      'unplaced',
    ],
    'a changed value': [
      'python',
      'def f():\n    a()\n    limit = 1\n    b()\n',
      'def f():\n    # ... existing code ...\n    limit = 2\n    b()',
      'def f():\n    a()\n    limit = 2\n    b()\n',
    ],
    'a changed block with its condition': [
      'typescript',
      paid,
      'function f() {\n  // ... existing code ...\n  if (paid) {\n    d();\n  }\n  c();\n}',
      paid.replace('b()', 'd()'),
    ],
    'a changed return': [
      'typescript',
      'function f() {\n  a();\n  return {\n    b: 1,\n  };\n}\n',
      'function f() {\n  // ... existing code ...\n  return {\n    b: 2,\n  };\n}',
      'function f() {\n  a();\n  return {\n    b: 2,\n  };\n}\n',
    ],
  });
});

describe('a mark for omitted lines, beside a block of Go', () => {
  const text = 'func f() {\n\ta()\n\t{\n\t\tb()\n\t}\n}\n';
  check({
    'behind it': ['go', text, 'func f() {\n\ta()\n\t// ... existing code ...\n}', text],
    'with a new statement': [
      'go',
      text,
      'func f() {\n\ta()\n\tc()\n\t// ... existing code ...\n}',
      text.replace('a()\n', 'a()\n\tc()\n'),
    ],
  });
});

describe('a mark for omitted lines, beside a part between directives', () => {
  for (const left of ['', '    ']) {
    const part = (line: string): string => `${left}#if DEBUG\n    ${line};\n#endif\n`;
    const text = `void F() {\n    A();\n${part('Log(1)')}    B();\n${part('Log(2)')}}\n`;
    describe(left === '' ? 'at the left' : 'with the code', () => {
      check({
        'another part': [
          'csharp',
          text,
          `void F() {\n    A();\n    // ... existing code ...\n${part('Log(3)')}    B();\n    // ... existing code ...\n}`,
          'unplaced',
        ],
        'a statement below one': [
          'csharp',
          text,
          `void F() {\n    A();\n${part('Log(1)')}    C();\n    B();\n    // ... existing code ...\n}`,
          text.replace('    B', '    C();\n    B'),
        ],
        'a statement at the end': [
          'csharp',
          text,
          'void F() {\n    // ... existing code ...\n    if (x) {\n        C();\n    }\n}',
          text.replace(/\}\n$/, '    if (x) {\n        C();\n    }\n}\n'),
        ],
        'a new part at the beginning': [
          'csharp',
          text,
          `void F() {\n${part('Log(3)')}    A();\n    // ... existing code ...\n}`,
          text.replace('    A', `${part('Log(3)')}    A`),
        ],
      });
    });
  }
});
