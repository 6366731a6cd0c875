import assert from 'node:assert/strict';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { readAnswer } from '../../../src/edits/reading/answer.ts';
import { blocksIn } from '../../../src/session/prompts/fences.ts';
import { fenceFor } from '../../../src/util/text/fence.ts';

const judge = new MarkdownIt('commonmark');

const mark = fc
  .tuple(fc.constantFrom('`', '~'), fc.integer({ min: 2, max: 5 }))
  .map(([one, length]) => one.repeat(length));
const fence = fc
  .tuple(fc.nat(5), mark, fc.constantFrom('', '', ' ', 'ts', ' md', 'sh a`b'))
  .map(([indent, fenced, info]) => ' '.repeat(indent) + fenced + info);
const line = fc.oneof(fence, fc.constantFrom('a', '', 'b();', '  c', '    d', '`e`'));
const text = fc.array(line, { maxLength: 14 }).map((lines) => lines.join('\n'));

/**
 * Whether our blocks must equal those of CommonMark. False if a fence is indented so far that CommonMark accepts it
 * only in a list.
 */
function isComparable(markdown: string): boolean {
  const fences = judge.parse(markdown, {}).filter(({ type }) => type === 'fence');
  const isInside = (at: number): boolean => fences.some(({ map }) => map !== null && at >= map[0] && at < map[1]);
  return markdown.split('\n').every((one, at) => isInside(at) || !/^ {4,}(`{3}|~{3})/.test(one));
}

/** The blocks of any text are those that a CommonMark implementation finds. */
export const asCommonMark = fc.property(text, (markdown) => {
  fc.pre(isComparable(markdown));
  const theirs = judge
    .parse(markdown, {})
    .filter(({ type }) => type === 'fence')
    .map(({ info, content }) => ({ info: info.trim(), code: content.trimEnd() }));
  assert.deepEqual(
    blocksIn(markdown).map(({ info, code }) => ({ info, code: code.trimEnd() })),
    theirs,
    JSON.stringify(markdown),
  );
});

const code = fc
  .array(fc.oneof(fc.constantFrom('a();', '# b', '', '  c', '"""'), fence), { minLength: 1, maxLength: 10 })
  .map((lines) => `x\n${lines.join('\n')}\ny\n`);

/** Code in a fence longer than its own is extracted completely; in a shorter one, completely or not at all. */
export const asMeant = fc.property(code, fc.boolean(), fc.constantFrom('', 'md', 'ts'), (inside, isLonger, info) => {
  const around = isLonger ? fenceFor(inside) : '```';
  const { blocks, isOpen, others } = readAnswer(`${around}${info}\n${inside}${around}\n`);
  const codes = blocks.map(({ lines }) => `${lines.join('\n')}\n`);
  if (isLonger) assert.deepEqual([isOpen, codes], [false, [inside]]);
  else if (!isOpen && others.length === 0 && codes.length === 1 && codes[0] !== inside) {
    // CommonMark's own reading, if nothing in the text suggests another one.
    assert.equal(blocksIn(inside).length, 0, JSON.stringify([inside, codes]));
  }
});
