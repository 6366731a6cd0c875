import assert from 'node:assert/strict';
import type { Editing, UnsentText } from '../../../src/protocol/unsentText.ts';
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
  const withHost: UnsentText[] = [];
  return { page, told, withHost, keeper: new DraftKeeper(page, (text) => withHost.push(text)) };
}

describe('webview/draftKeeper', () => {
  it('keeps parts independent of each other', () => {
    const { page, withHost, keeper } = startPage();
    keeper.keep(true, { draft: 'half a' });
    keeper.keep(true, { editing });
    keeper.keep(true, { draft: 'half a question' });
    const summary = { turnId: 'a', text: 'The port is 9000.' };
    keeper.keep(true, { summary });
    assert.deepEqual(page.getState(), { draft: 'half a question', editing, summary });
    keeper.keep(true, { editing: undefined, summary: undefined });
    keeper.keep(true, { draft: '' });
    assert.equal(page.getState(), undefined);
    assert.deepEqual(withHost, []);
  });

  it('keeps with a draft the end that it was typed for', () => {
    const end = { conversationId: 'c', turnId: 'a' };
    const { page, keeper } = startPage();
    keeper.keep(true, { draft: 'a' }, end);
    keeper.keep(true, { editing });
    assert.deepEqual(page.getState(), { draft: 'a', editing, end });
    const next = startPage(page.getState());
    next.keeper.keep(true, { editing: undefined });
    assert.deepEqual(next.page.getState(), { draft: 'a', end });
    next.keeper.keep(false, { draft: 'ab' }, end);
    assert.deepEqual(next.withHost, [{ draft: 'ab' }]);
    next.keeper.keep(true, { draft: '', editing }, end);
    assert.deepEqual(next.page.getState(), { editing });
  });

  it('keeps nothing on the disk if that is forbidden, including pending text', () => {
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
    const keeper = new DraftKeeper({ getState: () => undefined, setState: resolve }, () =>
      assert.fail('told the host'),
    );
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

  it('drops a sent draft immediately, even if a long text is pending', () => {
    const { page, told, keeper } = startPage({ draft: 'old' });
    keeper.keep(true, { draft: 'x'.repeat(3e6) });
    keeper.keep(true, { draft: '' });
    assert.equal(page.getState(), undefined);
    keeper.flush();
    assert.deepEqual(told, [undefined]);
    assert.equal(page.getState(), undefined);
  });

  it('keeps the whole text with the host where it may not be on the disk, from the moment the policy says so', () => {
    const { page, withHost, keeper } = startPage({ draft: 'half a', editing });
    keeper.keep(true, { pasted: ['long'] });
    assert.deepEqual(withHost, []);
    keeper.keep(false, {});
    assert.deepEqual([page.getState(), withHost], [undefined, [{ draft: 'half a', pasted: ['long'], editing }]]);
    const summary = { turnId: 'a', text: 'The port is 9000.' };
    keeper.keep(false, { draft: 'half a q', summary, editing: undefined });
    assert.deepEqual(withHost.at(-1), { draft: 'half a q', pasted: ['long'], summary });
    // Sent: the host forgets it as well.
    keeper.keep(false, { draft: '', pasted: [], summary: undefined });
    assert.deepEqual(withHost.at(-1), {});
    const { length } = withHost;
    keeper.keep(false, { draft: '' });
    assert.equal(withHost.length, length, 'There is nothing more to forget.');
    assert.equal(page.getState(), undefined);
  });

  it('takes the text back from the host where it may be on the disk again', () => {
    const { page, withHost, keeper } = startPage();
    // What the host has returned of an earlier page.
    keeper.restored();
    keeper.keep(true, { draft: 'half a' });
    assert.deepEqual([page.getState(), withHost], [{ draft: 'half a' }, [{}]]);
    keeper.keep(false, { draft: 'half a' });
    assert.deepEqual([page.getState(), withHost.at(-1)], [undefined, { draft: 'half a' }]);
    keeper.keep(true, { draft: 'half a' });
    assert.deepEqual([page.getState(), withHost.at(-1)], [{ draft: 'half a' }, {}]);
  });

  it('tells the host megabytes once, and clears the disk without waiting for a pause', () => {
    const { page, withHost, keeper } = startPage({ draft: 'old' });
    const long = 'x'.repeat(1e6);
    for (let key = 0; key < 50; key += 1) keeper.keep(false, { draft: long + key });
    assert.deepEqual([page.getState(), withHost], [undefined, []]);
    keeper.flush();
    keeper.flush();
    assert.deepEqual(withHost, [{ draft: `${long}49` }]);
  });
});
