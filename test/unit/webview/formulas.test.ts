import assert from 'node:assert/strict';
import { parse, type Token } from '../../../src/webview/markdown/parser.ts';
import { toTree } from '../../../src/webview/markdown/tree.ts';

function inlineTokens(markdown: string): readonly Token[] {
  return parse(markdown).tokens.flatMap(({ children }) => children ?? []);
}

/** The TeX of the formulas of a text. */
function formulasOf(markdown: string): readonly string[] {
  return inlineTokens(markdown)
    .filter(({ type }) => type === 'formula')
    .map(({ content }) => content);
}

/** What a text shows, with formulas as they were written. */
function shown(markdown: string): string {
  return inlineTokens(markdown)
    .map(({ type, content, info }) => (type === 'formula' ? info : type === 'softbreak' ? '\n' : content))
    .join('');
}

/** Texts with formulas, as models write them, and the TeX of these. */
const formulas: readonly (readonly [text: string, ...formulas: readonly string[]])[] = [
  ['The area is $x^2$.', 'x^2'],
  ['Let $n$ be even.', 'n'],
  ['$a$, $b$ and $c$', 'a', 'b', 'c'],
  ['($x$) "$y$" \'$z$\' [$w$]', 'x', 'y', 'z', 'w'],
  ['the $i$th element, the $n$-th, and $k$s', 'i', 'n', 'k'],
  ['It is $5$ or $10$.', '5', '10'],
  ['$E = mgh$ and $PV = nRT$', 'E = mgh', 'PV = nRT'],
  ['The quadrilateral $ABCD$', 'ABCD'],
  ['$ab + cd$ is $f(x) dx$', 'ab + cd', 'f(x) dx'],
  ['$x < y$, $x > y$, $|x|$', 'x < y', 'x > y', '|x|'],
  ['$\\alpha$-decay, **$\\beta$**, *$\\gamma$*', '\\alpha', '\\beta', '\\gamma'],
  ['$a*b*c$ and $a_1 + a_2$', 'a*b*c', 'a_1 + a_2'],
  [
    '$\\text{speed} = \\frac{\\text{the way}}{\\text{of time}}$',
    '\\text{speed} = \\frac{\\text{the way}}{\\text{of time}}',
  ],
  ['costs \\$5 for $x$ of \\$10', 'x'],
  ['$5 for $x$ and $y$', 'x', 'y'],
  ['$\\$5 \\cdot n$', '\\$5 \\cdot n'],
  ['$x$\n$y$', 'x', 'y'],
  ['$a +\nb$', 'a +\nb'],
  ['设$x$为正，则$y=2$。', 'x', 'y=2'],
  ['$速度 = 距离/时间$', '速度 = 距离/时间'],
  ['$αβ + γδ$', 'αβ + γδ'],
  ['\\(x\\) and \\( n = 10 \\)', 'x', 'n = 10'],
  ['\\(5\\) apples for \\(AB\\)', '5', 'AB'],
  ['\\(f(x)\\), \\(\\{1, 2\\}\\), \\(|x|\\)', 'f(x)', '\\{1, 2\\}', '|x|'],
  ['so \\[E = mc^2\\] holds', 'E = mc^2'],
  ['\\[ f(x) \\]', 'f(x)'],
  ['\\[\nx\n= y\n\\]', 'x\n= y'],
  ['\\[\na\n\n+ b = c\n\\]', 'a\n\n+ b = c'],
  ['Then:\n\\[\na_1\n- b\n\\]\nholds.', 'a_1\n- b'],
  ['$$x$$', 'x'],
  ['$$ E = mc^2 $$', 'E = mc^2'],
  ['then $$x^2$$ follows', 'x^2'],
  ['Text\n$$\na\n+ b\n$$\nmore', 'a\n+ b'],
  ['$$\n# a\n> b\n1. c\n- d\n===\n$$', '# a\n> b\n1. c\n- d\n==='],
  [
    '$$\n\\begin{aligned}\na &= b \\\\\n &= c\n\\end{aligned}\n$$',
    '\\begin{aligned}\na &= b \\\\\n &= c\n\\end{aligned}',
  ],
  ['$$x^2$$.', 'x^2'],
  ['- one:\n  $$\n  x\n  - y\n  $$\n- two', 'x\n- y'],
  ['1. one\n\n   \\[\n   x = 1\n   \\]\n2. two', 'x = 1'],
  ['- \\(x\\)\n- $y$', 'x', 'y'],
  ['> $$\n> x\n> + y\n> $$', 'x\n+ y'],
  ['> so \\(q\\)', 'q'],
  ['| $a$ | \\(b\\) |\n|---|---|\n| $c_1$ | $$d$$ |', 'a', 'b', 'c_1', 'd'],
  ['# The $x$ axis', 'x'],
  ['$a \\\\ b$ and \\(a \\\\ b\\)', 'a \\\\ b', 'a \\\\ b'],
  ['\\\\$x$', 'x'],
];

/** Texts without formulas, and what they show where that is not the text itself. */
const texts: readonly (readonly [text: string, shown?: string])[] = [
  ['costs $5 and $10'],
  ['$5'],
  ['$20,000 and USD$30,000'],
  ['US$5 or A$7, 5$ and 6$'],
  ['between $5-$10 and $1k–$2k'],
  ['$5/month, $10/year'],
  ['It is $5, you pay 10$ more.'],
  ['from $1k to 2k$.'],
  ['kostet $5 und 10$ mehr'],
  ['стоит $5 или 6$'],
  ['价格$5和另外6$'],
  ['$5\nand 10$'],
  ['**costs $5** and **10$**', 'costs $5 and 10$'],
  ['a $ b $ c'],
  ['$ x $'],
  ['$HOME/$USER'],
  ['$HOME and $PATH:$HOME/bin'],
  ['$HOME$PATH $1$2 $a$b'],
  ['$MY_VAR/$OTHER_VAR'],
  ['\u0024{a} and \u0024{b}/\u0024{c}'],
  ['\u0024{name}$ and \u0024{price}$'],
  ['$(pwd)$(date)'],
  ["$('#a').val($b)"],
  ["$('#a') and $('#b')"],
  ['$a->b($c)'],
  ['$a = $b; $c'],
  ['$price = 5; echo $price;'],
  ['$name$ and $user.name$'],
  ['kill $$ and echo $$'],
  ['^a$|^b$ and (foo)$|(bar)$'],
  ['in C:\\temp $5 and in C:\\other 10$'],
  ['$5 in C:\\temp and the other 10$'],
  ['\\$x\\$', '$x$'],
  ['\\$5 and \\$10', '$5 and $10'],
  ['`$x$` and `\\(x\\)`', '$x$ and \\(x\\)'],
  ['$5 `a$` now', '$5 a$ now'],
  ['the start of code: `$x$'],
  ['$$'],
  ['$$$$'],
  ['$$ $$'],
  ['\\( \\)', '( )'],
  ['\\(\\)', '()'],
  ['\\[\\]', '[]'],
  ['\\[\\\\\\]', '[\\]'],
  ['\\(see below\\)', '(see below)'],
  ['\\( and \\)', '( and )'],
  ['\\[1\\] and \\[note\\]', '[1] and [note]'],
  ['- \\[ \\] task', '[ ] task'],
  ['\\[x\\] task', '[x] task'],
  ['\\[link](https://a.b)', '[link](https://a.b)'],
  ['\\[link\\](https://a.b/?c=d)', '[link](https://a.b/?c=d)'],
  ['\\[not a link\\](x)', '[not a link](x)'],
  ['a \\) b \\] c', 'a ) b ] c'],
  ['[a $x$](https://a.b)', 'a $x$'],
  ['    $x^2$\n'],
  // A formula without an end stays as it was written, with its backslashes.
  ['so \\(x + \\frac{1}{2}'],
  ['\\[\n\\frac{a}{b}\n- c'],
  ['$$\n\\alpha \\{ x'],
  ['so $$x^2'],
];

describe('webview/markdown/syntax', () => {
  for (const [text, ...expected] of formulas)
    it(`finds the formulas of ${JSON.stringify(text)}`, () => assert.deepEqual(formulasOf(text), expected));

  for (const [text, expected = text] of texts)
    it(`finds no formula in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(formulasOf(text), []);
      if (!text.startsWith('    ')) assert.equal(shown(text), expected);
    });

  it('has no formula of more than 8 KB, and none over code', () => {
    assert.deepEqual(formulasOf(`$${'x+'.repeat(4096)}x$`), []);
    assert.deepEqual(formulasOf(`$$\n${'x+\n'.repeat(4096)}x\n$$`), []);
    assert.equal(formulasOf(`$${'x+'.repeat(4000)}x$`).length, 1);
    assert.deepEqual(formulasOf('$$\n```\n$$\n```\n'), []);
    assert.deepEqual(formulasOf('\\[\na\n```\nb = 1\n\\]\n```\n'), []);
  });

  it('puts a mark of punctuation after a display formula beside it', () => {
    assert.deepEqual(toTree(parse('$$x^2$$.').tokens), [
      { tag: 'p', children: [{ tag: 'formula', written: '$$x^2$$.', tex: 'x^2', isDisplay: true, after: '.' }] },
    ]);
  });

  it('has emphasis beside Chinese, Japanese and Korean punctuation', () => {
    const strong = (text: string): string[] =>
      inlineTokens(text).flatMap(({ type }, at, all) => (type === 'strong_open' ? [all[at + 1]?.content ?? ''] : []));
    assert.deepEqual(strong('**注意：**内容'), ['注意：']);
    assert.deepEqual(strong('これは**「重要」**です。'), ['「重要」']);
    assert.deepEqual(strong('이것은 **중요(重要)**입니다'), ['중요(重要)']);
    assert.deepEqual(strong('a**b**c and 2**3**4'), ['b', '3']);
  });

  it('shows footnotes where they are written, and their labels', () => {
    const mark = { tag: 'sup', children: ['[1]'] };
    assert.deepEqual(toTree(parse('One[^1].\n\n[^1]: A note.\n').tokens), [
      { tag: 'p', children: ['One', mark, '.'] },
      {
        tag: 'div',
        isFootnote: true,
        children: [mark, { tag: 'div', children: [{ tag: 'p', children: ['A note.'] }] }],
      },
    ]);
    assert.equal(shown('[^a-z] is no footnote'), '[^a-z] is no footnote');
    assert.equal(shown('^[inline] is none'), '^[inline] is none');
  });

  it('shows the summary and the content of details, and breaks lines', () => {
    const strong = (...children: readonly unknown[]) => ({ tag: 'strong', children });
    const text = '<details open>\n<summary><b>Why</b> `x`?</summary>\n\nBecause.\n\n</details>\n';
    assert.deepEqual(toTree(parse(text).tokens), [
      { tag: 'p', children: [strong('Why ', { tag: 'code', children: ['x'] }, '?')] },
      { tag: 'p', children: ['Because.'] },
      { tag: 'p', children: [] },
    ]);
    assert.deepEqual(toTree(parse('<details><summary>T</summary>text</details>').tokens), [
      { tag: 'p', children: [strong('T'), { tag: 'br', children: [] }, 'text'] },
    ]);
    assert.deepEqual(toTree(parse('a<br/>b').tokens), [
      { tag: 'p', children: ['a', { tag: 'br', children: [] }, 'b'] },
    ]);
  });

  for (const text of ['the <details> element', 'a <summary>', '<summary>', '<br x>', '<script>x</script>', '<details'])
    it(`leaves ${text} as text`, () => assert.equal(shown(text), text));
});
