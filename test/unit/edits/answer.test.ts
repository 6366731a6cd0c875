import assert from 'node:assert/strict';
import { type AnswerBlock, isProse, readAnswer } from '../../../src/edits/reading/answer.ts';
import { isExample } from '../../../src/edits/reading/candidates.ts';
import { fileInComment, fileInHeading, filesIn, readFenceInfo } from '../../../src/edits/reading/fileName.ts';
import { codesSoFar } from '../../../src/edits/reading/soFar.ts';
import { blocksIn } from '../../../src/session/prompts/fences.ts';

const readme = '# Pay\n\n```sh\nnpm i pay\n```\n\nThen:\n\n```ts\npay();\n```\n\nThat is all.\n';
const docstring = 'def f():\n    """Doubles.\n\n    ```\n    f(2)\n    ```\n    """\n    return 2\n';
const test = 'it("x", () => {\n  const text = `\n```js\na\n```\n`;\n});\n';

const fenced = (code: string, fence = '```', info = ''): string => `${fence}${info}\n${code}${fence}\n`;
const codes = (answer: string): readonly string[] =>
  readAnswer(answer).blocks.map(({ lines }) => `${lines.join('\n')}\n`);
const first = (answer: string): AnswerBlock => readAnswer(answer).blocks[0] ?? assert.fail('no block');

describe('the blocks of an answer', () => {
  it('are the contents of its fences, without the surrounding text', () => {
    assert.deepEqual(codes(`So:\n${fenced('a\n\n  b\n')}Done.`), ['a\n\n  b\n']);
    assert.deepEqual(codes('const a = 1;\n'), ['const a = 1;\n']);
    assert.deepEqual(codes(''), []);
    assert.deepEqual(codes('```r\r\na\r\n  b\r\n```\r\n'), ['a\n  b\n']);
  });

  it('may contain fences, in a longer fence or indented', () => {
    for (const code of [readme, docstring, test]) {
      for (const fence of ['````', '~~~', '`````']) assert.deepEqual(codes(fenced(code, fence, 'md')), [code]);
    }
    assert.deepEqual(codes(fenced(docstring, '```', 'py')), [docstring]);
  });

  it('are the outermost if the fence is no longer than the inner ones', () => {
    assert.deepEqual(codes(fenced(readme, '```', 'markdown')), [readme]);
    assert.deepEqual(codes(fenced(test, '```', 'ts')), [test]);
    assert.deepEqual(codesSoFar(`\`\`\`md\n${readme}`, 1), [readme]);
    const bare = '# A\n\n```\nnpm i\n```\n\nMore.\n';
    const { blocks, others } = readAnswer(fenced(bare, '```', 'md'));
    assert.equal(blocks.length, 2);
    assert.deepEqual(
      others.map((each) => each.map(({ lines }) => `${lines.join('\n')}\n`)),
      [[bare]],
    );
  });

  it('are none while one is open', () => {
    const whole = fenced('one\ntwo\n', '```', 'ts');
    for (let length = 4; length < whole.length - 2; length += 1) {
      assert.equal(readAnswer(whole.slice(0, length)).isOpen, true, whole.slice(0, length));
    }
    assert.equal(readAnswer(`${fenced('a\n')}\`\`\`\nb\n`).isOpen, true);
    assert.equal(readAnswer(fenced('a\n```ts\nb\n')).isOpen, true);
    assert.equal(readAnswer('<<<<<<< SEARCH\na\n=======\nb\n').isOpen, true);
    assert.equal(readAnswer(whole).isOpen, false);
  });

  it('lose the indentation of their fence', () => {
    assert.deepEqual(blocksIn('1. So:\n\n   ```ts\n   a\n     b\n   ```\n'), [
      { info: 'ts', code: 'a\n  b\n', start: 8, end: 35, isClosed: true },
    ]);
  });

  it('are none in an answer in words', () => {
    for (const words of [
      'I need more context to do this.',
      "I'm sorry, but I can't help with that.",
      'Which of the two functions should change? Both have this name.',
      'This change is not possible:\n\n- The file has no such function.\n- The type does not allow it.',
      '**No change is needed.** The function returns early already.',
      'Es fehlt die Definition von Item. Bitte schicke sie mit.',
    ]) {
      assert.deepEqual(readAnswer(words).blocks, [], words);
    }
    for (const code of [
      'name: build',
      'SELECT id FROM users',
      'return total',
      '# Adds all\nx = 1',
      'const a = 1',
      'foo()',
      'package a',
    ]) {
      assert.equal(readAnswer(code).blocks.length, 1, code);
    }
  });

  it('a block of changes has the lines that it replaces', () => {
    const change = { old: ['a'], replacement: ['b'] };
    for (const answer of [
      '<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE',
      '```ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n```',
      '<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>> UPDATED',
      '------- SEARCH\na\n=======\nb\n+++++++ REPLACE',
      '<<<<<<< SEARCH\n:start_line:3\n-------\na\n=======\nb\n>>>>>>> REPLACE',
      '<search>\na\n</search>\n<replace>\nb\n</replace>',
      '<old_string>\na\n</old_string>\n<new_string>\nb\n</new_string>',
      '```diff\n-a\n+b\n```',
      '```diff\n--- a/x.ts\n+++ b/x.ts\n@@ -9,1 +9,1 @@ f\n-a\n+b\n```',
      '--- a/x.ts\n+++ b/x.ts\n@@ -9,1 +9,1 @@\n-a\n+b\n\\ No newline at end of file',
      '*** Begin Patch\n*** Update File: x.ts\n@@ f\n-a\n+b\n*** End Patch',
      '```ts\n-a\n+b\n```',
    ]) {
      assert.deepEqual(first(answer).changes?.changes, [change], answer);
    }
  });

  it('a block of changes for several files becomes one block for each file', () => {
    const diff =
      'diff --git a/x.ts b/x.ts\n--- a/x.ts\n+++ b/x.ts\n@@ @@\n-a\n+b\ndiff --git a/y.ts b/y.ts\n--- a/y.ts\n+++ b/y.ts\n@@ @@\n-c\n+d\n';
    assert.deepEqual(
      readAnswer(fenced(diff, '```', 'diff')).blocks.map(({ file, changes }) => [file, changes?.changes]),
      [
        ['x.ts', [{ old: ['a'], replacement: ['b'] }]],
        ['y.ts', [{ old: ['c'], replacement: ['d'] }]],
      ],
    );
    const search =
      'src/x.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\nsrc/y.ts\n<<<<<<< SEARCH\nc\n=======\nd\n>>>>>>> REPLACE\n';
    assert.deepEqual(
      readAnswer(search).blocks.map(({ file }) => file),
      ['src/x.ts', 'src/y.ts'],
    );
  });

  it('a block that is a list is not read as changes', () => {
    assert.equal(first('```yaml\n- a\n- b\n```').changes, undefined);
    assert.equal(first('```md\n- a\n+ b\n```').changes, undefined);
  });
});

describe('thinking', () => {
  const code = fenced('b();\n', '```', 'ts');
  const draft = fenced('a();\n', '```', 'ts');
  it('thinking is not a part of the answer', () => {
    for (const name of ['think', 'thinking', 'reasoning', 'Thought']) {
      assert.deepEqual(codes(`<${name}>\n${draft}\n</${name}>\n\n${code}`), ['b();\n'], name);
      assert.deepEqual(codes(`\n<${name}>${draft}</${name}>${code}`), ['b();\n'], name);
    }
    assert.deepEqual(codes(`Hm.\n${draft}\n</think>\n${code}`), ['b();\n']);
    assert.deepEqual(codes(`<think>\n\`\`\`ts\nopen\n</think>\n${code}`), ['b();\n']);
  });

  it('only the last block is used if the thinking has no end', () => {
    const { lastWins, blocks } = readAnswer(`<think>\n${draft}\nBetter:\n${code}`);
    assert.deepEqual([lastWins, blocks.length], [true, 2]);
  });

  it('is not what code says', () => {
    const page = fenced('<p>\n</think>\n', '```', 'html');
    assert.equal(readAnswer(`${code}\n<b>x</b>\n`).blocks.length, 1);
    assert.deepEqual(codes(`<think>a</think>\n${page}`), ['<p>\n</think>\n']);
  });
});

describe('the file that a block is for', () => {
  it('is in its opening line', () => {
    const infos: Readonly<Record<string, readonly [language: string, file: string]>> = {
      'ts title="src/pay.ts"': ['ts', 'src/pay.ts'],
      "ts title='my files/pay.ts'": ['ts', 'my files/pay.ts'],
      'ts title=pay.ts': ['ts', 'pay.ts'],
      'ts file=src/pay.ts': ['ts', 'src/pay.ts'],
      'ts filename="src/pay.ts" showLineNumbers': ['ts', 'src/pay.ts'],
      'ts path=src/pay.ts:10-20': ['ts', 'src/pay.ts'],
      'ts:src/pay.ts': ['ts', 'src/pay.ts'],
      'typescript:src/pay.ts:10-20': ['typescript', 'src/pay.ts'],
      'ts ./src/pay.ts': ['ts', './src/pay.ts'],
      'ts src\\pay.ts': ['ts', 'src/pay.ts'],
      'ts src/pay.ts#L10-L20': ['ts', 'src/pay.ts'],
      'tsx app/routes/user.$id.tsx': ['tsx', 'app/routes/user.$id.tsx'],
      'src/pay.ts': ['', 'src/pay.ts'],
      '  makefile   build/Makefile ': ['makefile', 'build/Makefile'],
      '{.python} größe/日本.py': ['python', 'größe/日本.py'],
    };
    for (const [info, [language, file]] of Object.entries(infos)) {
      assert.deepEqual(readFenceInfo(info), { language, file }, info);
    }
  });

  it('is not in other opening lines', () => {
    for (const info of [
      '',
      'ts',
      'c++',
      'objective-c',
      'ts hello',
      'ts src/pay.ts and more',
      'ts {1,3-4}',
      'ts showLineNumbers',
      'ts title=""',
    ])
      assert.equal(readFenceInfo(info).file, undefined, info);
  });

  it('is in a heading before it', () => {
    const path = 'src/queue.ts';
    for (const line of [
      `### ${path}`,
      `## \`${path}\``,
      `### 1. \`${path}\``,
      `**${path}**`,
      `**${path}:**`,
      `**\`${path}\`**`,
      `\`${path}\`:`,
      `\`${path}\``,
      `${path}:`,
      `${path}`,
      `File: ${path}`,
      `**File:** \`${path}\``,
      `1. **${path}**`,
      `In \`${path}\`:`,
      `Update \`${path}\` as follows:`,
      `#### ${path} (updated)`,
      `\`src\\queue.ts\`:`,
    ]) {
      assert.equal(fileInHeading(line), path, line);
    }
    for (const line of [
      'Here is the code:',
      'The file `a.ts` imports `b.ts`:',
      'See `src/a.ts` for more.',
      '### Version 1.2',
      'e.g.:',
      '## Node.js setup',
    ]) {
      assert.equal(fileInHeading(line), undefined, line);
    }
  });

  it('is in a comment of nothing else in its first line', () => {
    for (const line of [
      '// src/a.ts',
      '# src/a.ts',
      '/* src/a.ts */',
      '<!-- src/a.ts -->',
      '-- src/a.ts',
      '// File: src/a.ts',
      '// filename: src\\a.ts',
    ])
      assert.equal(fileInComment(line), 'src/a.ts', line);
    for (const line of ['// see src/a.ts', '#!/usr/bin/env node', '// a', '# 1.2', 'src/a.ts', '// TODO'])
      assert.equal(fileInComment(line), undefined, line);
  });
});

describe('the files that a text mentions', () => {
  it('are found without lines, columns, and marks around them', () => {
    for (const [text, ...files] of [
      ['src/format.ts:12:19 - error TS2345: Argument of type string', 'src/format.ts'],
      ['psql:migrations/0001_init.sql:9: ERROR:  syntax error', 'migrations/0001_init.sql'],
      ['   at Money.Parse(String text) in src/Billing/Money.cs:line 26', 'src/Billing/Money.cs'],
      ['[ERROR] src/main/java/a/B.java:[36,56] cannot find symbol', 'src/main/java/a/B.java'],
      ['Add it in **src/a.ts**, or `b.py`. Twice: (src/a.ts).', 'src/a.ts', 'b.py'],
      ['Version 1.2.3 of e.g. this; Math.round(a.b) and so on...'],
      [`${'.'.repeat(50_000)}a ${'a.ts/'.repeat(1_000)}`],
    ] as const)
      assert.deepEqual(filesIn(text), files, text.slice(0, 100));
    assert.equal(filesIn(Array.from({ length: 80 }, (_, at) => `src/a${at}.ts`).join(' ')).length, 50);
  });
});

describe('an answer without a block', () => {
  it('is prose if it consists of sentences', () => {
    for (const text of [
      'This code is correct as it is.',
      'It reads a file, closes it, and returns (always) its lines…',
      "I can't do this.",
      '**Note** that *all* of it is used!\n\n- one two three\n2. two three four',
    ])
      assert.ok(isProse(text.split('\n')), text);
    for (const text of ['const a = 1;', 'return one two three;', 'a b c', 'Three words only', 'DROP TABLE a b c'])
      assert.ok(!isProse(text.split('\n')), text);
  });

  it('is read in linear time, with any number of commas', () => {
    const list = Array.from({ length: 40_000 }, (_, at) => `w${at}`).join(', ');
    assert.ok(isProse([`These are ${list}.`]));
    for (const end of [' & more', '!@', ' =', `${'.'.repeat(40_000)}@`])
      assert.ok(!isProse([`These are ${list}${end}`]));
  });
});

describe('the words before a block', () => {
  it('say that it is an example', () => {
    const said = (words: string): boolean => isExample({ language: '', lines: [], intro: words });
    for (const words of ['Usage:', 'For example:', 'Before:', 'Run it:', 'Beispiel:', 'To verify:'])
      assert.ok(said(words), words);
    for (const words of ['Here is the change:', 'Then add this:', 'After:', '']) assert.ok(!said(words), words);
  });
});
