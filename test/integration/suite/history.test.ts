import assert from 'node:assert/strict';
import { showHistory } from '../../../src/host/history/showHistory.ts';
import { withCheckList } from './dialogs.ts';

/** A search in the conversations, which runs until a test ends. */
interface Search {
  readonly words: string;
  readonly signal: AbortSignal | undefined;
}

describe('the search of the history', () => {
  it('waits until typing rests, and is cancelled by more typing and when the list closes', async () => {
    const searches: Search[] = [];
    const listed = Promise.withResolvers<void>();
    let begun = Promise.withResolvers<void>();
    const store = {
      list: async () => {
        listed.resolve();
        return [];
      },
      search: (words: string, signal?: AbortSignal) => {
        searches.push({ words, signal });
        begun.resolve();
        return new Promise(() => {});
      },
    };
    await withCheckList(
      async (list) => {
        await listed.promise;
        for (const text of ['l', 'li', ' light ']) list.type(text);
        assert.equal(searches.length, 0);
        await begun.promise;
        begun = Promise.withResolvers();
        list.type('lighthouse');
        assert.equal(searches[0]?.signal?.aborted, true);
        await begun.promise;
        assert.equal(searches[1]?.signal?.aborted, false);
        list.cancel();
        assert.equal(searches[1]?.signal?.aborted, true);
      },
      () => showHistory({ store } as never),
    );
    assert.deepEqual(
      searches.map(({ words }) => words),
      ['light', 'lighthouse'],
    );
  });
});
