import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TurnView } from '../../../src/protocol/turnView.ts';
import { isFindKey } from '../../../src/webview/find/findKey.ts';
import { countIn, matchesIn, patternOf, sourcePatternOf } from '../../../src/webview/find/pattern.ts';
import { type Found, Search } from '../../../src/webview/find/search.ts';
import { fields, textsOf } from '../../../src/webview/find/turnTexts.ts';
import { turn } from './viewStates.ts';

/** A clock of the test, which runs the work that waits when it is told. */
class Clock {
  #now = 0;
  #waiting: { readonly at: number; readonly run: () => void }[] = [];
  /** How long each look at the clock takes: a slice ends after a few turns. */
  readonly #tick: number;

  constructor(tick = 0) {
    this.#tick = tick;
  }

  now(): number {
    this.#now += this.#tick;
    return this.#now;
  }

  after(ms: number, run: () => void): void {
    this.#waiting.push({ at: this.#now + ms, run });
  }

  /** Runs the next slice; false if nothing waits. */
  next(): boolean {
    const [first, ...rest] = this.#waiting.toSorted((a, b) => a.at - b.at);
    if (first === undefined) return false;
    this.#waiting = rest;
    this.#now = Math.max(this.#now, first.at);
    first.run();
    return true;
  }

  rest(): void {
    for (let slices = 0; this.next(); slices += 1) assert.ok(slices < 10_000, 'The search does not come to rest.');
  }
}

const asked = (id: string, answer: string, prompt = ''): TurnView => ({
  ...turn,
  id,
  prompt,
  answer,
  status: 'complete',
});

function searchIn(turns: readonly TurnView[], query: string, from?: string, clock = new Clock()) {
  const search = new Search(clock, () => undefined);
  search.update(turns);
  search.find(query, from);
  clock.rest();
  return { search, clock };
}

const numbered = ({ number, count, isWhole }: Found) => `${number} of ${count}${isWhole ? '' : '…'}`;

describe('webview/find', () => {
  it('begins with Ctrl+F, and on macOS with Cmd+F, on any keyboard', () => {
    const f = { key: 'f', code: 'KeyF', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    assert.equal(isFindKey({ ...f, ctrlKey: true }, false), true);
    assert.equal(isFindKey({ ...f, metaKey: true }, true), true);
    assert.equal(isFindKey({ ...f, ctrlKey: true, key: 'а' }, false), true);
    // The key of another letter where F is: Dvorak.
    assert.equal(isFindKey({ ...f, ctrlKey: true, key: 'u' }, false), false);
    for (const [change, isMac] of [
      [{ ctrlKey: true }, true],
      [{ metaKey: true }, false],
      [{}, false],
      [{ ctrlKey: true, altKey: true }, false],
      [{ ctrlKey: true, shiftKey: true }, false],
    ] as const)
      assert.equal(isFindKey({ ...f, ...change }, isMac), false);
  });

  it('finds regardless of case, across white space, and letters with accents in both forms', () => {
    const count = (text: string, query: string) => matchesIn(text, patternOf(query) ?? /$^/g).length;
    assert.equal(count('Pay, PAY and pay', 'pAy'), 3);
    assert.equal(count('so\n  it goes', ' so it '), 1);
    assert.equal(count('GR\u00dcN gru\u0308n', 'gr\u00fcn'), 2);
    assert.equal(count('gru\u0308n', 'gru\u0308n'), 1);
    assert.equal(count('a[0].b() \\ $1 ^ {2} x|y/z-?+*', 'A[0].B() \\ $1 ^ {2} X|y/Z-?+*'), 1);
    assert.equal(count('İstanbul pay', 'pay'), 1);
    assert.deepEqual(matchesIn('İ pay', patternOf('pay') ?? /$^/g), [{ start: 2, end: 5 }]);
    assert.equal(patternOf(' \n '), undefined);
    assert.equal(count('\ud83d x', '\ud83d'), 1);
  });

  it('makes a pattern of any text that finds the text in itself without delay, and never one that takes forever', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (query, around) => {
        const pattern = patternOf(query);
        if (pattern === undefined) return query.trim() === '';
        return matchesIn(`${around} ${query.trim()} ${around}`, pattern).length > 0;
      }),
      { numRuns: 500 },
    );
    const source = sourcePatternOf(`${'*'.repeat(40)}x`);
    assert.equal('*'.repeat(100).search(source ?? /$^/), -1);
  });

  it('searches what the page shows: across formats, not across blocks, and not in the marks', () => {
    const texts = (answer: string) => textsOf(asked('a', answer)).answer;
    assert.deepEqual(texts('The **needle**hay`stack` &amp; [link](https://x.y/secret)\n\nNext'), [
      'The needlehaystack & link',
      'Next',
    ]);
    assert.deepEqual(texts('- one\n  - two\n- three'), ['one', 'two', 'three']);
    assert.deepEqual(texts('```ts title="src/pay.ts"\nlet a;\nlet b;\n```'), ['src/pay.ts', 'let a;\nlet b;\n']);
    assert.deepEqual(texts('```ts b\u202ea.ts\na\u202eb\n```'), ['b[U+202E]a.ts', 'a[U+202E]b\n']);
    assert.deepEqual(texts('| a | b |\n|---|---|\n| c | d |'), ['a', 'b', 'c', 'd']);
  });

  it('searches questions, attachments, thinking and tool calls, in the order of the page', () => {
    const step = {
      id: 's',
      at: 0,
      title: 'Read pay.ts',
      state: 'done',
      note: 'allowed',
      input: '{}',
      result: 'pay',
    } as const;
    const searched = {
      ...asked('a', 'pay', 'pay'),
      ...{ context: ['src/pay.ts'], thinking: 'pay', steps: [step, { ...step, id: 't', state: 'running' as const }] },
    };
    const { search, clock } = searchIn([searched], 'pay');
    const seen = [search.found.current];
    for (let nth = 1; nth < 7; nth += 1) {
      search.step(1);
      seen.push(search.found.current);
    }
    clock.rest();
    assert.equal(search.found.count, 7);
    assert.deepEqual(
      seen.map((match) => `${match?.field} ${match?.nth}`),
      ['prompt 0', 'context 0', 'thinking 0', 'steps 0', 'steps 1', 'answer 0', 'openSteps 0'],
    );
  });

  it('begins at the turn in sight, and otherwise at the nearest before it; goes around', () => {
    const turns = ['x', 'pay pay', 'y', 'pay', 'z'].map((answer, at) => asked(`${at}`, answer));
    assert.equal(numbered(searchIn(turns, 'pay', '2').search.found), '3 of 3');
    const { search } = searchIn(turns, 'pay', '4');
    assert.equal(numbered(search.found), '3 of 3');
    search.step(1);
    assert.equal(numbered(search.found), '1 of 3');
    search.step(-1);
    assert.equal(numbered(search.found), '3 of 3');
    search.step(-1);
    assert.equal(numbered(search.found), '2 of 3');
    assert.equal(numbered(searchIn(turns, 'none').search.found), '0 of 0');
    searchIn([], 'pay').search.step(1);
  });

  it('has the first match after one slice, wherever it is, also across formats', () => {
    const turns = Array.from({ length: 500 }, (_, at) => asked(`${at}`, at === 3 ? 'nee**dle**' : 'hay'));
    const clock = new Clock(1);
    const search = new Search(clock, () => undefined);
    search.update(turns);
    search.find('needle', '480');
    clock.next();
    assert.equal(search.found.current?.turnId, '3');
    assert.equal(search.found.isWhole, false);
    clock.rest();
    assert.equal(numbered(search.found), '1 of 1');
  });

  it('keeps the current match while an answer is written, and counts what it adds', () => {
    const clock = new Clock(1);
    const search = new Search(clock, () => undefined);
    const live = (answer: string) => [asked('a', 'pay'), { ...turn, id: 'b', answer }];
    search.update(live(''));
    search.find('pay', 'a');
    clock.rest();
    const { current } = search.found;
    let answer = '';
    for (let at = 0; at < 20; at += 1) {
      answer += 'pay ';
      search.update(live(answer));
      if (at % 3 === 0) clock.next();
      assert.equal(search.found.current, current);
    }
    clock.rest();
    assert.equal(numbered(search.found), '1 of 21');
  });

  it('does not go to what is written later, if nothing was found at first', () => {
    const clock = new Clock();
    const { search } = searchIn([asked('a', 'tax')], 'pay', 'a', clock);
    search.update([asked('a', 'tax'), { ...turn, id: 'b', answer: 'pay, pay' }]);
    clock.rest();
    assert.equal(search.found.current, undefined);
    assert.equal(numbered(search.found), '0 of 2');
    search.step(-1);
    assert.equal(numbered(search.found), '2 of 2');
    search.find('tax', 'a');
    clock.rest();
    assert.equal(numbered(search.found), '1 of 1');
  });

  it('takes no more of millions of matches than it needs', () => {
    const text = 'a'.repeat(1_000_000);
    const pattern = patternOf('A') ?? assert.fail();
    assert.equal(countIn(text, pattern), 1_000_000);
    assert.deepEqual(matchesIn(text, pattern, 2), [
      { start: 0, end: 1 },
      { start: 1, end: 2 },
    ]);
  });

  it('goes to what is left when the text of the current match is gone, or its turn', () => {
    const clock = new Clock();
    const { search } = searchIn([asked('a', 'pay pay'), asked('b', 'pay')], 'pay', 'a', clock);
    search.step(1);
    search.update([asked('a', 'pay'), asked('b', 'pay')]);
    clock.rest();
    assert.equal(numbered(search.found), '1 of 2');
    search.update([asked('b', 'pay')]);
    clock.rest();
    assert.equal(search.found.count, 1);
    search.step(1);
    assert.equal(numbered(search.found), '1 of 1');
  });

  it('finds as many as a plain count of all texts, in any order of changes', () => {
    const word = fc.constantFrom('pay', '**pay**', 'Pay', 'tax', '`p`ay', '\n\n', '- ', 'p**a**y');
    const turns = fc.array(fc.array(word, { maxLength: 6 }), { maxLength: 8 });
    fc.assert(
      fc.property(fc.array(turns, { minLength: 1, maxLength: 4 }), fc.nat({ max: 6 }), (versions, tick) => {
        const clock = new Clock(tick);
        const search = new Search(clock, () => undefined);
        search.find('pay', '0');
        let shown: readonly TurnView[] = [];
        for (const version of versions) {
          shown = version.map((words, at) => asked(`${at}`, words.join(' ')));
          search.update(shown);
          clock.next();
          search.step(1);
        }
        clock.rest();
        const expected = shown
          .flatMap((each) => fields.flatMap((field) => textsOf(each)[field]))
          .reduce((sum, text) => sum + (text.match(/pay/gi)?.length ?? 0), 0);
        assert.equal(search.found.count, expected);
        const passed = new Set<number>();
        for (let at = 0; at < expected; at += 1) {
          search.step(1);
          passed.add(search.found.number);
        }
        assert.equal(passed.size, expected);
      }),
      { numRuns: 300 },
    );
  });
});
