import assert from 'node:assert/strict';
import type { Editing } from '../../../src/webview/composer/draft.ts';
import { DraftKeeper } from '../../../src/webview/composer/draftKeeper.ts';

const editing: Editing = { turnId: 'a', text: 'Why not?', attachments: [1] };

/** What VS Code stores for a page, and each message that it receives. */
function startPage(kept?: unknown) {
  let held = kept;
  const told: unknown[] = [];
  const setState = (value: unknown): void => {
    held = value;
    told.push(value);
  };
  const page = { getState: () => held, setState };
  return { page, told, keeper: new DraftKeeper(page) };
}

describe('webview/draftKeeper', () => {
  it('keeps parts independent of each other', () => {
    const { page, keeper } = startPage();
    keeper.keep(true, { draft: 'half a' });
    keeper.keep(true, { editing });
    keeper.keep(true, { draft: 'half a question' });
    const summary = { turnId: 'a', text: 'The port is 9000.' };
    keeper.keep(true, { summary });
    assert.deepEqual(page.getState(), { draft: 'half a question', editing, summary });
    keeper.keep(true, { editing: undefined, summary: undefined });
    keeper.keep(true, { draft: '' });
    assert.equal(page.getState(), undefined);
  });

  it('keeps nothing if storing on disk is forbidden, including pending text', () => {
    const { page, told, keeper } = startPage({ draft: 'a', editing });
    keeper.keep(true, { draft: 'b'.repeat(1e6) });
    keeper.keep(false, { draft: 'b' });
    assert.equal(page.getState(), undefined);
    keeper.flush();
    assert.deepEqual(told, [undefined]);
  });

  it('sends megabytes once, and not with each key', () => {
    const { page, told, keeper } = startPage();
    const long = 'x'.repeat(3e6);
    for (let key = 0; key < 50; key += 1) keeper.keep(true, { draft: long + key });
    assert.equal(told.length, 0);
    keeper.flush();
    keeper.flush();
    assert.deepEqual(told, [{ draft: `${long}49` }]);
    assert.deepEqual(page.getState(), { draft: `${long}49` });
  });

  it('sends megabytes when typing pauses', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const keeper = new DraftKeeper({ getState: () => undefined, setState: resolve });
    keeper.keep(true, { draft: 'x'.repeat(3e6) });
    assert.equal(Object(await promise).draft.length, 3e6);
  });

  it('keeps pasted texts with the draft, and sends them once for many keys', () => {
    const { page, told, keeper } = startPage({ pasted: ['x'.repeat(3e6), 7] });
    for (const draft of ['a', 'ab', 'abc']) keeper.keep(true, { draft });
    assert.equal(told.length, 0);
    keeper.flush();
    assert.deepEqual(page.getState(), { draft: 'abc', pasted: ['x'.repeat(3e6)] });
    keeper.keep(true, { draft: '', pasted: [] });
    assert.equal(page.getState(), undefined);
  });

  it('does not send a long draft with each key in an edited question', () => {
    const { told, keeper } = startPage({ draft: 'x'.repeat(3e6) });
    for (const text of ['a', 'ab', 'abc']) keeper.keep(true, { editing: { ...editing, text } });
    assert.equal(told.length, 0);
    keeper.flush();
    assert.equal(told.length, 1);
  });

  it('drops a sent draft at once, even if a long text is pending', () => {
    const { page, told, keeper } = startPage();
    keeper.keep(true, { draft: 'x'.repeat(3e6) });
    keeper.keep(true, { draft: '' });
    assert.deepEqual(told, [undefined]);
    keeper.flush();
    assert.equal(page.getState(), undefined);
  });
});
