import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import MarkdownIt from 'markdown-it';
import { parse, type Token } from '../../src/webview/markdown/parser.ts';
import { cut, oneShot, stream } from '../unit/webview/streamed.ts';

interface Example {
  readonly markdown: string;
  readonly section: string;
  readonly number: number;
}

describe('The examples of CommonMark', () => {
  let examples: readonly Example[] = [];

  before(() => {
    const { tests }: { readonly tests: readonly Example[] } = createRequire(import.meta.url)('commonmark-spec');
    examples = tests.map((example) => ({ ...example, markdown: example.markdown.replaceAll('\u2192', '\t') }));
    assert.equal(examples.length, 652);
  });

  it('are read as markdown-it reads them, without what models write besides CommonMark', () => {
    const plain = new MarkdownIt({ html: false, linkify: true });
    plain.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
    const shown = ({ type, tag, attrs, content, info, hidden, children }: Token): unknown =>
      type === 'inline' ? children?.map(shown) : { type, tag, attrs, content, info, hidden };
    for (const { markdown, section, number } of examples)
      assert.deepEqual(
        parse(markdown).tokens.map(shown),
        plain.parse(markdown, {}).map(shown),
        `example ${number} (${section})`,
      );
  });

  for (const growFrom of [undefined, 0])
    it(`end with the blocks of a one-shot parse${growFrom === 0 ? ', even if every list is split' : ''}`, () => {
      for (const { markdown, section, number } of examples) {
        for (const size of [1, 2, 3, 7, 20]) {
          const page = stream(cut(markdown, [size]), growFrom);
          assert.deepEqual(page.plain(), oneShot(markdown), `example ${number} (${section}), pieces of ${size}`);
        }
      }
    });
});
