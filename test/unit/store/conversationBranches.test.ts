import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { allTurns, cutBefore, showTurn, siblingsOf } from '../../../src/session/conversation/branches.ts';
import type { Conversation } from '../../../src/session/conversation/conversation.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import type { ConversationStore } from '../../../src/store/conversations/conversations.ts';
import { fieldsOf, turnOf } from '../../tools/turns.ts';
import { conversation, turn, Workspace } from './conversationSamples.ts';

const ids = (turns: readonly Turn[] = []): string => turns.map(({ id }) => id).join(' ');

/** Another question in the place of a turn. */
function edited(held: Conversation, turnId: string, newId: string): Conversation {
  const cut = cutBefore(held, turnId);
  return { ...cut, turns: [...cut.turns, turn(newId, { parent: cut.turns.at(-1)?.id ?? null, askedAt: 2000 })] };
}

describe('store: branches of a conversation', () => {
  let workspace: Workspace;
  let store: ConversationStore;

  beforeEach(() => {
    workspace = new Workspace();
    store = workspace.open();
  });
  afterEach(() => workspace.remove());

  const loaded = async (id = 'a'): Promise<Conversation> => {
    const held = await workspace.open().load(id);
    assert.ok(held);
    return held;
  };

  it('are restored, including the one that was shown', async () => {
    const first = conversation('a', [turn('1'), turn('2'), turn('3')]);
    await store.save(first);
    const branched = edited(first, '2', '2b');
    await store.save(branched);
    const back = await loaded();
    assert.deepEqual([ids(back.turns), ids(back.hidden)], ['1 2b', '2 3']);
    await store.save(showTurn(branched, '2'));
    const again = await loaded();
    assert.deepEqual([ids(again.turns), ids(again.hidden)], ['1 2 3', '2b']);
    assert.equal(ids(siblingsOf(again, '2')), '2 2b');
  });

  it('are all searched, listed as one conversation, and deleted with it', async () => {
    await store.save(edited(conversation('a', [turn('1'), turn('2', { answer: 'the lighthouse' })]), '2', '2b'));
    assert.deepEqual(
      (await store.search('lighthouse')).map(({ id, turns }) => [id, turns]),
      [['a', 3]],
    );
    assert.equal((await store.list())[0]?.title, 'question 1');
    await store.delete('a');
    assert.deepEqual(workspace.names(), []);
  });

  it('the branches of two windows become siblings, and none is lost', async () => {
    await store.save(conversation('a', [turn('1'), turn('2')]));
    const other = workspace.open();
    const [mine, theirs] = [await store.load('a'), await other.load('a')];
    assert.ok(mine && theirs);
    await store.save(edited(mine, '2', '2b'));
    await other.save({ ...theirs, turns: [...theirs.turns, turn('3', { parent: '2', askedAt: 3000 })] });
    // This window has not seen the other window's question.
    await store.save(showTurn(edited(mine, '2', '2b'), '2'));
    const back = await loaded();
    assert.deepEqual([ids(back.turns), ids(back.hidden)], ['1 2 3', '2b']);
  });

  it('branches that are not shown here stay as another window has changed them', async () => {
    await store.save(edited(conversation('a', [turn('1'), turn('2')]), '2', '2b'));
    const [here, there] = [workspace.open(), workspace.open()];
    const [mine, theirs] = [await here.load('a'), await there.load('a')];
    assert.ok(mine && theirs);
    const shown = showTurn(theirs, '2');
    const again = shown.turns.map((old) =>
      old.id === '2' ? turnOf({ ...fieldsOf(old), answer: 'asked again' }) : old,
    );
    await there.save({ ...shown, turns: again });
    await here.save({ ...mine, turns: [...mine.turns, turn('3b', { parent: '2b', askedAt: 3000 })] });
    const back = await loaded();
    assert.deepEqual([ids(back.turns), ids(back.hidden)], ['1 2b 3b', '2']);
    assert.equal(back.hidden?.[0]?.answer.text, 'asked again');
  });

  it('branches with a missing or circular parent are all shown', async () => {
    await store.save(conversation('a', [turn('1'), turn('2'), turn('3'), turn('4')]));
    const file = JSON.parse(readFileSync(workspace.path('a.json'), 'utf8'));
    const [one, two, three, four] = file.conversation.turns;
    one.parent = '2';
    two.parent = '1';
    three.parent = 'unknown';
    four.parent = { no: 'id' };
    file.conversation.turns.push({ ...one, parent: '4' });
    file.conversation.shown = 'nothing of the kind';
    writeFileSync(workspace.path('a.json'), JSON.stringify(file));
    const back = await loaded();
    assert.deepEqual(ids(allTurns(back)), '4 1 2 3');
    assert.equal(ids(siblingsOf(back, '3')), '1 3 4');
  });
});
