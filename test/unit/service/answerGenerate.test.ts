import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { transform } from 'esbuild';
import { answerFor } from '../../service/answer.ts';
import { collections } from '../../service/rules/snippetsCollections.ts';
import { numbers } from '../../service/rules/snippetsNumbers.ts';
import { texts } from '../../service/rules/snippetsTexts.ts';

type Functions = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

function ask(content: string): string {
  return answerFor({ model: 'svc/auto', messages: [{ role: 'user', content }], svcHeaders: [] });
}

function load(code: string): Promise<Functions> {
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

const requests: readonly (readonly [request: string, check: (functions: Functions) => unknown, expected: unknown])[] = [
  ['add two numbers', (f) => f.add?.(2, 3), 5],
  ['factorial', (f) => [f.factorial?.(0), f.factorial?.(5)], [1, 120]],
  ['fibonacci', (f) => [0, 1, 2, 10].map((n) => f.fibonacci?.(n)), [0, 1, 1, 55]],
  ['isPrime', (f) => [1, 2, 9, 97].map((n) => f.isPrime?.(n)), [false, true, false, true]],
  ['gcd', (f) => f.gcd?.(54, -24), 6],
  ['clamp', (f) => [f.clamp?.(9, 0, 5), f.clamp?.(-1, 0, 5)], [5, 0]],
  ['to reverse a string', (f) => f.reverseString?.('abc😀'), '😀cba'],
  ['palindrome check', (f) => ['Was it a car, or a cat I saw?', 'abc'].map((t) => f.isPalindrome?.(t)), [true, false]],
  ['slugify', (f) => f.slugify?.('  Crème brûlée & co! '), 'creme-brulee-co'],
  [
    'to validate an email address',
    (f) => ['a@b.eu', 'a@b', 'a b@c.d'].map((t) => f.isEmail?.(t)),
    [true, false, false],
  ],
  [
    'luhn',
    (f) => ['4111 1111 1111 1111', '4111-1111-1111-1112', ''].map((t) => f.passesLuhn?.(t)),
    [true, false, false],
  ],
  ['sum of an array', (f) => [f.sum?.([1, 2, 3]), f.sum?.([])], [6, 0]],
  ['to chunk an array', (f) => f.chunk?.([1, 2, 3], 2), [[1, 2], [3]]],
  ['binary search', (f) => [3, 4].map((n) => f.binarySearch?.([1, 3, 5], n)), [1, -1]],
  ['unique', (f) => f.unique?.([2, 1, 2]), [2, 1]],
  [
    'groupBy',
    (f) => Array.from(f.groupBy?.([1, 2, 3], (n: unknown) => Number(n) % 2) as Map<number, number[]>),
    [
      [1, [1, 3]],
      [0, [2]],
    ],
  ],
];

describe('local service: generating', () => {
  for (const [request, check, expected] of requests) {
    it(`writes working code for ${request}, in JavaScript and TypeScript`, async () => {
      const js = ask(`Write a function ${request} in JavaScript. Only code, no fences.`);
      assert.deepEqual(check(await load(js)), expected);
      const ts = ask(`Write a function ${request}. Only code, no fences.`);
      assert.notEqual(ts, js);
      assert.deepEqual(check(await load((await transform(ts, { loader: 'ts' })).code)), expected);
    });
  }

  it('writes a debounce that runs once, for the last call', async () => {
    const { debounce } = await load(ask('Write a debounce function. Only code, without fences, in JavaScript'));
    const seen = await new Promise((resolve) => {
      const run = debounce?.(resolve, 1) as (value: number) => void;
      run(1);
      run(2);
    });
    assert.equal(seen, 2);
  });

  it('leaves no marks of the snippet notation', () => {
    for (const { ts, py } of [...numbers, ...texts, ...collections]) {
      assert.doesNotMatch(ts.replace(/«([^»]*)»/g, '$1'), /[«»]/);
      assert.doesNotMatch(py, /[«»]/);
    }
  });

  it('writes Python that Python can parse', () => {
    const all = [...numbers, ...texts, ...collections].map(({ py }) => py.trim()).join('\n\n\n');
    const { error, status, stderr } = spawnSync('python3', ['-c', 'import ast, sys; ast.parse(sys.stdin.read())'], {
      input: all,
      encoding: 'utf8',
    });
    // Without Python, the test still checks that each one is a function.
    if (error !== undefined)
      assert.ok([...numbers, ...texts, ...collections].every(({ py }) => /^def \w+\(.*\):$/m.test(py)));
    else assert.equal(status, 0, stderr);
  });

  it('answers the generate command with code in one fence, labeled by a comment', () => {
    const prompt = `Write python code that does the following. Answer with only code, in one fenced block, without explanation.\n\nvalidate an email address\n\nIt goes into this file, at the line marked <insert here>.\n\nsrc/add.ts:1-3\n\`\`\`typescript\nconst factorial = 1;\n<insert here>\n\`\`\``;
    const answer = ask(prompt);
    assert.match(answer, /^```python\n# From the rules of the local service, not from a language model\.\nimport re\n/);
    assert.match(answer, /def is_email\(text\):/);
    assert.equal(answer.split('```').length, 3);
  });

  it('answers in Markdown with the label if the request does not ask for code only', () => {
    assert.match(ask('Please write fibonacci'), /^\*Answer from the rules .*\*\n\n```typescript\n\/\/ From the rules/);
  });

  it('writes a documented skeleton for an unknown request', () => {
    assert.match(
      ask('Write a function that parses ISO 20022 camt files'),
      /\/\*\* To do: Write a function that parses ISO 20022 camt files \*\/\nexport function parsesIsoCamtFiles\(\): never \{/,
    );
    assert.match(ask('Write a python function that draws a whale'), /def draws_whale\(\):\n {4}"""To do: /);
    assert.match(
      ask('Write a method in Rust that adds two numbers'),
      /```text\n\/\/ .*\n\/\/ To do: Write a method in Rust/,
    );
  });
});
