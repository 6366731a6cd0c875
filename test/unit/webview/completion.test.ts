import assert from 'node:assert/strict';
import type { CompletionItem } from '../../../src/protocol/attachments.ts';
import { answered, asked, moved, popupAction, triggerAt } from '../../../src/webview/composer/completion.ts';

const item = (id: string, over: Partial<CompletionItem> = {}): CompletionItem => ({
  id,
  label: id,
  detail: '',
  icon: 'file',
  ...over,
});

const at = { trigger: '@', start: 0, query: '' } as const;

describe('webview/completion', () => {
  for (const [text, expected] of [
    ['@', { trigger: '@', start: 0, query: '' }],
    ['see @pay', { trigger: '@', start: 4, query: 'pay' }],
    ['line\n@src/a.ts', { trigger: '@', start: 5, query: 'src/a.ts' }],
    ['请看@pay', { trigger: '@', start: 2, query: 'pay' }],
    ['例：@src/a', { trigger: '@', start: 2, query: 'src/a' }],
    ['me@example.com', null],
    ['größe@example.com', null],
    ['(@Input', null],
    ['@pay ', null],
    ['/', { trigger: '/', start: 0, query: '' }],
    ['/tests', { trigger: '/', start: 0, query: 'tests' }],
    ['/tests now', null],
    ['/tests @pay', { trigger: '@', start: 7, query: 'pay' }],
    [' /tests', null],
    ['and/or', null],
    ['plain words', null],
    [`@${'x'.repeat(300)}`, null],
  ] as const) {
    it(`finds ${expected === null ? 'no trigger' : `${expected.trigger} and "${expected.query}"`} in ${JSON.stringify(text.slice(0, 20))}`, () => {
      assert.deepEqual(triggerAt(text, text.length), expected);
    });
  }

  it('reads only the text before the caret', () => {
    assert.deepEqual(triggerAt('@pay and more', 3), { trigger: '@', start: 0, query: 'pa' });
    assert.equal(triggerAt('@pay and more', 9), null);
  });

  it('drops an answer for an earlier query, and one that arrives after it was closed', () => {
    const second = asked(asked(null, at, 1), { ...at, query: 'p' }, 2);
    assert.equal(answered(second, { request: 1, items: [item('a')] }), second);
    assert.equal(answered(null, { request: 2, items: [item('a')] }), null);
    assert.deepEqual(answered(second, { request: 2, items: [item('a')] })?.items, [item('a')]);
  });

  it('shows the last answer until the next arrives, but never that of another place or trigger', () => {
    const shown = answered(asked(null, at, 1), { request: 1, items: [item('a')] });
    assert.deepEqual(asked(shown, { ...at, query: 'p' }, 2).items, [item('a')]);
    assert.equal(asked(shown, { ...at, start: 9 }, 2).items, null);
    assert.equal(asked(shown, { ...at, trigger: '/' }, 2).items, null);
  });

  it('names the query of the shown list, so that the host keeps that list', () => {
    const first = asked(null, at, 1);
    assert.equal(first.shown, null);
    const shown = answered(first, { request: 1, items: [item('a')] });
    const third = asked(asked(shown, { ...at, query: 'p' }, 2), { ...at, query: 'pa' }, 3);
    assert.equal(third.shown, 1);
    assert.equal(asked(third, { ...at, start: 9 }, 4).shown, null);
  });

  it('selects the first selectable item, and wraps around', () => {
    const items = [item('a', { isBlocked: true }), item('b'), item('c')];
    const shown = answered(asked(null, at, 1), { request: 1, items });
    assert.equal(shown?.selected, 1);
    if (shown === null) return;
    assert.equal(moved(moved(shown, 1), 1).selected, 0);
    assert.equal(moved(moved(shown, -1), -1).selected, 2);
    assert.equal(moved({ ...shown, items: [] }, 1).selected, 1);
  });

  it('takes the keys that move in it, choose from it or close it, and no others', () => {
    const actions = (items: readonly CompletionItem[] | null, shiftKey = false) =>
      ['ArrowDown', 'ArrowUp', 'Enter', 'Tab', 'Escape', 'a'].map((key) =>
        popupAction({ key, shiftKey }, { items, selected: 0 }),
      );
    assert.deepEqual(actions([item('a')]), ['next', 'previous', 'choose', 'choose', 'dismiss', null]);
    assert.deepEqual(actions([item('a')], true), ['next', 'previous', null, null, 'dismiss', null]);
    assert.deepEqual(actions([]), [null, null, null, null, 'dismiss', null], 'Enter sends what is no trigger');
    assert.deepEqual(actions(null), [null, null, 'wait', 'wait', 'dismiss', null], 'half-typed text is not sent');
  });
});
