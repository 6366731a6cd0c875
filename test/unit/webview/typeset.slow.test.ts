import assert from 'node:assert/strict';
import fc from 'fast-check';
import { emOf } from '../../../src/webview/markdown/math/allowed.ts';
import type { MathTree } from '../../../src/webview/markdown/math/mathTree.ts';
import { typeset } from '../../../src/webview/markdown/math/typeset.ts';

/** The only elements, attributes and properties that may be in the page, written here again. */
const elements =
  /^(?:math|mrow|mi|mn|mo|mtext|mspace|mfrac|msqrt|mroot|mstyle|mpadded|mphantom|m(?:sub|sup|subsup|under|over|underover)|mmultiscripts|mprescripts|none|mtable|mtr|mtd)$/;
const words =
  /^(?:class|displaystyle|scriptlevel|mathvariant|stretchy|symmetric|fence|separator|largeop|movablelimits|accent|accentunder|form)$/;
const lengths =
  /^(?:mathsize|width|height|depth|lspace|rspace|voffset|minsize|maxsize|linethickness|margin-left|padding(?:-left|-right|-top|-bottom)?)$/;
const other: Readonly<Record<string, RegExp>> = {
  width: /^(?:50|100)%$/,
  'text-align': /^left$/,
  'font-weight': /^bold$/,
  'border-top': /^0\.\d\dem (?:solid|dashed|double)$/,
  'border-bottom': /^0\.\d\dem (?:solid|dashed|double)$/,
  'border-left': /^0\.\d\dem (?:solid|dashed|double)$/,
  'border-right': /^0\.\d\dem (?:solid|dashed|double)$/,
};

/** Fails if the tree has anything that could load, link, move or cover something. */
function assertSafe(tree: MathTree | undefined, depth = 0): void {
  if (tree === undefined) return;
  assert.ok(depth <= 101);
  if (typeof tree === 'string') {
    assert.doesNotMatch(tree, /[\u202a-\u202e\u2066-\u2069]/);
    return;
  }
  assert.match(tree.tag, elements);
  for (const [name, value] of Object.entries({ ...tree.attributes, ...tree.style })) {
    const isLength = lengths.test(name) && value.split(' ').every((one) => emOf(one) >= 0 && emOf(one) <= 20);
    const isWord = words.test(name) && /^[a-z0-9 -]+$/.test(value);
    assert.ok(isLength || isWord || other[name]?.test(value), `${tree.tag} ${name}=${value}`);
  }
  for (const child of tree.children) assertSafe(child, depth + 1);
}

function textOf(tree: MathTree | undefined): string {
  if (tree === undefined) return '';
  return typeof tree === 'string' ? tree : tree.children.map(textOf).join('');
}

/** Formulas that try to leave their place, or to take all of the time. */
const attacks = [
  ...[
    '\\hspace{-500em}x',
    '\\kern-3em x',
    'a\\!\\!\\!b',
    '\\llap{abc}x',
    '\\mathllap{x}',
    '\\mathclap{abc}',
    '\\rlap{x}y',
  ],
  ...[
    '\\rule{100000em}{100000em}',
    '\\rule[-9em]{1em}{1em}',
    '\\raisebox{-300em}{x}',
    '\\raisebox{300em}{x}',
    '\\smash{x}',
  ],
  ...['\\colorbox{red}{x}', '\\fcolorbox{red}{blue}{x}', '\\color{#181818}x', '\\textcolor{white}{x}', '\\boxed{x}'],
  ...[
    '\\begin{matrix}a\\\\[5000em]b\\end{matrix}',
    '\\Huge{\\Huge{\\Huge x}}',
    '\\mathchoice{a}{b}{c}{d}',
    '\\reflectbox{x}',
  ],
  ...['\\begin{array}{@{\\hspace{99em}}c}a\\end{array}', '\\xrightarrow[\\hspace{900em}]{a}', '\\sideset{_a}{^b}\\sum'],
  ...[
    '\\cancelto{a}{b}',
    '\\longdiv{x}',
    '\\phase{x}',
    '\\overbrace{x}',
    '\\tag{1} x',
    '\\begin{align}a\\\\b\\end{align}',
  ],
  ...[
    '\\text{\u202eabc}',
    '\\char"202E',
    '\\unicode{x202E}',
    '\\genfrac(]{900em}{0}{a}{b}',
    '\\above 500em',
    'a\\above500em b',
  ],
];

/** What shows its source. */
const refused = [
  ...[
    '\\ref{a}',
    '\\eqref{a}',
    'x + \\ref{a}',
    '\\href{https://a.b}{x}',
    '\\url{https://a.b}',
    '\\includegraphics{https://a.b/c.png}',
  ],
  ...[
    '\\htmlClass{a}{b}',
    '\\class{a}{b}',
    '\\id{a}{b}',
    '\\style{position:fixed}{x}',
    '\\data{a=b}{c}',
    '\\htmlStyle{a}{b}',
  ],
  ...[
    '\\def\\a{\\a}\\a',
    '\\newcommand{\\a}{\\a\\a}\\a',
    '\\let\\a\\b',
    '\\gdef\\a#1{#1#1}\\a{\\a{x}}',
    '\\xdef\\a{}',
    '\\global\\let\\a\\b',
  ],
  ...[
    '\\unknown',
    '{',
    '}',
    '\\frac{1',
    '\\left( x',
    '\\begin{array}',
    '\\end{x}',
    '^',
    '_',
    '&',
    '\\texttip{a}{b}',
    '\\toggle{a}\\endtoggle',
  ],
  ...[
    `${'{'.repeat(2000)}x${'}'.repeat(2000)}`,
    `${'\\sqrt'.repeat(1500)}x`,
    `x${'^{x'.repeat(500)}${'}'.repeat(500)}`,
  ],
  ...[`${'\\left('.repeat(200)}x${'\\right)'.repeat(200)}`, 'x'.repeat(8193), '\\hspace{20em}'.repeat(100)],
];

describe('webview/markdown/math', () => {
  for (const tex of attacks)
    it(`keeps ${tex} in its place`, () => {
      for (const isDisplay of [true, false]) assertSafe(typeset(tex, isDisplay));
    });

  for (const tex of refused)
    it(`shows the source of ${tex.length > 60 ? `${tex.slice(0, 60)}…` : tex}`, () => {
      assert.equal(typeset(tex, true), undefined);
      assert.equal(typeset(tex, false), undefined);
    });

  for (const [tex, text] of [
    ['x^2 + 1', 'x2+1'],
    ['\\frac{a}{b}', 'ab'],
    ['\\sum_{i=1}^n i', '∑i=1ni'],
    ['\\mathbb{R} \\ni \\alpha', 'ℝ∋α'],
    ['\\text{if } x \\ne 0', 'if\u00a0x≠0'],
    ['\\begin{cases}a & x>0\\\\ b\\end{cases}', '{ax>0b'],
    ['\\cancel{x} \\llap{y}', 'xy'],
    ['\\color{red} x', 'x'],
  ] as const)
    it(`reads ${tex}`, () => {
      const tree = typeset(tex, true);
      assertSafe(tree);
      assert.equal(textOf(tree), text);
    });

  it('keeps what belongs to a formula: brackets, cells, lines, spaces', () => {
    const tree = JSON.stringify(
      typeset('\\left(\\begin{array}{l|r}a&b\\\\\\hline c&d\\end{array}\\right)\\quad\\binom{n}{k}', true),
    );
    for (const part of [
      '"stretchy":"true"',
      '"border-bottom":"0.06em solid"',
      '"class":"tml-left"',
      '"width":"1em"',
      '"linethickness":"0px"',
    ])
      assert.ok(tree.includes(part), part);
  });

  it('changes no global, and remembers no part of the formula before', () => {
    const before = Object.getOwnPropertyNames(globalThis);
    typeset('\\gdef\\foo{x}', true);
    assert.equal(typeset('\\foo', true), undefined);
    for (let time = 0; time < 2; time += 1) assert.ok(typeset('\\label{a} x \\tag{1}', true) !== undefined);
    assert.deepEqual(Object.getOwnPropertyNames(globalThis), before);
    assert.equal(Reflect.get({}, 'foo'), undefined);
  });

  it('is safe and ends soon for any commands in any order', () => {
    const part = fc.oneof(
      fc.constantFrom(...attacks, ...refused.filter((tex) => tex.length < 60)),
      fc.constantFrom(
        ...[
          '{',
          '}',
          '^',
          '_',
          '&',
          '\\\\',
          '$',
          '#1',
          '%',
          '~',
          "'",
          '\\',
          ' ',
          '\n',
          'x',
          '1',
          '.',
          ',',
          '[',
          ']',
          '(',
          '|',
        ],
        ...[
          '\\left',
          '\\right',
          '\\middle|',
          '\\frac',
          '\\sqrt[3]',
          '\\text{',
          '\\hbox{',
          '\\mathrm{',
          '\\operatorname{',
          '\\mathbb',
        ],
        ...[
          '\\begin{matrix}',
          '\\end{matrix}',
          '\\begin{aligned}',
          '\\end{aligned}',
          '\\begin{CD}',
          '\\end{CD}',
          '@>>>',
          '\\hline',
        ],
        ...[
          '\\hspace{',
          '\\kern',
          '\\mkern',
          '\\rule{',
          '\\raisebox{',
          '-500em',
          '20em',
          '99999999pt',
          '1e9em',
          '.5mu',
          '+3em',
          '\\limits',
        ],
        ...[
          '\\overset',
          '\\underbrace',
          '\\stackrel',
          '\\prescript',
          '\\tag{',
          '\\label{a}',
          '\\not',
          '\\ce{',
          '\\pu{',
          '\\verb|x|',
        ],
        ...[
          '\\color{',
          '\\bigl',
          '\\Bigg(',
          '\\substack{',
          '\\cfrac',
          '\\vec',
          '\\widehat{',
          '\\mathop',
          '\\char"41',
          '\\u0041',
          '价',
          '🙂',
        ],
        ...[
          '\\vcenter{',
          '\\phantom{',
          '\\mathstrut',
          '\\displaystyle',
          '\\scriptscriptstyle',
          '\\tiny',
          '\\Huge',
          '\\bordermatrix{',
        ],
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    );
    const tex = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''));
    let shown = 0;
    fc.assert(
      fc.property(tex, fc.integer({ min: 1, max: 40 }), fc.boolean(), (source, times, isDisplay) => {
        const begin = performance.now();
        const tree = typeset(source.repeat(times), isDisplay);
        assertSafe(tree);
        if (tree !== undefined) shown += 1;
        const cost = performance.now() - begin;
        assert.ok(cost < 5_000, `${cost} ms`);
      }),
      { numRuns: Number(process.env.RUNS ?? 2_000) },
    );
    assert.ok(shown > 0);
  });

  it('takes a bounded time for 8 KB of any one command', () => {
    for (const part of [
      '\\frac',
      '\\sqrt ',
      '^',
      "'",
      '\\left(',
      '\\tag{1}',
      '\\begin{matrix}',
      '\\\\',
      '&',
      '\\text{a}',
      '\\not',
      '{x}',
      '\\bra{x}',
      '\\pmod{x}',
      '\\operatorname*{a}',
      '\\mathchoice{a}{b}{c}{d}',
      '\\ce{H2O}',
      '\\underset{x}{y}',
      '\\dots',
      '\\cancel{x}',
      '\\prescript{a}{b}{c}',
    ]) {
      const begin = performance.now();
      assertSafe(typeset(part.repeat(Math.floor(8192 / part.length)), true));
      const cost = performance.now() - begin;
      assert.ok(cost < 5_000, `${part}: ${cost} ms`);
    }
  });
});
