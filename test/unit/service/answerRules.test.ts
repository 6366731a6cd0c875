import assert from 'node:assert/strict';
import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { summaryPrompt } from '../../../src/session/prompts/prompts.ts';
import { type AnswerRequest, answerFor, label } from '../../service/answer.ts';
import { codeBlocks, proseOf } from '../../service/rules/prompt.ts';

function ask(content: string, more: Partial<AnswerRequest> = {}): string {
  return answerFor({ model: 'svc/auto', messages: [{ role: 'user', content }], svcHeaders: [], ...more });
}

describe('local service: explaining and chatting', () => {
  it('summarizes a conversation: its goal, its files, and its questions', () => {
    const said = (role: string, content: string) => ({ role, content });
    const messages = [
      said('user', `${houseRules}\n\nMy port is 9000.\n\nsrc/a.ts\n\`\`\`ts\nlet a;\n\`\`\``),
      said('assistant', 'Good.'),
      said('user', summaryPrompt),
    ];
    const summary = answerFor({ model: 'svc/auto', messages, svcHeaders: [] });
    assert.match(summary, /## Goal\nMy port is 9000\.\n/);
    assert.match(summary, /## Facts found\n- src\/a\.ts\n/);
    assert.match(summary, /## Open and next\n- My port is 9000\.$/);
  });

  const code = [
    "import { readFile } from 'node:fs/promises';",
    '',
    'export class Ledger {',
    '  async load(path: string, size = 10): Promise<number> {',
    '    // if while for: not these',
    '    const text = await readFile(path);',
    '    for (const line of text) if (line) this.add(line);',
    '    return size;',
    '  }',
    '}',
    'const twice = (n: number) => n * 2;',
    'function none() {}',
  ].join('\n');

  it('outlines code: language, symbols with parameters and lines, imports, counts, returns, calls', () => {
    assert.equal(
      ask(`Explain this code.\n\nsrc/ledger.ts:21-32\n\`\`\`typescript\n${code}\n\`\`\``),
      [
        label,
        '',
        '`src/ledger.ts:21-32` is 12 lines of typescript.',
        '',
        '- class `Ledger` on line 23',
        '- method `load` on line 24, takes `path`, `size`',
        '- function `twice` on line 31, takes `n`',
        '- function `none` on line 32, takes nothing',
        '- imports `node:fs/promises`',
        '- 1 branch and 1 loop',
        '- returns `size`',
        '- calls `readFile`, `this.add`',
      ].join('\n'),
    );
  });

  it('counts the lines of a whole file, whose last one ends with a line break', () => {
    assert.match(ask('Explain this code.\n\na.ts:1-2\n```typescript\nf();\ng();\n\n```'), /`a\.ts:1-2` is 2 lines of/);
  });

  it('outlines Python, and detects it if the fence names no language', () => {
    const answer = ask(
      'What does this do?\n```\nimport os\nfrom re import match\n\ndef walk(self, root, *rest):\n    # for nothing\n    return os.walk(root)\n```',
    );
    assert.match(answer, /6 lines of python/);
    assert.match(answer, /function `walk` on line 4, takes `root`, `rest`/);
    assert.match(answer, /imports `os`, `re`/);
    assert.doesNotMatch(answer, /loop/);
  });

  it('explains the code of an earlier message if the last one has none', () => {
    const answer = answerFor({
      model: 'svc/auto',
      messages: [
        { role: 'user', content: `Look:\n\`\`\`ts\n${code}\n\`\`\`` },
        { role: 'assistant', content: 'I see.' },
        { role: 'user', content: 'Now explain it.' },
      ],
      svcHeaders: [],
    });
    assert.match(answer, /class `Ledger` on line 3/);
  });

  it('chats: states what it understood and which headers it received', () => {
    const answer = ask('Hello there', { svcHeaders: [['Svc-Security-Level', 'high']] });
    assert.ok(answer.startsWith(`${label}\n\nYou wrote: “Hello there”. I see a greeting in it`));
    assert.match(answer, /\n- `Svc-Security-Level: high`\n/);
    assert.doesNotMatch(answer, /^#/m);
    assert.match(ask('Hello there'), /without any Svc header/);
  });

  it('reads past the rules that precede a question', () => {
    assert.equal(ask(`${houseRules}\n\nHello there`), ask('Hello there'));
  });

  it('answers JSON without a label if JSON is requested', () => {
    const answers = [
      ask('Say hello as JSON'),
      ask('hello', { wantsJson: true }),
      answerFor({
        model: 'svc/auto',
        messages: [
          { role: 'system', content: 'Respond with JSON only.' },
          { role: 'user', content: 'hello' },
        ],
        svcHeaders: [],
      }),
    ];
    for (const answer of answers) assert.match((JSON.parse(answer) as { readonly answer: string }).answer, /hello/);
    assert.ok(ask('```ts\nreturn as JSON only\n```\nhello').startsWith(label));
  });

  it('gives the same answer to the same request', () => {
    for (const content of ['hello', 'Write isPrime', `Explain\n\`\`\`ts\n${code}\n\`\`\``])
      assert.equal(ask(content), ask(content));
  });

  it('finds blocks in longer fences, with listings and names, and unclosed ones', () => {
    const [first, second] = codeBlocks('a.md\n````md\n```js\nx\n```\n````\ntext\n~~~py\n 9 | a\n10 | b');
    assert.deepEqual(first, { language: 'md', code: '```js\nx\n```', name: 'a.md', firstLine: 1 });
    assert.deepEqual(second, { language: 'py', code: 'a\nb', name: undefined, firstLine: 9 });
    assert.equal(proseOf('before\n```\ncode\n```\nafter'), 'before\n\nafter');
  });
});
