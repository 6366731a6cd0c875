import assert from 'node:assert/strict';
import { fenced, marked, placed } from './placed.ts';

const queue = `import { Item } from './item';
import { log } from './log';

/** Holds items. */
export class Queue {
  private items: Item[] = [];

»
  push(item: Item): void {
    this.items.push(item);
    log('pushed');
  }
«

  pop(): Item | undefined {
    return this.items.pop();
  }
}

export function drain(queue: Queue): void {
  while (queue.pop()) log('drained');
}
`;
const push = `  push(item: Item): void {
    this.items.push(item);
    log('pushed');
  }`;
const better = `  push(item: Item): void {
    if (item === undefined) return;
    this.items.push(item);
    log('pushed');
  }`;
const plain = (text: string): string => marked(text).lines.join('\n');
const file = plain(queue);
const meant = file.replace(push, better);
const dedented = (code: string, by = 2): string => code.replaceAll(new RegExp(`^ {${by}}`, 'gm'), '');
const inImports = (text: string, line: string): string =>
  text.replace("import { log } from './log';\n", `import { log } from './log';\n${line}\n`);

describe('an answer for a method of a class', () => {
  const cases: Readonly<Record<string, readonly [answer: string, meant: string]>> = {
    'as it stands': [fenced(better, 'ts'), meant],
    'moved to the left': [fenced(dedented(better), 'ts'), meant],
    'with prose around': [`Here is the change:\n\n${fenced(better, 'ts')}\nIt returns early.`, meant],
    'after thinking': [`<think>\nMaybe\n${fenced('x', 'ts')}</think>\n${fenced(better, 'ts')}`, meant],
    'after thinking without a beginning': [
      `I see.\n${fenced('x();', 'ts')}\n</think>\n\n${fenced(better, 'ts')}`,
      meant,
    ],
    'after thinking without an end': [
      `<thinking>\nA draft:\n${fenced(push, 'ts')}\nBetter:\n${fenced(better, 'ts')}`,
      meant,
    ],
    'with a block of commands': [`${fenced('npm i x', 'sh')}\n${fenced(better, 'ts')}`, meant],
    'with a block of output': [`${fenced(better, 'ts')}\nOutput:\n${fenced('pushed', 'text')}`, meant],
    'with an example after it': [
      `${fenced(better, 'ts')}\nUsage:\n${fenced('const q = new Queue();\nq.push(a);', 'ts')}`,
      meant,
    ],
    'with the code before': [`Before:\n${fenced(push, 'ts')}\nAfter:\n${fenced(better, 'ts')}`, meant],
    'with an import at its top': [
      fenced(`import { check } from './check';\n\n${better}`, 'ts'),
      inImports(meant, "import { check } from './check';"),
    ],
    'with imports in a block': [
      `${fenced("import { check } from './check';", 'ts')}\n${fenced(better, 'ts')}`,
      inImports(meant, "import { check } from './check';"),
    ],
    'with an import that is there': [fenced(`import { log } from "./log"\n\n${better}`, 'ts'), meant],
    'with a name for an import that is there': [
      fenced(`import { log, warn } from './log';\n\n${better}`, 'ts'),
      meant.replace('{ log }', '{ log, warn }'),
    ],
    'with an import in another style': [
      fenced(`import { check } from "./check"\n\n${better}`, 'ts'),
      inImports(meant, "import { check } from './check';"),
    ],
    'in its class': [fenced(`export class Queue {\n${better}\n}`, 'ts'), meant],
    'in the whole file': [fenced(meant, 'ts'), meant],
    'with a new method': [
      fenced(`${better}\n\n  peek(): Item {\n    return this.items[0];\n  }`, 'ts'),
      meant.replace(better, `${better}\n\n  peek(): Item {\n    return this.items[0];\n  }`),
    ],
    'with a documentation comment': [
      fenced(`  /** Adds. */\n${better}`, 'ts'),
      meant.replace(better, `  /** Adds. */\n${better}`),
    ],
    'with only a documentation comment': [fenced('/** Adds. */', 'ts'), file.replace(push, `  /** Adds. */\n${push}`)],
    'with another head': [
      fenced(better.replace('push(item: Item): void', 'async push(item: Item, at = 0): Promise<void>'), 'ts'),
      file.replace(push, better.replace('push(item: Item): void', 'async push(item: Item, at = 0): Promise<void>')),
    ],
    'with another name': [
      fenced(better.replace('push(', 'add('), 'ts'),
      file.replace(push, better.replace('push(', 'add(')),
    ],
    'that omits lines': [
      fenced(
        '  push(item: Item): void {\n    if (item === undefined) return;\n    // ... existing code ...\n  }',
        'ts',
      ),
      meant,
    ],
    'as a diff': [
      fenced(
        "@@ -9,4 +9,5 @@\n   push(item: Item): void {\n+    if (item === undefined) return;\n     this.items.push(item);\n     log('pushed');",
        'diff',
      ),
      meant,
    ],
    'as a diff with wrong numbers': [
      fenced(
        '--- a/queue.ts\n+++ b/queue.ts\n@@ -1,2 +1,3 @@ class Queue\n   push(item: Item): void {\n+    if (item === undefined) return;\n     this.items.push(item);',
        'diff',
      ),
      meant,
    ],
    'as a diff without numbers': [
      fenced('   push(item: Item): void {\n+    if (item === undefined) return;\n     this.items.push(item);', 'diff'),
      meant,
    ],
    'as a diff without marks of context': [
      fenced(
        '@@ @@\n  push(item: Item): void {\n+    if (item === undefined) return;\n    this.items.push(item);',
        'diff',
      ),
      meant,
    ],
    'as a search and replace block': [
      `<<<<<<< SEARCH\n    this.items.push(item);\n=======\n    if (item === undefined) return;\n    this.items.push(item);\n>>>>>>> REPLACE`,
      meant,
    ],
    'as a search and replace block in a fence': [
      fenced(
        `<<<<<<< SEARCH\nthis.items.push(item);\n=======\nif (item === undefined) return;\nthis.items.push(item);\n>>>>>>> REPLACE`,
        'ts',
      ),
      meant,
    ],
    'as a search and replace block of another tool': [
      `------- SEARCH\n    this.items.push(item);\n=======\n    if (item === undefined) return;\n    this.items.push(item);\n+++++++ REPLACE`,
      meant,
    ],
    'as a patch': [
      `*** Begin Patch\n*** Update File: queue.ts\n@@ push\n   push(item: Item): void {\n+    if (item === undefined) return;\n     this.items.push(item);\n*** End Patch`,
      meant,
    ],
    'without a fence': [better, meant],
    'in words': ['I need more context to do this. Which items may be undefined?', 'none'],
    'in words with a question': ['Could you share the code of Item?', 'none'],
    'that changes another method as well': [
      fenced(`${better}\n\n  pop(): Item | undefined {\n    return undefined;\n  }`, 'ts'),
      'unplaced',
    ],
    'that repeats another method': [
      fenced(`${better}\n\n  pop(): Item | undefined {\n    return this.items.pop();\n  }`, 'ts'),
      meant,
    ],
  };
  for (const [name, [answer, wanted]] of Object.entries(cases)) {
    it(name, () => assert.equal(placed('typescript', queue, answer), wanted));
  }
});

describe('an answer that renames everything that was asked for', () => {
  const renamed = (languageId: string, old: string, now: string): void =>
    assert.equal(placed(languageId, `first\n»\n${old}\n«\nlast\n`, fenced(now)), `first\n${now}\nlast\n`);

  it('is placed as all of it, because one word is another one everywhere', () => {
    renamed('typescript', "one('a');\nconst one = 1;", "uno('a');\nconst uno = 1;");
    renamed('typescript', 'function one() {\n  return 1;\n}\none();', 'function uno() {\n  return 1;\n}\nuno();');
    renamed('python', 'a = 1\nprint(a)', 'größe = 1\nprint(größe)');
  });

  it('is not taken for new lines beside those that were asked for', () => {
    const text = 'first\n»\nconst one = f(1);\nconst two = f(2);\n«\nlast\n';
    assert.equal(placed('typescript', text, fenced('const three = f(3);\nconst four = f(4);')), 'unplaced');
  });

  it('is not placed where another line is missing', () => {
    const old = 'function one() {\n  return 1;\n}\none();\ntwo();';
    const text = `first\n»\n${old}\n«\nlast\n`;
    assert.equal(placed('typescript', text, fenced('function uno() {\n  return 1;\n}\nuno();')), 'unplaced');
  });
});

describe('an answer applied to a file', () => {
  const test = `import { it } from 'mocha';\n\ndescribe('a', () => {\n  it('one', () => {\n    ok(1);\n  });\n});\n`;
  const cases: Readonly<Record<string, readonly [text: string, answer: string, meant: string]>> = {
    'the whole': [file, fenced(meant, 'ts'), meant],
    'the whole with an import first': [
      file,
      fenced(`import a from 'a';\n${meant}`, 'ts'),
      `import a from 'a';\n${meant}`,
    ],
    'one function': [file, fenced(better, 'ts'), meant],
    'one function moved to the left': [file, fenced(dedented(better), 'ts'), meant],
    'a function in its class': [file, fenced(`class Queue {\n${better}\n}`, 'ts'), meant],
    'a new method with marks': [
      file,
      fenced(
        `export class Queue {\n  // ... existing code ...\n\n  pop(): Item | undefined {\n    return this.items.pop();\n  }\n\n  peek(): Item {\n    return this.items[0];\n  }\n}`,
        'ts',
      ),
      file.replace(
        'this.items.pop();\n  }\n',
        'this.items.pop();\n  }\n\n  peek(): Item {\n    return this.items[0];\n  }\n',
      ),
    ],
    'marks in all places': [
      file,
      fenced(
        `// ... imports\nimport { check } from './check';\n\nexport class Queue {\n  // ... fields\n  push(item: Item): void {\n    if (!check(item)) return;\n    // ... rest of the method\n  }\n  // ... other methods\n}\n// ... rest of the file`,
        'ts',
      ),
      inImports(file, "import { check } from './check';").replace(
        'void {\n    this',
        'void {\n    if (!check(item)) return;\n    this',
      ),
    ],
    'a new test of a short file': [test, fenced("it('two', () => {\n  ok(2);\n  ok(3);\n});", 'ts'), 'unplaced'],
    'a new test after one that is repeated': [
      test,
      fenced("it('one', () => {\n  ok(1);\n});\n\nit('two', () => {\n  ok(2);\n});", 'ts'),
      test.replace('  });\n});', "  });\n\n  it('two', () => {\n    ok(2);\n  });\n});"),
    ],
    'an unknown function': [file, fenced('function other() {\n}', 'ts'), 'unplaced'],
    'a part between lines that stand once': [
      file,
      fenced("this.items.push(item);\nlog('added');\nlog('pushed');", 'ts'),
      file.replace("    log('pushed')", "    log('added');\n    log('pushed')"),
    ],
    'two functions in two blocks': [
      file,
      `${fenced(better, 'ts')}\nand\n${fenced("export function drain(queue: Queue): void {\n  log('x');\n}", 'ts')}`,
      meant.replace("  while (queue.pop()) log('drained');", "  log('x');"),
    ],
  };
  for (const [name, [text, answer, wanted]] of Object.entries(cases)) {
    it(name, () => assert.equal(placed('typescript', text, answer, { mode: 'apply' }), wanted));
  }
});

describe('an answer for all of a file', () => {
  const csharp = 'using System;\nusing System.Linq;\n\nclass A\n{\n    int B() => 1;\n}\n';
  const changed = csharp.replace('B() => 1', 'B() => 2');
  const mail = (text: string): string => text.replace('System.Linq;\n', 'System.Linq;\nusing System.Net.Mail;\n');
  const imported = fenced('using System.Net.Mail;', 'csharp');
  for (const [name, answer] of Object.entries({
    'with an import in a block before': `${imported}\n${fenced(changed, 'csharp')}`,
    'with an import in a block after': `${fenced(changed, 'csharp')}\n${imported}`,
    'with an import in a block and in its place': `${imported}\n${fenced(mail(changed), 'csharp')}`,
    'with an import in words': `Add \`using System.Net.Mail;\` at the top:\n\n${fenced(changed, 'csharp')}`,
  }))
    it(name, () => assert.equal(placed('csharp', `»\n${csharp}«\n`, answer), mail(changed)));
});

describe('code at the cursor', () => {
  const cases: Readonly<Record<string, readonly [text: string, answer: string, meant: string]>> = {
    'at its indentation': [
      'class A {\n  a() {\n  }\n\n  ▮\n}\n',
      fenced('b() {\n  return 1;\n}'),
      'class A {\n  a() {\n  }\n\n  b() {\n    return 1;\n  }\n}\n',
    ],
    'on a line without indentation': [
      'class A {\n  a() {\n  }\n\n▮\n}\n',
      fenced('b() {\n  return 1;\n}'),
      'class A {\n  a() {\n  }\n\n  b() {\n    return 1;\n  }\n}\n',
    ],
    'with its imports in a block before': [
      "import a from 'a';\n\nfunction f() {\n  ▮\n}\n",
      `${fenced("import b from 'b';", 'ts')}\n${fenced('b();', 'ts')}`,
      "import a from 'a';\nimport b from 'b';\n\nfunction f() {\n  b();\n}\n",
    ],
    'with imports that the file has, in a block before': [
      "import a from 'a';\n\nfunction f() {\n  ▮\n}\n",
      `${fenced("import a from 'a';", 'ts')}\n${fenced('a();', 'ts')}`,
      "import a from 'a';\n\nfunction f() {\n  a();\n}\n",
    ],
    'with other steps': [
      'class A {\n  a() {\n    x();\n  }\n\n  ▮\n}\n',
      fenced('b() {\n    return 1;\n}'),
      'class A {\n  a() {\n    x();\n  }\n\n  b() {\n    return 1;\n  }\n}\n',
    ],
    'with the class around': [
      'class A {\n  a() {\n    x();\n  }\n\n  ▮\n}\n',
      fenced('class A {\n  a() {\n    x();\n  }\n\n  b() {\n    return 1;\n  }\n}'),
      'class A {\n  a() {\n    x();\n  }\n\n  b() {\n    return 1;\n  }\n}\n',
    ],
    'with the comment above': [
      '// Adds two numbers.\n▮\n',
      fenced('// Adds two numbers.\nconst add = (a, b) => a + b;'),
      '// Adds two numbers.\nconst add = (a, b) => a + b;\n',
    ],
    'with imports': [
      "import a from 'a';\n\nfoo();\n▮\n",
      fenced("import b from 'b';\n\nb();"),
      "import a from 'a';\nimport b from 'b';\n\nfoo();\nb();\n",
    ],
    'in an empty file': ['▮', fenced('b();'), 'b();\n'],
  };
  for (const [name, [text, answer, wanted]] of Object.entries(cases)) {
    it(name, () => assert.equal(placed('typescript', text, answer), wanted));
  }
});

describe('what the words around code say', () => {
  const python = 'import os\nimport time\n\n\ndef wait(n):\n    time.sleep(n)\n    return n\n';
  const go = 'package a\n\nimport (\n\t"fmt"\n\t"time"\n)\n\nfunc A() {\n\tfmt.Println(1)\n}\n';
  const deploy = 'kind: A\nname: x\n';
  const cases: Readonly<Record<string, readonly [languageId: string, text: string, answer: string, meant: string]>> = {
    'code before and code after': [
      'python',
      python,
      `Before:\n${fenced('    time.sleep(n)', 'python')}\nAfter:\n${fenced('    time.sleep(min(n, 30))', 'python')}`,
      python.replace('(n)\n    return', '(min(n, 30))\n    return'),
    ],
    'an import in a sentence': [
      'go',
      go,
      `${fenced('func A() {\n\tfmt.Println(strings.ToUpper("a"))\n}', 'go')}\nAdd \`"strings"\` to the imports.`,
      go.replace('"fmt"\n', '"fmt"\n\t"strings"\n').replace('Println(1)', 'Println(strings.ToUpper("a"))'),
    ],
    'an import that is not needed': [
      'go',
      go,
      `${fenced('func A() {\n\tfmt.Println(2)\n}', 'go')}\nYou can remove the import \`"time"\`; \`"os"\` is already imported.`,
      go.replace('Println(1)', 'Println(2)'),
    ],
    'a constant below the imports': [
      'python',
      python,
      `Add this below the imports:\n${fenced('LIMIT = 30', 'python')}\nThen:\n${fenced('def wait(n):\n    time.sleep(LIMIT)\n    return n', 'python')}`,
      python.replace('import time\n', 'import time\n\nLIMIT = 30\n').replace('sleep(n)', 'sleep(LIMIT)'),
    ],
    'a document at the end': [
      'yaml',
      deploy,
      `Add this at the end of the file:\n${fenced('---\nkind: B\nname: x', 'yaml')}`,
      `${deploy}---\nkind: B\nname: x\n`,
    ],
    'a document without words': ['yaml', deploy, fenced('---\nkind: B\nother: x', 'yaml'), 'unplaced'],
    'a call of it': [
      'python',
      python,
      `${fenced('def wait(n):\n    return n', 'python')}\nMake sure that it is called at the start:\n${fenced('wait(3)', 'python')}`,
      python.replace('    time.sleep(n)\n', ''),
    ],
    'a fragment without a place': [
      'python',
      python,
      `${fenced('def wait(n):\n    return n', 'python')}\nAnd in the loop:\n${fenced('        wait(3)', 'python')}`,
      'unplaced',
    ],
  };
  for (const [name, [languageId, text, answer, wanted]] of Object.entries(cases)) {
    it(name, () => assert.equal(placed(languageId, text, answer, { mode: 'apply' }), wanted));
  }
});

describe('an answer that has no place', () => {
  const unplaced = (text: string, answer: string, languageId = 'typescript'): void =>
    assert.equal(placed(languageId, text, answer), 'unplaced', answer);

  it('has a name that stands in two classes', () => {
    const text = 'class A {\n  run() {\n    a();\n  }\n}\n\nclass B {\n  run() {\n    b();\n  }\n}\n';
    unplaced(text, fenced('run() {\n  c();\n}', 'ts'));
    unplaced(text, fenced('  run(again: boolean) {\n    c();\n  }', 'ts'));
  });

  it('has a changed statement beside a mark, which may be a new one', () => {
    unplaced(
      'function f() {\n  a();\n  b();\n  c();\n}\n',
      fenced('function f() {\n  x();\n  // ... existing code ...\n}', 'ts'),
    );
  });

  it('never has a mark in what is placed', () => {
    unplaced(
      'SELECT a,\n  b\nFROM t\nWHERE c = 1;\n',
      fenced('SELECT a,\n  d\n-- ... rest of the query unchanged ...', 'sql'),
      'sql',
    );
  });

  it('is a function without the imports of its file: they stay', () => {
    const text = "import a from 'a';\n\nfunction f() {\n  a();\n}\n";
    assert.equal(placed('typescript', text, fenced('function f() {\n  b();\n}', 'ts')), text.replace('  a()', '  b()'));
  });
});

describe('a whole file in which a name is replaced', () => {
  const declared =
    '// Amounts.\n\n/** As text. */\nexport function money(cents) {\n  return String(cents / 100);\n}\n\n' +
    "export function line(item) {\n  return item.name + ': ' + money(item.price);\n}\n";
  const used = "import { money } from './format.js';\n\nexport function report(all) {\n  return all.map(money);\n}\n";

  it('has the new name, and not the old one beside it', () => {
    for (const file of [declared, used]) {
      const wanted = file.replaceAll('money', 'amount');
      assert.equal(placed('javascript', file, fenced(wanted, 'js')), wanted);
    }
    const text = '# Till\n\nIt has `money`.\n\nSee `money`.\n';
    const wanted = text.replaceAll('money', 'amount');
    assert.equal(placed('markdown', text, fenced(wanted, 'md')), wanted);
  });

  it('may be written with letters of any language', () => {
    const file = declared.replaceAll('money', 'größe');
    const wanted = declared.replaceAll('money', 'länge');
    assert.equal(placed('javascript', file, fenced(wanted, 'js')), wanted);
  });

  it('may have other changes, too', () => {
    const wanted = declared.replaceAll('money', 'amount').replace("': '", "' costs '");
    assert.equal(placed('javascript', declared, fenced(wanted, 'js')), wanted);
    const more = `${used.replaceAll('money', 'amount')}\nexport const none = [];\n`;
    assert.equal(placed('javascript', used, fenced(more, 'js')), more);
  });

  it('keeps what the answer leaves out', () => {
    const wanted = declared.replaceAll('money', 'amount');
    const part = wanted.slice(0, wanted.indexOf('export function line'));
    assert.ok(placed('javascript', declared, fenced(part, 'js')).includes('export function line(item)'));
  });

  it('keeps a declaration beside which the answer adds one of the same kind', () => {
    const one = 'export class Missing extends Error {\n  name = "Missing";\n}\n';
    const other = one.replaceAll('Missing', 'Taken');
    const got = placed('typescript', one, fenced(other, 'ts'));
    assert.ok(got === 'unplaced' || got.includes('class Missing'), got);
    const two = `${one}\n${one.replaceAll('Missing', 'Late')}`;
    const answer = `${one.replaceAll('Missing', 'Late')}\n${other}`;
    assert.ok(placed('typescript', two, fenced(answer, 'ts')).includes('class Missing'));
  });

  it('is found among thousands of declarations of the same kind', () => {
    const flat = (from: number): string =>
      Array.from({ length: 8_000 }, (_, at) => `export const a${from + at} = use(a${at});\n`).join('');
    assert.equal(typeof placed('typescript', flat(0), fenced(flat(20_000), 'ts')), 'string');
    const imports = (name: string, count: number): string =>
      Array.from({ length: count }, (_, at) => `import { ${name}${at} } from './${name}.js';\n`).join('');
    const file = `${imports('a', 300)}\nf(${Array.from({ length: 300 }, (_, at) => `a${at}`).join(', ')});\n`;
    assert.equal(typeof placed('typescript', file, fenced(`${imports('b', 900)}\nf();\n`, 'ts')), 'string');
  });
});
