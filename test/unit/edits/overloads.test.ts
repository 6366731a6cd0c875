import assert from 'node:assert/strict';
import { fenced, placed } from './placed.ts';

const java = `package a;

public class List {

    public List() {
        super();
    }

    public List(Collection copy) {
        super(copy);
    }

    public List(final Object array) {
        super(array);
    }

    public void add(int at, String text) {
        put(at, text);
    }

    public void add(String text) {
        put(0, text);
    }
}
`;

describe('functions of one name', () => {
  it('are distinguished by their parameters, without type arguments', () => {
    const code = 'public List(Collection<?> copy) {\n    super(copy);\n    check();\n}';
    assert.equal(
      placed('java', java, fenced(code, 'java')),
      java.replace(
        'List(Collection copy) {\n        super(copy);',
        'List(Collection<?> copy) {\n        super(copy);\n        check();',
      ),
    );
  });

  it('are distinguished with another visibility and annotations', () => {
    const code = 'protected void add(@NonNull String text) {\n    put(1, text);\n}';
    assert.match(
      placed('java', java, fenced(code, 'java')),
      /put\(at, text\);\n {4}\}\n\n {4}protected void add\(@NonNull String text\) \{\n {8}put\(1, text\)/,
    );
  });

  it('have no place with parameters that none of them has', () => {
    assert.equal(placed('java', java, fenced('public void add(long at) {\n    put(at);\n}', 'java')), 'unplaced');
  });

  it('are not the class that has their name', () => {
    const only = java.replace(/ {4}public List\(Collection[\s\S]*$/, '}\n');
    const code = 'public List() {\n    super(1);\n}';
    assert.equal(placed('java', only, fenced(code, 'java')), only.replace('super()', 'super(1)'));
    const none = 'package a;\n\npublic class List {\n    int size;\n}\n';
    assert.equal(placed('java', none, fenced(code, 'java')), 'unplaced');
  });

  it('are found if their parameters stand on lines of their own', () => {
    const text = 'export class A {\n  constructor() {\n    one();\n  }\n\n  two() {}\n}\n';
    const code = 'constructor(\n  private readonly a: string,\n) {\n  one(a);\n}';
    assert.equal(
      placed('typescript', text, fenced(code, 'ts')),
      text.replace('constructor() {\n    one();', 'constructor(\n    private readonly a: string,\n  ) {\n    one(a);'),
    );
  });
});

describe('a block of an answer', () => {
  it('is never left out because another one has its place', () => {
    const first = fenced('public void add(long at) {\n    put(at);\n}', 'java');
    const second = fenced('public List() {\n    super(1);\n}', 'java');
    assert.equal(placed('java', java, `First:\n\n${first}\nThen:\n\n${second}`), 'unplaced');
  });

  it('keeps the comment above the package', () => {
    const go = 'package rates\n\nfunc A() int {\n\treturn 1\n}\n';
    const answer = fenced(
      '// Package rates converts money.\npackage rates\n\n// A is one.\nfunc A() int {\n\t// ... existing code ...\n}',
      'go',
    );
    assert.equal(
      placed('go', go, answer),
      `// Package rates converts money.\n${go.replace('func', '// A is one.\nfunc')}`,
    );
  });

  it('may have marks at the left', () => {
    const yaml =
      'spec:\n  containers:\n    - name: a\n      env:\n        - name: LOG\n          value: debug\n      ports: []\n';
    const answer = fenced(
      '# ... unchanged ...\n      env:\n        - name: LOG\n          value: info\n# ... unchanged ...',
      'yaml',
    );
    assert.equal(placed('yaml', yaml, answer, { mode: 'edit' }), yaml.replace('debug', 'info'));
  });

  it('does not put a statement below the comment above it, where only the comment was asked for', () => {
    const sql = '»\n-- name: remove\n«\nDELETE FROM a WHERE id = :id;\n';
    const code = '-- name: remove\nDELETE FROM a WHERE id = :id AND b = :b;';
    assert.equal(placed('sql', sql, fenced(code, 'sql')), 'unplaced');
    const todo = 'function f() {\n»\n  // TODO: check a\n«\n  return a;\n}\n';
    assert.equal(
      placed('typescript', todo, fenced('  if (a === 0) throw new Error();')),
      'function f() {\n  if (a === 0) throw new Error();\n  return a;\n}\n',
    );
  });

  it('keeps the other classes of a namespace, where it has marks only in one', () => {
    const text =
      'namespace A\n{\n    class B\n    {\n        int one;\n        int two;\n    }\n\n    class C\n    {\n        int three;\n    }\n}\n';
    const answer = fenced(
      'namespace A\n{\n    class B\n    {\n        long one;\n        // ... existing code ...\n    }\n}',
      'csharp',
    );
    assert.equal(placed('csharp', text, answer), text.replace('int one', 'long one'));
  });

  it('may be for two selections, if it changes nothing between', () => {
    const text = 'const a = () => {\n»\n  return 1;\n«\n};\n\nconst b = () => {\n»\n  return 2;\n«\n};\n';
    const answer = fenced('const a = () => {\n  return 10;\n};\n\nconst b = () => {\n  return 20;\n};');
    assert.equal(
      placed('typescript', text, answer),
      'const a = () => {\n  return 10;\n};\n\nconst b = () => {\n  return 20;\n};\n',
    );
    const other = fenced('let a = () => {\n  return 10;\n};\n\nconst b = () => {\n  return 20;\n};');
    assert.equal(placed('typescript', text, other), 'unplaced');
  });
});

describe('imports of an answer', () => {
  it('stand where the answer has them, between those of the file', () => {
    const text = 'import os\nimport sys\n\nimport own\n\n\ndef f():\n    pass\n';
    const answer = fenced(
      'import json\nimport os\nimport sys\n\nimport third\n\nimport own\n\n\ndef f():\n    return 1',
      'python',
    );
    assert.equal(
      placed('python', text, answer, { mode: 'apply' }),
      text
        .replace('import os', 'import json\nimport os')
        .replace('sys\n', 'sys\n\nimport third\n')
        .replace('pass', 'return 1'),
    );
  });

  it('stay together where the answer has several new ones in a group', () => {
    const text = 'package a;\n\nimport static a.A.one;\n\nimport b.B;\n\nclass T {\n    void f() {}\n}\n';
    const answer = text
      .replace('one;\n', 'one;\nimport static a.A.three;\nimport static a.A.two;\n')
      .replace('import b.B', 'import a.Z;\nimport b.B')
      .replace('{}', '{ one(); }');
    assert.equal(placed('java', text, fenced(answer.replace('class T', '// ... \nclass T'), 'java')), answer);
  });

  it('are sorted beside a single one, but not in scripts', () => {
    const python = 'import time\n\n\ndef f():\n    pass\n';
    assert.match(
      placed('python', python, fenced('import random\n\n\ndef f():\n    return 1', 'python')),
      /^import random\nimport time\n/,
    );
    const script = "import { b } from 'b';\n\nfunction f() {}\n";
    assert.match(
      placed('typescript', script, fenced("import { a } from 'a';\n\nfunction f() {\n  a();\n}", 'ts')),
      /^import \{ b \} from 'b';\nimport \{ a \}/,
    );
  });

  it('leave as many blank lines before new code as the answer has', () => {
    const text = 'def f():\n    pass\n';
    assert.equal(
      placed('python', text, fenced('# ... existing code ...\n\n\ndef g():\n    return 1', 'python')),
      `${text}\n\ndef g():\n    return 1\n`,
    );
  });
});
