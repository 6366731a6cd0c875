import assert from 'node:assert/strict';
import fc from 'fast-check';
import { BlockStream } from '../../../src/webview/markdown/blocks.ts';
import { parse } from '../../../src/webview/markdown/parser.ts';
import { samples } from './samples.ts';
import { cut, oneShot, Page, stream } from './streamed.ts';

describe('webview/markdown/blocks', () => {
  for (const [name, text] of Object.entries(samples)) {
    it(`ends with the blocks of a one-shot parse: ${name}`, () => {
      const expected = oneShot(text);
      for (const sizes of [[1], [2, 7], [13], [64], [text.length]])
        assert.deepEqual(stream(cut(text, sizes)).plain(), expected, `pieces of ${sizes}`);
    });
  }

  it('ends with the blocks of a one-shot parse for any lines in any pieces', () => {
    const line = fc.constantFrom(
      ...['', '', 'text', '# head', '---', '===', '- item', '1. one', '2) two', '  deeper', '    code', '> quote'],
      ...[
        '```',
        '```ts',
        '```md',
        '~~~',
        '~~~ markdown',
        '````',
        '  ```',
        '   ~~~',
        '| a | b |',
        '|---|:-:|',
        '| 1 | 2 |',
        '[a]: /url',
        "'title",
      ],
      ...[
        '[a]',
        '**b**',
        '* * *',
        '- [ ] task',
        '<div>',
        '`co',
        'de`',
        '\\',
        '- ',
        '+',
        '[b]:',
        'http://x.y/z',
        '\ttab',
      ],
    );
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r', '\n\n', '')), { maxLength: 14 })
      .map((lines) => lines.map(([content, end]) => content + end).join(''));
    const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, sizes, (source, pieces) => {
        assert.deepEqual(stream(cut(source, pieces)).plain(), oneShot(source));
      }),
      { numRuns: Number(process.env.RUNS ?? 300) },
    );
  });

  it('ends with the blocks of a one-shot parse for formulas, footnotes and tags in any pieces', () => {
    const line = fc.constantFrom(
      ...[
        '',
        '',
        'text',
        '$$',
        '$$',
        '\\[',
        '\\]',
        '$$ x^2 $$',
        '\\[ x = 1 \\]',
        '\\[x=1\\] and more',
        '$$ and $$ more',
      ],
      ...[
        '\\frac{a}{b}',
        'a &= b \\\\',
        '= c',
        '+ d',
        '- e',
        '> 0',
        '1. f',
        '# g',
        '===',
        '---',
        '$x$ and $5',
        '\\(x^2',
        '\\)',
      ],
      ...[
        '- $$',
        '  $$',
        '  - b',
        '> \\[',
        '> x',
        '> \\]',
        '- \\[',
        '  \\]',
        '  x',
        '| $a$ | b |',
        '|---|---|',
        '    $$',
      ],
      ...[
        '```',
        '```md',
        '```sh',
        '~~~',
        '`$',
        '[^1]',
        '    more',
        '<details>',
        '<summary>T</summary>',
        '</details>',
        '$$.',
        '$$x',
      ],
      ...['$', '\\', '- item', '- item', '1. one', '**注意：**内容'],
    );
    // Definitions are rare here: with one, the whole is parsed again.
    const last = fc.constantFrom('', '', '', '', '', '', '[^1]: note\n\n    more', '[a]: /x');
    const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\n\n', '\n \n', '');
    const text = fc
      .tuple(fc.array(fc.tuple(line, end), { maxLength: 14 }), last)
      .map(([lines, definition]) => [...lines, [definition, ''] as const])
      .map((lines) => lines.map(([content, after]) => content + after).join(''));
    const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, sizes, fc.constantFrom(undefined, 0), (source, pieces, growFrom) => {
        assert.deepEqual(stream(cut(source, pieces), growFrom).plain(), oneShot(source));
      }),
      { numRuns: Number(process.env.RUNS ?? 500) },
    );
  });

  it('ends with the blocks of a one-shot parse for long lists and tables', () => {
    const item = fc.constantFrom(
      ...['- a', '- b', '- **c**', '- [ ] d', '-', '  - deep', '  more', 'lazy', '- ```ts\n  let a;\n  ```', '-   > q'],
      ...['- a | b', '1. one', '2. two', '10. ten', '3) other', '1. # head', ' - in', '   - in', '* star', '- - -'],
      ...[
        '| a | b |',
        '|---|---|',
        '| 1 |',
        '|1|2|3|',
        'a | b',
        '`|`|\\||',
        '',
        '',
        '> q',
        '# h',
        '    four',
        '- [a]: /x',
      ],
    );
    const start = fc.constantFrom(
      '',
      '- a\n- b\n',
      '| a | b |\n|--:|---|\n| 1 | 2 |\n',
      '1. a\n2. b\n',
      '- a\n\n- b\n',
    );
    const text = fc
      .tuple(start, fc.array(fc.tuple(item, fc.integer({ min: 1, max: 3 })), { minLength: 4, maxLength: 12 }))
      .map(([first, items]) => first + items.map(([line, times]) => `${line}\n`.repeat(times)).join(''));
    const sizes = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, sizes, (source, pieces) => {
        assert.deepEqual(stream(cut(source, pieces), 0).plain(), oneShot(source));
      }),
      { numRuns: Number(process.env.RUNS ?? 500) },
    );
  });

  for (const [name, head, part] of [
    ['a table', '| a | b |\n|---|--:|\n', '| 1 | `2` |\n'],
    ['a list', '', '- one **item**\n'],
  ] as const)
    it(`parses no more of ${name} with each flush, for any length`, () => {
      const blocks = new BlockStream();
      const sizes: number[] = [];
      for (const piece of cut(head + part.repeat(1000), [40])) {
        blocks.append(piece);
        const counts = blocks.flush().map((step) => (step.op === 'parts' ? step.tokens.length : 0));
        sizes.push(Math.max(...counts));
      }
      const first = Math.max(...sizes.slice(0, 100));
      assert.ok(first > 0);
      assert.ok(Math.max(...sizes) <= 1.5 * first, `${Math.max(...sizes)} tokens, ${first} at first`);
    });

  it('reads any number of openers in a time that grows with the text alone', () => {
    for (const part of [
      '$',
      '$$\n',
      '\\(',
      '\\[\n',
      '\\[',
      '$x ',
      '\\( x_{',
      '$$x\n',
      '$\\$',
      '<summary>',
      '<details>\n',
      '[^1]',
    ]) {
      const begin = performance.now();
      parse(part.repeat(Math.ceil(100_000 / part.length)));
      const cost = performance.now() - begin;
      // A quadratic search takes minutes. The machine may be busy.
      assert.ok(cost < 10_000, `${JSON.stringify(part)}: ${cost} ms`);
    }
  });

  it('makes a long tight list loose as a whole after a blank line', () => {
    const text = `${'- item\n'.repeat(400)}\n- last\n`;
    assert.deepEqual(stream(cut(text, [11])).plain(), oneShot(text));
  });

  it('appends to an open fence line by line, without repeating it', () => {
    const blocks = new BlockStream();
    blocks.append('Look:\n\n```ts\nlet a;\nlet');
    assert.deepEqual(
      blocks.flush().map((step) => (step.op === 'add' ? step.block.kind : step)),
      [{ op: 'keep', count: 0 }, 'tokens', 'fence', { op: 'code', text: 'let a;\n' }],
    );
    blocks.append(' b;\n``');
    assert.deepEqual(blocks.flush(), [{ op: 'code', text: 'let b;\n' }]);
    blocks.append('`\n');
    assert.deepEqual(blocks.flush(), [{ op: 'close' }]);
    blocks.append('After');
    assert.deepEqual(
      blocks.flush().map((step) => (step.op === 'add' ? step.block.kind : step)),
      [{ op: 'keep', count: 2 }, 'tokens'],
    );
  });

  it('closes a fence that the answer left open', () => {
    const page = stream(['```py\nprint(', '1)']);
    assert.deepEqual(page.shown, [{ block: { kind: 'fence', info: 'py' }, code: 'print(1)', isClosed: true }]);
  });

  it('shows a paragraph before its line is complete, but a fence only with its complete language', () => {
    const blocks = new BlockStream();
    const page = new Page();
    blocks.append('Some te');
    page.apply(blocks.flush());
    assert.deepEqual(page.plain(), oneShot('Some te'));
    blocks.append('xt\n```type');
    page.apply(blocks.flush());
    assert.deepEqual(page.plain(), oneShot('Some text\n'));
  });

  it('reports a block as final when it will not change, so that its code is colored once', () => {
    const blocks = new BlockStream();
    const page = new Page();
    const isFinal = (): unknown[] => page.shown.map(({ block }) => block.kind === 'tokens' && block.isFinal);
    blocks.append('- a\n  ```ts\n  let b;\n  ```\n');
    page.apply(blocks.flush());
    assert.deepEqual(isFinal(), [false]);
    blocks.append('\nText\n');
    page.apply(blocks.flush());
    assert.deepEqual(isFinal(), [true, false]);
    page.apply(blocks.end());
    assert.deepEqual(isFinal(), [true, false], 'text without code need not come again');
  });

  it('does not add a block again if its text is unchanged', () => {
    const blocks = new BlockStream();
    blocks.append('Some text.\n\nMore');
    blocks.flush();
    blocks.append(' text');
    assert.deepEqual(
      blocks.flush().map((step) => (step.op === 'keep' ? step.count : step.op)),
      [1, 'add'],
    );
  });

  it('shows a document in a fence with its own fences as one block', () => {
    const inside = '# Use\n```sh\nnpm i\n```\n\n~~~\n```\nnot a fence of the document\n```\n~~~\n';
    for (const [open, close] of [
      ['```md', '```'],
      ['````markdown title="README.md"', '````'],
    ]) {
      const code = open === '```md' ? '# Use\n```sh\nnpm i\n```\n' : inside;
      const text = `Here:\n\n${open}\n${code}${close}\n\nDone.`;
      for (const sizes of [[1], [7], [text.length]]) {
        const blocks = stream(cut(text, sizes)).shown.map(({ block, code: shown }) => [block.kind, shown]);
        assert.deepEqual(blocks, [
          ['tokens', ''],
          ['fence', code],
          ['tokens', ''],
        ]);
      }
    }
  });

  it('reads a document without an end of its own as CommonMark does', () => {
    const text = '```md\n```sh\nnpm i\n```\n\nDone.';
    for (const sizes of [[1], [7], [text.length]]) {
      const blocks = stream(cut(text, sizes)).shown.map(({ code }) => code);
      assert.deepEqual(blocks, ['```sh\nnpm i\n', '']);
    }
  });

  it('resolves links whose definition comes later', () => {
    const text = 'See [the guide].\n\nMore.\n\n[the guide]: https://example.com/g\n';
    assert.deepEqual(stream(cut(text, [9])).plain(), oneShot(text));
    assert.ok(JSON.stringify(oneShot(text)).includes('link_open'));
  });
});
