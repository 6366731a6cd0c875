import assert from 'node:assert/strict';
import { showHistory } from '../../../src/features/chat/vscode/history/showHistory.ts';
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

  it('offers a new chat where there is no conversation, and to clear a search that finds none', async () => {
    const done: string[] = [];
    let asked = Promise.withResolvers<void>();
    const answer = async (): Promise<readonly never[]> => {
      asked.resolve();
      asked = Promise.withResolvers();
      return [];
    };
    const store = { list: answer, search: answer };
    const session = { conversation: { id: 'a' }, newConversation: () => done.push('new') };
    const view = { reveal: async () => done.push('shown') };
    await withCheckList(
      async (list) => {
        const shows = async (label: string, detail: string): Promise<void> => {
          while (list.items[0]?.label !== label) await new Promise(setImmediate);
          assert.deepEqual([list.items.length, list.items[0]?.detail], [1, detail]);
        };
        const take = async (label: string): Promise<void> => {
          list.click(label);
          list.accept();
        };
        await shows('$(add) New Chat', 'There is no conversation in this workspace yet.');
        list.type(' $(bug) ');
        await shows('$(clear-all) Clear Search', 'No conversation of this workspace contains “$\u2060(bug)”.');
        await take('$(clear-all) Clear Search');
        await shows('$(add) New Chat', 'There is no conversation in this workspace yet.');
        await take('$(add) New Chat');
      },
      () => showHistory({ store, session, view } as never),
    );
    while (done.length < 2) await new Promise(setImmediate);
    assert.deepEqual(done, ['new', 'shown']);
  });
});
