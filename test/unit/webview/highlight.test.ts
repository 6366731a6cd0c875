import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { highlight, highlightLimit, languageOf } from '../../../src/webview/markdown/highlight/highlight.ts';

const languages =
  'ts js tsx jsx python py json yaml bash sh sql java csharp go rust c cpp html css diff markdown ruby php kotlin swift docker toml';

/** A clock that stands still: the grammars have all the time of a busy machine. */
const still = (): number => 0;

describe('webview/markdown/highlight', () => {
  it('preserves the text', async () => {
    const code = 'const a = `x`; // done\n\nfunction f(): void {}\n';
    const runs = await highlight(code, 'ts', still);
    assert.equal(runs?.map(({ text }) => text).join(''), code);
    assert.ok(runs.some(({ className, text }) => className === 'ink-keyword' && text === 'const'));
  });

  it('adds no style that equals that of the surrounding text', async () => {
    const runs = (await highlight('if (a) b(1 + 2);', 'ts', still)) ?? [];
    assert.deepEqual(
      runs.map(({ className, text }) => [className, text]),
      [
        ['ink-keyword', 'if'],
        ['', ' (a) '],
        ['ink-function', 'b'],
        ['', '('],
        ['ink-number', '1'],
        ['', ' + '],
        ['ink-number', '2'],
        ['', ');'],
      ],
    );
  });

  it('gives a nested token one style, that of its last kind in the list', async () => {
    const lookOf = async (code: string, language: string, wanted: string): Promise<string | undefined> =>
      (await highlight(code, language, still))?.find(({ text }) => text === wanted)?.className;
    assert.equal(await lookOf('<p id="x">', 'html', 'x'), 'ink-string');
    assert.equal(await lookOf('<p id="x">', 'html', 'id'), 'ink-variable');
    assert.equal(await lookOf('@cached\ndef f(): pass', 'python', '@cached'), 'ink-function');
    assert.equal(await lookOf('a **b** c', 'markdown', '**b**'), 'ink-bold');
    assert.equal(await lookOf('- a\n+ b\n', 'diff', '+ b\n'), 'ink-inserted');
  });

  it('supports the languages of the product', async () => {
    for (const name of languages.split(' ')) {
      const runs = await highlight('# "a" 1\n', name, still);
      assert.equal(runs?.map(({ text }) => text).join(''), '# "a" 1\n', name);
    }
  });

  it('colors a long block in slices, and preserves its text', async () => {
    const code = 'function f(a) {\n  return "text"; // why\n}\n\n'.repeat(500);
    const runs = await highlight(code, 'ts', still);
    assert.equal(runs?.map(({ text }) => text).join(''), code);
    assert.equal(runs?.filter(({ className, text }) => className === 'ink-keyword' && text === 'function').length, 500);
  });

  it('stops coloring after several slices if the grammar takes too long', async () => {
    const code = '(((((\n'.repeat(8_000);
    let asked = 0;
    // A clock on which each slice takes 200 ms.
    const slow = (): number => {
      asked += 1;
      return Math.floor(asked / 2) * 200;
    };
    assert.equal(await highlight(code, 'csharp', slow), undefined);
    assert.equal(asked, 6, 'three slices');
    const fast = await highlight(code, 'csharp', still);
    assert.equal(fast?.map(({ text }) => text).join(''), code);
  });

  it('colors one block per task, for any number of pending blocks', async () => {
    await highlight('a', 'ts', still);
    mock.timers.enable({ apis: ['setTimeout'] });
    try {
      const done: number[] = [];
      for (const block of [1, 2, 3]) void highlight('a', 'ts', still).then(() => done.push(block));
      for (const expected of [[], [1], [1, 2], [1, 2, 3]]) {
        for (let turn = 0; turn < 5; turn += 1) await setImmediate();
        assert.deepEqual(done, expected);
        mock.timers.tick(1);
      }
    } finally {
      mock.timers.reset();
    }
  });

  it('leaves no global behind', async () => {
    await highlight('1', 'js', still);
    assert.equal('Prism' in globalThis, false);
  });

  it('does not color code that is too long or in an unknown language', async () => {
    for (const name of ['', 'klingon', 'extend', 'insertBefore', 'constructor'])
      assert.equal(await highlight('a', name, still), undefined, name);
    assert.equal(await highlight(' '.repeat(highlightLimit + 1), 'ts'), undefined);
  });

  it('finds the language in what models write after a fence', () => {
    assert.deepEqual(['ts title="a.ts"', '{.python}', 'language-go', ' C++ ', ''].map(languageOf), [
      'ts',
      'python',
      'go',
      'C++',
      '',
    ]);
  });
});
