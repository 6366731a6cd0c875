import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { ConversationStore, StoreChange } from '../../../src/store/conversations/conversations.ts';
import { conversation, turn, Workspace } from './conversationSamples.ts';

const id = '4f1c2b1e-dead-4bee-8f00-0123456789ab';
const gone = /4f1c2b1e|canary/;

describe('store: deleting a conversation', () => {
  let workspace: Workspace;
  let store: ConversationStore;
  const held = conversation(id, [turn('1', { prompt: 'canary-prompt', answer: 'canary-answer' })]);

  beforeEach(async () => {
    workspace = new Workspace();
    store = workspace.open();
    await store.save(conversation('kept', [turn('k')]));
    await store.save(held);
  });
  afterEach(() => workspace.remove());

  it('leaves neither its name nor its text in the folder', async () => {
    writeFileSync(workspace.path(`${id}.json.damaged-1`), 'canary-damaged');
    writeFileSync(workspace.path(`${id}.json.77.tmp`), 'canary-half');
    writeFileSync(workspace.path(`.${id}.json.tmp`), 'canary-hidden');
    const changes: StoreChange[] = [];
    store.onDidChange((change) => changes.push(change));
    assert.equal(await store.delete(id), true);
    assert.doesNotMatch(workspace.everything(), gone);
    assert.deepEqual(workspace.names(), ['kept.json']);
    assert.deepEqual(changes, [{ changed: [], deleted: [id] }]);
    assert.equal(await store.delete(id), false);
    assert.equal(await store.load(id), undefined);
    assert.equal(await store.rename(id, 'x'), false);
  });

  it('cancels pending and later writes', async () => {
    const saves = [1, 2, 3].map((index) => store.save({ ...held, turns: [...held.turns, turn(`${index}`)] }));
    const deleted = store.delete(id);
    saves.push(store.save({ ...held, turns: [...held.turns, turn('9')] }));
    assert.equal(await deleted, true);
    assert.equal((await Promise.all(saves)).at(-1), false);
    assert.equal(await store.save(held), false);
    assert.doesNotMatch(workspace.everything(), gone);
  });

  it('applies to a conversation that was never written', async () => {
    const fresh = conversation('fresh', [turn('1', { answer: 'canary-fresh' })]);
    const saved = store.save(fresh);
    assert.equal(await store.delete('fresh'), true);
    assert.equal(await saved, false);
    assert.equal(await store.save(fresh), false);
    assert.doesNotMatch(workspace.everything(), /canary-fresh/);
  });

  it('applies to another window that still shows it', async () => {
    const other = workspace.open();
    const theirs = await other.load(id);
    assert.ok(theirs);
    await store.delete(id);
    assert.equal(await other.save({ ...theirs, turns: [...theirs.turns, turn('2')] }), false);
    assert.doesNotMatch(workspace.everything(), gone);
  });

  it('deleting an unknown id does not prevent a later save', async () => {
    assert.equal(await store.delete('later'), false);
    assert.equal(await store.save(conversation('later', [turn('1')])), true);
  });

  it('purges everything, including conversations that are still open', async () => {
    writeFileSync(workspace.path('broken.json'), '{');
    writeFileSync(workspace.path('aside.json.damaged-1'), 'canary-damaged');
    const waiting = store.save({ ...held, turns: [...held.turns, turn('2')] });
    assert.equal(await store.purge(), 4);
    assert.equal(await waiting, false);
    assert.deepEqual(workspace.names(), []);
    assert.equal(await store.save(held), false);
    assert.equal(await store.save(conversation('new', [turn('n')])), true);
  });
});
