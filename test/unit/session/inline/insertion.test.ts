import assert from 'node:assert/strict';
import fc from 'fast-check';
import { insertionFrom, isEnough } from '../../../../src/session/inline/insertion.ts';
import { hiddenCharacters } from '../../../../src/session/prompts/hiddenText.ts';

/** `|` marks the place. */
function place(text: string) {
  const [before = '', after = ''] = text.split('|');
  return { before, after };
}

const empty = place('|');

describe('inline completions: the text that an answer inserts', () => {
  const cases: readonly (readonly [what: string, at: string, answer: string, insertion: string])[] = [
    ['is the answer as it is', 'const a = |', '1;', '1;'],
    ['comes out of a fence', 'const a = |', '```ts\n1;\n```\n', '1;'],
    ['comes out of a fence that is still open', 'const a = |', '```ts\n1', '1'],
    ['leaves out the beginning of the line that the model repeated', '  const a = |', 'const a = 1;', '1;'],
    ['leaves out the indentation that stands there', '  |', '  return 1;', 'return 1;'],
    ['keeps a single character that may come twice', 'a = {|', '{ b: 1 }', '{ b: 1 }'],
    ['is one line inside of a line', 'add(|, 2)', '1\nsecond()', '1'],
    ['leaves out a bracket that stands there', 'add(|);', '1, 2)', '1, 2'],
    ['leaves out the closing line that stands there', 'f() {\n  |\n}\n', 'return 1;\n}', 'return 1;'],
    ['keeps an end that only looks like what follows', 'const |a = 1', 'b = a', 'b = a'],
    ['reads Windows line endings', '|', 'a\r\nb\r\n', 'a\nb'],
    ['comes out of a fence after a sentence', 'const a = |', 'Here is the completion:\n\n```ts\n1;\n```\n', '1;'],
    [
      'comes out of a fence after two sentences',
      'const a = |',
      'Sure! It is one.\nIt ends there:\n```ts\n1;\n```',
      '1;',
    ],
    [
      'comes out of a fence after any sentence',
      'const a = |',
      'The returned function has to remove it, and then to tell `b`:\n\n```ts\n1;\n```',
      '1;',
    ],
    ['comes out of a fence with a sentence after it', 'const a = |', '```ts\n1;\n```\nThis sets a.', '1;'],
    ['leaves out a sentence without a fence', 'const a = |', 'Here is the completed line:\n1;', '1;'],
    ['is nothing if there is only a sentence', 'const a = |', 'Here is the code:', ''],
    ['keeps a sentence in a comment', '// |', 'Here is the total:', 'Here is the total:'],
    [
      'begins a line behind what opens a block',
      '  return () => {|',
      '    a.delete(b);\n  };',
      '\n    a.delete(b);\n  };',
    ],
    [
      'begins a line behind what opens a block, with the indentation of the lines after it',
      '  return () => {|',
      'a.delete(b);\n    c();\n  }',
      '\n    a.delete(b);\n    c();\n  }',
    ],
    ['has a line break once', '  f(() => {|', '\n    a();\n    b();\n  });', '\n    a();\n    b();\n  });'],
    ['begins no line for one that goes on in the next ones', 'f(() => {|', 'g({\n  a,\n})', 'g({\n  a,\n})'],
    ['begins no line for the rest of a line', 'const a = {|', ' b,\n  c,\n};', ' b,\n  c,\n};'],
    ['begins no line in a brace of JSX', '  <p>{|', 'a &&\n      b\n    }</p>', 'a &&\n      b\n    }</p>'],
    ['begins a line behind a key', '          resources:|', '            limits: 1', '\n            limits: 1'],
    ['stays in the line for one blank, or without a block', 'f(|)', ' a', ' a'],
    ['stays in the line behind a word', 'return|', '    a;', '    a;'],
    ['keeps words that begin like a sentence', '|', 'this.total = 1;', 'this.total = 1;'],
    ['keeps code that looks like a fence further down', '|', 'const a = `\n```\n`;', 'const a = `\n```\n`;'],
    ['leaves out thoughts', 'const a = |', '<think>What is a?\n</think>\n\n1;', '1;'],
    ['is nothing while thoughts have no end', 'const a = |', '<think>What is a?\n1;', ''],
    ...[
      ...[
        '<EOT>',
        '<|endoftext|>',
        '<|end_of_text|>',
        '<|eot_id|>',
        '<|im_end|>',
        '</s>',
        '<|fim_pad|>',
        '<fim_suffix>',
      ],
      ...['<｜end▁of▁sentence｜>', '<|file_sep|>'],
    ].map((token) => [`ends at ${token}`, 'const a = |', `1;${token}`, '1;'] as const),
    ['ends at a token, whatever comes after it', 'const a = |', '1;<|endoftext|>\n\nimport os\n', '1;'],
    ['begins after a token', 'const a = |', '<|fim_middle|>1;<|endoftext|>', '1;'],
    ['keeps a heredoc', '|', 'cat <<EOT>out', 'cat <<EOT>out'],
    ['keeps a tag', '|', '<s>a</s> b', '<s>a</s> b'],
    ['keeps a token that the file has', "const end = '<EOT>';\n|", "a + '<EOT>';", "a + '<EOT>';"],
    ['keeps the end of a block that is above, too', '    end\n  |', 'end', 'end'],
    ['leaves out the line above', 'const a = 1;\n|', 'const a = 1;\nconst b = 2;', 'const b = 2;'],
    ['leaves out lines above and what is typed', 'f() {\n  a();\n  return |', 'f() {\n  a();\n  return b;', 'b;'],
    ['leaves out lines above without their indentation', '  a();\n  b();\n  |', 'a();\n  b();\n  c();', 'c();'],
    ['leaves out lines above that end in a blank one', 'a();\n\n|', 'a();\n\nb();', 'b();'],
    ['keeps a bracket that is above, too', 'a {\n}\n|', '}\nb', '}\nb'],
    ['keeps what only begins like a line above', 'const a = 1;\n|', 'const a = 1 + 1;', 'const a = 1 + 1;'],
    ['keeps a line that is further above', 'a();\nb();\n|', 'a();\nc();', 'a();\nc();'],
    ['indents lines that begin in the first column', '  if (a) {\n    |', 'b();\nc();', 'b();\n    c();'],
    [
      'indents a block in the first column',
      '  f() {\n    |',
      'if (a) {\n  b();\n}\nc();',
      'if (a) {\n      b();\n    }\n    c();',
    ],
    ['indents with tabs', '\tf() {\n\t\t|', 'b();\nc();', 'b();\n\t\tc();'],
    ['indents the end of the block around it', 'class A {\n  f() {\n    |', 'return 1;\n}', 'return 1;\n  }'],
    ['keeps the end of the outermost block', 'f() {\n  |', 'return 1;\n}', 'return 1;\n}'],
    ['keeps an end that is indented', 'class A {\n  f() {\n    |', 'return 1;\n  }', 'return 1;\n  }'],
    ['keeps the last line of a string', '  f() {\n    |', 'const a = `\nb\n`;\nc();', 'const a = `\nb\n`;\nc();'],
    ['keeps directives', '  f() {\n    |', 'a();\n#if B\n    b();\n#endif', 'a();\n#if B\n    b();\n#endif'],
    ['ends before the next function', 'def f():\n    |', 'return 1\n\n\ndef g():\n    return 2', 'return 1'],
    ['ends before the next declaration', 'def f():\n    |', 'return 1\nclass G:\n    pass', 'return 1'],
    [
      'indents lines in the first column of Python',
      'class A:\n    def f(self):\n        |',
      'a = 1\nreturn a',
      'a = 1\n        return a',
    ],
    ['keeps lines in the first column of the first column', '|', 'a();\nb();', 'a();\nb();'],
    ['keeps joiners of Persian', 'a|', " = 'می\u200cخواهم'", " = 'می\u200cخواهم'"],
    ['keeps joiners of Hindi', 'a|', " = 'क्\u200dष'", " = 'क्\u200dष'"],
    ['keeps flags', 'a|', " = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'", " = '🏴󠁧󠁢󠁥󠁮󠁧󠁿'"],
    ['leaves out the mark', 'a|', '<|cursor|>b', 'b'],
    ['is empty for an answer of blanks', 'a|', ' \n\n', ''],
    ['is cut after twenty lines', '|', 'x\n'.repeat(40), 'x\n'.repeat(20).trimEnd()],
    ['is nothing where a character turns the reading direction', 'a|', 'b \u202e// }', ''],
    ['is nothing where a character cannot be seen', 'a|', 'b\u200bc', ''],
    ['is nothing where a tag character hides', 'a|', 'b\u{E0041}', ''],
    ['is nothing where an escape sequence hides', 'a|', 'b\u001b[2J', ''],
    ['is nothing where a space is a letter that is not seen', 'a|', 'b\u3164= 1', ''],
    ['is nothing where a variation selector carries a message', 'a|', 'b\u{E0101}', ''],
    ['is nothing where a blank braille pattern stands', 'a|', 'b\u2800c', ''],
    ['is nothing where half a character stands', 'a|', 'b\ud800', ''],
    ['keeps an emoji with its joiner', 'a|', " = '👩‍👧'", " = '👩‍👧'"],
  ];
  for (const [what, at, answer, insertion] of cases) {
    it(what, () => assert.equal(insertionFrom(answer, place(at)), insertion));
  }
});

describe('inline completions: what is around the code', () => {
  it('never changes what is inserted', () => {
    const line = fc.constantFrom('a();', 'if (b) {', '  c();', '}', '', 'return d;', '// e', "f = 'g';");
    const code = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => `x = 1;\n${lines.join('\n')}`);
    const around = fc.constantFrom<readonly [string, string]>(
      ...([
        ['```ts\n', '\n```'],
        ['```\n', '\n```\nThat is all.'],
        ['Here is the completion:\n\n```ts\n', '\n```\n'],
        ['<think>Hm.</think>\n', ''],
        ['<think>Hm.</think>\n```ts\n', '\n```<|im_end|>'],
        ['', '<|endoftext|>```'],
        ['<|fim_middle|>', '<EOT>\nmore'],
      ] as const),
    );
    fc.assert(
      fc.property(
        code,
        around,
        fc.constantFrom('|', 'y();\n|', 'f() {\n  |\n}', '  f() {\n    |'),
        (text, [a, b], at) => {
          assert.equal(insertionFrom(a + text + b, place(at)), insertionFrom(text, place(at)));
        },
      ),
      { numRuns: 1_000 },
    );
  });
});

describe('inline completions: in a language of sentences', () => {
  it('keep sentences and fences', () => {
    const answer = 'Here is how to build it:\n\n```sh\nnpm i\n```';
    assert.equal(insertionFrom(answer, empty, 'markdown'), answer);
    assert.equal(insertionFrom(`\`\`\`\`md\n${answer}\n\`\`\`\``, empty, 'markdown'), answer);
  });
});

describe('inline completions: hidden characters', () => {
  it('are the same as for proposals', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const code = `b${text.replace(/[\r\n`~]/g, '')}`;
        const isHidden = hiddenCharacters([code.trimEnd()]).length > 0;
        assert.equal(insertionFrom(code, place('a|')), isHidden ? '' : code.trimEnd());
      }),
      { numRuns: 3_000 },
    );
  });
});

describe('inline completions: when an answer is long enough', () => {
  it('an answer is long enough at the next line, if the place is inside a line', () => {
    assert.equal(isEnough('1\n', place('add(|, 2)')), false);
    assert.equal(isEnough('1\n2\n', place('add(|, 2)')), true);
  });
  it('an answer is long enough when its fence closes', () => {
    assert.equal(isEnough('```\n1\n', empty), false);
    assert.equal(isEnough('```\n1\n```', empty), true);
  });
  it('an answer is not long enough while its text may precede the code', () => {
    const inside = place('add(|, 2)');
    assert.equal(isEnough('Here is the completion:\n\n```ts\n1', inside), false);
    assert.equal(isEnough('Here is the completion:\n\n', inside), false);
    assert.equal(isEnough('Here is the completion:\n\n```ts\n1\n```', inside), true);
    assert.equal(isEnough('<think>\na\nb\nc\n', inside), false);
    assert.equal(isEnough(`<think>${'a '.repeat(5_000)}`, inside), true);
  });
  it('an answer whose code begins like a sentence is long enough at the next line', () => {
    for (const code of ['this.a\nb\n', 'ok, err\nb\n', 'i + 1\nb\n', 'here\nb\n', 'sure\nb\n', 'thenable\nb\n']) {
      assert.equal(isEnough(code, place('add(|, 2)')), true, code);
    }
  });
  it('an answer is long enough when a stop token ends it', () =>
    assert.equal(isEnough('1;<|endoftext|>', empty), true));
  it('an answer is not long enough if it only repeats lines', () => {
    assert.equal(isEnough('a();\nb();\nc(', place('a();\nb();\nc(|, 2)')), false);
  });
  it('an answer is long enough after twenty lines', () => {
    assert.equal(isEnough('x\n'.repeat(19), empty), false);
    assert.equal(isEnough('x\n'.repeat(20), empty), true);
  });
  it('an answer is long enough after two thousand characters', () =>
    assert.equal(isEnough('x'.repeat(2001), empty), true));
});
