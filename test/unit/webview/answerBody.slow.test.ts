import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AnswerBody } from '../../../src/webview/markdown/answerBody.ts';
import { highlight } from '../../../src/webview/markdown/highlight/highlight.ts';
import { inSlices } from '../../../src/webview/markdown/math/slices.ts';
import { nearSight } from '../../../src/webview/markdown/nearSight.ts';
import { samples } from './samples.ts';
import { shown, smallDom } from './smallDom.ts';

const codeStrings = {
  insertCode: 'Insert',
  newFile: 'New File',
  applyCode: 'Apply',
  codeUnfinished: 'Unfinished',
  codeCut: 'Cut',
  showAllLines: 'Show {0}',
  showFewerLines: 'Fewer',
};
const nothing = () => {};
const actions = {
  ...{
    copy: async () => {},
    openLink: nothing,
    copyLabel: 'Copy',
    copiedLabel: 'Copied',
    use: nothing,
    onDrawn: nothing,
  },
  codeStrings,
  formulaStrings: { copyFormula: 'Copy Formula', copied: 'Copied' },
  taskStrings: { taskDone: 'Done', taskOpen: 'To do' },
};

const long = {
  'a long list': Array.from({ length: 150 }, (_, at) => `- item **${at}** with [a link](https://a.b/${at})\n`).join(''),
  'a long list with code': Array.from(
    { length: 80 },
    (_, at) => `- item ${at}\n\n  \`\`\`ts\n  let a = ${at};\n  \`\`\`\n`,
  ).join(''),
  'a list that a blank line makes loose': `${'1. item\n'.repeat(200)}\n2. last\n`,
  'a long table': `| a | b |\n|---|--:|\n${Array.from({ length: 200 }, (_, at) => `| ${at} | \`x\` |\n`).join('')}\nend`,
  'many blocks': Array.from({ length: 200 }, (_, at) => `Paragraph ${at}.\n\n`).join(''),
  'more blocks than groups of groups hold, all drawn again at the end': `${'[a] and more.\n\n'.repeat(1100)}[a]: https://example.com/\n`,
  'a link whose definition comes late': `${'[a] and more.\n\n'.repeat(100)}[a]: https://example.com/\n`,
};

describe('webview/markdown/answerBody', () => {
  let frames: (() => void)[] = [];
  const before = new Map<string, PropertyDescriptor | undefined>();
  let onFrame = nothing;
  const requestAnimationFrame = (callback: () => void): void => {
    frames.push(callback);
    onFrame();
  };
  const globals = { ...smallDom, requestAnimationFrame };

  beforeEach(() => {
    frames = [];
    for (const [name, value] of Object.entries(globals)) {
      before.set(name, Object.getOwnPropertyDescriptor(globalThis, name));
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  });

  afterEach(() => {
    for (const [name, descriptor] of before) {
      Reflect.deleteProperty(globalThis, name);
      if (descriptor !== undefined) Object.defineProperty(globalThis, name, descriptor);
    }
  });

  /** Draws a text, either as a whole or in pieces with a frame after each. */
  async function drawn(whole: string, pieces: readonly string[] = []): Promise<unknown> {
    const root = document.createElement('div');
    let text = '';
    const body = new AnswerBody(root, actions);
    for (const piece of pieces) {
      text += piece;
      body.update(text, undefined, false);
      // The clock waits between two flushes by the time of day. Here each piece has its own time.
      await nextFrame();
    }
    body.update(whole, undefined, true);
    // The observer reports what is visible in its order, this one last.
    await nearSight(root);
    // Blocks are colored one after the other, this one last.
    await highlight('a', 'ts');
    // Formulas are typeset in their order, too.
    await import('../../../src/webview/markdown/math/typeset.ts');
    await new Promise<void>((resolve) => inSlices(resolve));
    return shown(root);
  }

  async function nextFrame(): Promise<void> {
    if (frames.length === 0)
      await new Promise<void>((resolve) => {
        onFrame = resolve;
      });
    for (const frame of frames.splice(0)) frame();
  }

  function cut(text: string, size: number): string[] {
    return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
  }

  for (const [name, text] of Object.entries({ ...samples, ...long }))
    it(`ends with the same result as the whole: ${name}`, async () => {
      const expected = await drawn(text);
      for (const size of [Math.ceil(text.length / 40) + 1, Math.ceil(text.length / 7) + 3])
        assert.deepEqual(await drawn(text, cut(text, size)), expected, `pieces of ${size}`);
    });

  it('draws the part of an answer after a tool call without the part before it, although the pieces have both', async () => {
    const root = document.createElement('div');
    const body = new AnswerBody(root, actions);
    const call = { piece: 'Before.', before: { piece: '' } };
    body.update('', call, false);
    await nextFrame();
    const after = { piece: '\n\nAfter', before: call };
    body.update('\n\nAfter', after, false);
    await nextFrame();
    body.update('\n\nAfter it.', { piece: ' it.', before: after }, false);
    await nextFrame();
    const page = JSON.stringify(shown(root));
    assert.ok(page.includes('After it.'), page);
    assert.ok(!page.includes('Before.'), page);
  });

  it('copies a command without its last line ending, which would run it in a terminal', async () => {
    const copied: string[] = [];
    const body = document.createElement('div');
    const copy = async (text: string): Promise<void> => void copied.push(text);
    new AnswerBody(body, { ...actions, copy }).update('```sh\nnpm i\n\nnpm t\n```\n- a\n  ```\n  b\n', undefined, true);
    const press = (parent: Element): void => {
      if (parent instanceof HTMLElement && parent.dataset.testid === 'copy-code') parent.click();
      for (const child of parent.childNodes) if (child instanceof Element) press(child);
    };
    press(body);
    assert.deepEqual(copied, ['npm i\n\nnpm t', 'b']);
  });

  it('shows characters that reorder code, and leaves those of a text that is written from right to left', async () => {
    const text = '\u200fשלום `a\u202eb`\n\n```ts\nif (level !== "user\u202e\u2066// admin\u2069\u2066") {\n```\n';
    for (const pieces of [[], cut(text, 9)]) {
      const page = JSON.stringify(await drawn(text, pieces));
      assert.match(page, /\u200fשלום .*"a\[U\+202E\]b"/);
      assert.match(page, /user\[U\+202E\]\[U\+2066\]\/\/ admin\[U\+2069\]\[U\+2066\]/);
    }
  });

  it('shows formulas as MathML, and as they were written if they cannot be read', async () => {
    const text = 'So $x^2$ costs $5, or \\(\\unknown{x}\\).\n\n\\[\n\\frac{a}{b}\n\\].\n';
    const page = JSON.stringify(await drawn(text));
    assert.equal(page.match(/"tag":"math"/g)?.length, 2);
    assert.equal(page.match(/"ariaLabel":"Copy Formula"/g)?.length, 2);
    for (const source of ['$x^2$', '\\(\\unknown{x}\\)', '\\[\n\\frac{a}{b}\n\\].'])
      assert.ok(page.includes(JSON.stringify(source)), source);
    assert.ok(page.includes(' costs $5, or '));
  });

  it('ends with the same result as the whole, for any lines in any pieces', async () => {
    const line = fc.constantFrom(
      ...[
        'text',
        '**bo',
        'ld** [a](https://b.c)',
        '- item',
        '  - [x] deep',
        '1. one',
        '| a | b |',
        '|---|--:|',
        '| 1 |',
      ],
      ...['$x^2$ and $5', '$$', '\\[ y = 1 \\].', '\\(z', '\\)', '**注意：**内容', 'a[^1]', '<details>', 'a<br>b'],
      ...[
        '```ts',
        '```md',
        '```',
        '> quote',
        '# head',
        '---',
        '',
        '    code',
        '  ```',
        '`co',
        'de`',
        '![i](https://j.k)',
      ],
    );
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 20 }), async (source, size) => {
        assert.deepEqual(await drawn(source, cut(source, size)), await drawn(source));
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  });
});
