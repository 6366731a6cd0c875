import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt, { type Token } from 'markdown-it';
import { inertMarkdown } from '../../../src/session/conversation/inertMarkdown.ts';
import { processorMs } from '../../tools/processorTime.ts';

const reader = new MarkdownIt({ html: true, linkify: true });
const allIn = (tokens: readonly Token[]): readonly Token[] =>
  tokens.flatMap((token) => [token, ...allIn(token.children ?? [])]);
/** HTML and images that a viewer would render. */
const live = (markdown: string): readonly string[] =>
  allIn(reader.parse(markdown, {}))
    .filter(({ type }) => ['html_block', 'html_inline', 'image'].includes(type))
    .map(({ type }) => type);
const drawn = (markdown: string): string => reader.render(markdown);

describe('session: Markdown that fetches nothing', () => {
  for (const [what, markdown, inert] of [
    ['words, headings and lists stay', '# A *b*\n\n1. c\n   - d > e', '# A *b*\n\n1. c\n   - d > e'],
    ['a picture is a link', 'See ![a](https://b.example "c").', 'See [image: a](https://b.example "c").'],
    ['so is one by reference', '![a][b]\n\n[b]: https://b.example', '[image: a][b]\n\n[b]: https://b.example'],
    ['an escaped one stays', '\\![a](b) \\\\![c](d)', '\\![a](b) \\\\[image: c](d)'],
    ['one after an exclamation is one', '!![a](b)', '&#33;[image: a](b)'],
    ['HTML is text', '<img src=x> \\<b> \\\\<i>', '&lt;img src=x> &lt;b> \\\\&lt;i>'],
    ['an address in brackets is text', '<https://a.example>', '&lt;https://a.example>'],
    ['mathematics is text', '$`<b>`$ costs $5', '\\$`<b>`\\$ costs \\$5'],
    ['code in a line stays', 'A `Map<K, V>` and ``<a> ` ![b](c)``.', 'A `Map<K, V>` and ``<a> ` ![b](c)``.'],
    ['a cell of a table too', '| `a<b>` | <i> |', '| `a<b>` | &lt;i> |'],
    ['code that a table would part is text', '| `a | <b>` |', '| `a | &lt;b>` |'],
    ['code over two lines is text', 'a ` b\nc ` <img src=x> ` d', 'a ` b\nc ` &lt;img src=x> ` d'],
    ['until the block ends', 'a ` b\n\n`<c>`', 'a ` b\n\n`<c>`'],
    ['code in an address is text', 'https://a.example/`<img src=x>`', 'https://a.example/`&lt;img src=x>`'],
    ['code that a reader is told to draw is text', '`<img src=x>`{=html}', '`&lt;img src=x>`{=html}'],
    ['a block of code stays', '```ts\na<b>();\n```\n<c>', '```ts\na<b>();\n```\n&lt;c>'],
    ['an order to draw it goes', '```{=html}\n<img>\n```', '```html\n<img>\n```'],
    ['one in a list begins at the line', '- a\n  ```\n  <b>\n c\n  ```', '- a\n```\n<b>\nc\n```'],
    ['with the mark of the list before it', '1. ~~~js\n   <a>\n   ~~~', '1.\n```js\n<a>\n```'],
    ['one in a quotation ends with it', '> ```\n> <a>\n<b>', '>\n```\n<a>\n```\n&lt;b>'],
    ['one that is open is closed', '```\n<a>\n``', '```\n<a>\n``\n```'],
    ['one may hold shorter ones', '````\n```\n<a>\n````', '````\n```\n<a>\n````'],
  ] as const) {
    it(what, () => {
      assert.equal(inertMarkdown(markdown), inert);
      assert.deepEqual(live(inert), []);
    });
  }

  it('renders as before if it was inert already', () => {
    const plain =
      '# A\n\nWords *and* `code<b>` **there**:\n\n- one\n- two `![x](y)`\n\n```ts\na < b;\n```\n\n[l](https://a.example)\n';
    assert.equal(drawn(inertMarkdown(plain)), drawn(plain));
  });

  it('takes little time for long runs of what Markdown consists of', () => {
    for (const piece of ['\\', '!', '`` ` ', '|`a`', 'a`', '![', '> ', '`\n']) {
      for (const end of ['', '`', '[', '\nx']) {
        const text = piece.repeat(Math.ceil(100_000 / piece.length)) + end;
        const from = processorMs();
        inertMarkdown(text);
        const ms = processorMs() - from;
        assert.ok(ms < 1_000, `${ms} ms for ${piece}`);
      }
    }
    assert.equal(inertMarkdown('!!\\![a](b) !\\\\!![c]'), '!!\\![a](b) !\\\\&#33;[image: c]');
  });

  it('contains no image and no HTML, for any input', () => {
    const piece = fc.constantFrom(
      ...[
        '<img src=x>',
        '<b>',
        '</b>',
        '<!-- ',
        '-->',
        '<div>',
        '![a](b)',
        '![r]',
        '[r]: c',
        '!',
        '[',
        ']',
        '(b)',
        '<',
      ],
      ...[
        '`',
        '``',
        '```',
        '~~~',
        '\\',
        '$',
        '$$',
        '|',
        '|-|',
        '\n',
        '\n\n',
        '\r',
        '\t',
        ' ',
        '    ',
        '> ',
        '- ',
        '1. ',
      ],
      ...['# ', '===', '---', 'a', 'https://a.example', 'www.a.example', '{=html}', '&lt;', '"', '*'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const markdown = pieces.join('');
        const inert = inertMarkdown(markdown);
        assert.deepEqual(live(inert), [], JSON.stringify(inert));
        // As in an export.
        assert.deepEqual(
          live(
            inert
              .split('\n')
              .map((line) => `> ${line}`.trimEnd())
              .join('\n'),
          ),
          [],
          JSON.stringify(inert),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it('takes a code block of hundreds of thousands of lines', () => {
    const block = ['```', ...Array.from({ length: 300_000 }, (_, line) => `${line}`), '```'].join('\n');
    assert.equal(inertMarkdown(block), block);
  });
});
