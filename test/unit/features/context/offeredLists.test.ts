import assert from 'node:assert/strict';
import { OfferedLists } from '../../../../src/features/context/vscode/attachments/offeredLists.ts';
import type { Offer } from '../../../../src/features/context/vscode/source.ts';

const offer = (label: string): Offer => ({ label, detail: '', icon: 'file' });

describe('context/offeredLists', () => {
  it('finds an entry of the shown list, however many lists were created since', () => {
    const lists = new OfferedLists();
    const [shown] = lists.add({ request: 1, shown: null }, [offer('Problems of the File')]);
    for (let request = 2; request <= 500; request += 1) lists.add({ request, shown: 1 }, [offer(`${request}`)]);
    assert.equal(lists.find(shown?.id ?? '')?.label, 'Problems of the File');
  });

  it('forgets a list that is no longer shown', () => {
    const lists = new OfferedLists();
    const [first] = lists.add({ request: 1, shown: null }, [offer('a')]);
    const [second] = lists.add({ request: 2, shown: 1 }, [offer('b')]);
    lists.add({ request: 3, shown: 2 }, [offer('c')]);
    assert.equal(lists.find(first?.id ?? ''), undefined);
    assert.equal(lists.find(second?.id ?? '')?.label, 'b');
    lists.add({ request: 4, shown: 3 }, []);
    assert.equal(lists.find(second?.id ?? ''), undefined);
  });

  it('finds an entry of a list that arrived after the page had asked for the next one', () => {
    const lists = new OfferedLists();
    const [first] = lists.add({ request: 1, shown: null }, [offer('Problems of the File')]);
    // The page asked while it showed nothing, and shows the first list until this one arrives.
    lists.add({ request: 9, shown: null }, [offer('Problems of the File')]);
    assert.equal(lists.find(first?.id ?? '')?.label, 'Problems of the File');
  });

  it('keeps a limited number of lists', () => {
    const lists = new OfferedLists();
    const [first] = lists.add({ request: 1, shown: null }, [offer('a')]);
    for (let request = 2; request <= 200; request += 1) lists.add({ request, shown: null }, [offer(`${request}`)]);
    assert.equal(lists.find(first?.id ?? ''), undefined);
  });

  it('forgets the lists of a reloaded page, and never reuses an id', () => {
    const lists = new OfferedLists();
    const [old] = lists.add({ request: 7, shown: null }, [offer('a')]);
    const [fresh] = lists.add({ request: 1, shown: null }, [offer('b')]);
    assert.notEqual(old?.id, fresh?.id);
    assert.equal(lists.find(old?.id ?? ''), undefined);
    assert.equal(lists.find(fresh?.id ?? '')?.label, 'b');
  });
});
