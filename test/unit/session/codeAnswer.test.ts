import assert from 'node:assert/strict';
import { codesSoFar, readCode } from '../../../src/session/prompts/codeAnswer.ts';
import { blocksIn } from '../../../src/session/prompts/fences.ts';

const readme = '# Pay\n\n```sh\nnpm i pay\n```\n\nThen:\n\n```ts\npay();\n```\n\nThat is all.\n';
const docstring = 'def f():\n    """Doubles.\n\n    ```\n    f(2)\n    ```\n    """\n    return 2\n';
const test = 'it("x", () => {\n  const text = `\n```js\na\n```\n`;\n});\n';

const fenced = (code: string, fence = '```', info = ''): string => `${fence}${info}\n${code}${fence}\n`;

describe('the code of a complete answer', () => {
  it('is the content of its fence, without the surrounding text', () => {
    assert.deepEqual(readCode(`So:\n${fenced('a\n\n  b\n')}Done.`, 1), { is: 'code', codes: ['a\n\n  b\n'] });
    assert.deepEqual(readCode('const a = 1;\n', 1), { is: 'code', codes: ['const a = 1;\n'] });
    assert.deepEqual(readCode('', 1), { is: 'none' });
    assert.deepEqual(readCode(fenced(''), 1), { is: 'none' });
  });

  it('may contain fences, in a longer fence or indented', () => {
    for (const code of [readme, docstring, test]) {
      for (const fence of ['````', '~~~', '`````']) {
        assert.deepEqual(readCode(fenced(code, fence, 'md'), 1), { is: 'code', codes: [code] });
      }
    }
    assert.deepEqual(readCode(fenced(docstring, '```', 'py'), 1), { is: 'code', codes: [docstring] });
  });

  it('is the outermost block if the fence is no longer than the inner ones', () => {
    assert.deepEqual(readCode(fenced(readme, '```', 'markdown'), 1), { is: 'code', codes: [readme] });
    assert.deepEqual(readCode(fenced(test, '```', 'ts'), 1), { is: 'code', codes: [test] });
    assert.deepEqual(codesSoFar(`\`\`\`md\n${readme}`, 1), [readme]);
  });

  it('is not cut at an inner fence if the closing fence is ambiguous', () => {
    const bare = '# A\n\n```\nnpm i\n```\n\nMore.\n';
    assert.equal(readCode(fenced(bare, '```', 'md'), 1).is, 'unclear');
    assert.equal(readCode(fenced('a\n```ts\nb\n'), 1).is, 'open');
  });

  it('is one block for each place in order; none if there are more or fewer blocks', () => {
    const three = '```ts\na\n```\nand\n~~~ts\nb\n```\n~~~\n```\nc\n```';
    assert.deepEqual(readCode(three, 3), { is: 'code', codes: ['a\n', 'b\n```\n', 'c\n'] });
    assert.deepEqual(readCode(three, 2), { is: 'unclear', blocks: 3 });
    assert.deepEqual(readCode(three, 1), { is: 'unclear', blocks: 3 });
    assert.deepEqual(readCode(three, 4), { is: 'unclear', blocks: 3 });
    assert.deepEqual(readCode('a\n', 2), { is: 'unclear', blocks: 0 });
    assert.deepEqual(codesSoFar('```ts\na\n``', 2), ['a\n``\n', '']);
    assert.deepEqual(codesSoFar('no fence', 2), ['', '']);
  });

  it('is none while a block is open', () => {
    const whole = fenced('one\ntwo\n', '```', 'ts');
    for (let length = 4; length < whole.length - 2; length += 1) {
      assert.equal(readCode(whole.slice(0, length), 1).is, 'open', whole.slice(0, length));
    }
    assert.equal(readCode(`${fenced('a\n')}\`\`\`\nb\n`, 2).is, 'open');
  });

  it('loses the indentation of its fence and keeps its own line ends', () => {
    assert.deepEqual(blocksIn('1. So:\n\n   ```ts\n   a\n     b\n   ```\n'), [
      { info: 'ts', code: 'a\n  b\n', end: 35, isClosed: true },
    ]);
    assert.deepEqual(readCode('```\r\na\r\n  b\r\n```\r\n', 1), { is: 'code', codes: ['a\r\n  b\n'] });
  });
});
