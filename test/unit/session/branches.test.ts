import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allTurns, cutBefore, pathThrough, showTurn, siblingsOf } from '../../../src/session/conversation/branches.ts';
import type { Conversation } from '../../../src/session/conversation/conversation.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import { turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { FakeDispatch } from './fakeDispatch.ts';

function turn(id: string, askedAt: number, parent: string | null): Turn {
  return turnOf({ id, askedAt, parent, prompt: id, answer: `about ${id}`, model: 'm' });
}

const ids = (turns: readonly Turn[] = []): string => turns.map(({ id }) => id).join(' ');
const old: Conversation = { id: 'a', createdAt: 0, turns: [turn('1', 1, null), turn('2', 2, '1'), turn('3', 3, '2')] };

describe('session: branches of a conversation', () => {
  it('start at an edited turn and keep the old turns', () => {
    const cut = cutBefore(old, '2');
    assert.deepEqual([ids(cut.turns), ids(cut.hidden)], ['1', '2 3']);
    const branched = { ...cut, turns: [...cut.turns, turn('2b', 4, '1'), turn('3b', 5, '2b')] };
    assert.equal(ids(siblingsOf(branched, '2b')), '2 2b');
    assert.equal(ids(siblingsOf(branched, '3b')), '3b');
    const back = showTurn(branched, '2');
    assert.deepEqual([ids(back.turns), ids(back.hidden)], ['1 2 3', '2b 3b']);
    const again = showTurn(back, '2b');
    assert.deepEqual([ids(again.turns), ids(again.hidden)], ['1 2b 3b', '2 3']);
  });

  it('are a single one if no turn was edited', () => {
    assert.equal(ids(siblingsOf(old, '2')), '2');
    assert.deepEqual(siblingsOf(old, 'unknown'), []);
    assert.equal(cutBefore(old, 'unknown'), old);
    assert.equal(showTurn(old, 'unknown'), old);
    assert.equal(allTurns(old), old.turns);
  });

  it('show the newest of the following turns', () => {
    const all = [turn('1', 1, null), turn('2', 2, '1'), turn('2b', 5, '1'), turn('3', 6, '2'), turn('3b', 4, '2')];
    assert.equal(ids(pathThrough(all, '1')), '1 2b');
    assert.equal(ids(pathThrough(all, '2')), '1 2 3');
    assert.equal(ids(pathThrough(all, '3b')), '1 2 3b');
  });

  it('lose nothing and stay in order, for any sequence of edits and switches', () => {
    const step = fc.record({ what: fc.constantFrom('ask', 'edit', 'show'), which: fc.nat() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let held: Conversation = { id: 'a', createdAt: 0, turns: [] };
        let asked = 0;
        for (const { what, which } of steps) {
          const all = allTurns(held);
          const chosen = all[which % Math.max(1, all.length)]?.id ?? '';
          if (what === 'show') held = showTurn(held, chosen);
          else {
            if (what === 'edit') held = cutBefore(held, chosen);
            asked += 1;
            held = { ...held, turns: [...held.turns, turn(`${asked}`, asked, held.turns.at(-1)?.id ?? null)] };
          }
          const now = allTurns(held);
          assert.equal(new Set(now.map(({ id }) => id)).size, asked);
          for (const [index, { parent }] of now.entries())
            assert.ok(parent === null || now.slice(0, index).some(({ id }) => id === parent));
          for (const [index, { parent }] of held.turns.entries())
            assert.equal(parent, held.turns[index - 1]?.id ?? null);
        }
      }),
    );
  });
});

describe('session: an edited question', () => {
  async function asked(): Promise<{ fake: FakeDispatch; session: Session; seen: string[] }> {
    const fake = new FakeDispatch();
    const session = new Session(fake.dispatch);
    for (const [prompt, folder] of [
      ['one', 'file:///one'],
      ['two', 'file:///two'],
      ['three', 'file:///three'],
    ] as const) {
      const answer = session.ask({ action: 'chat', prompt, attachments: [attachment({ folder })] });
      fake.send({ type: 'text-delta', text: `about ${prompt}` });
      fake.end();
      await answer;
    }
    const seen: string[] = [];
    session.onDidChange(({ type }) => seen.push(type));
    return { fake, session, seen };
  }
  const prompts = ({ turns }: Conversation): string => turns.map(({ question }) => question.prompt).join(' ');

  it('is sent in its old place with only the earlier turns; the old branch remains', async () => {
    const { fake, session, seen } = await asked();
    const [, two] = session.conversation.turns;
    const answer = session.edit(two?.id ?? '', { action: 'chat', prompt: 'two, otherwise', attachments: [] });
    assert.deepEqual(seen.slice(0, 2), ['conversation-changed', 'busy-changed']);
    fake.send({ type: 'text-delta', text: 'other' });
    fake.end();
    assert.equal((await answer)?.answer.text, 'other');
    assert.equal(prompts(session.conversation), 'one two, otherwise');
    // The request and the policy are those of the branch that is shown.
    assert.deepEqual(fake.sent.at(-1)?.folders, ['file:///one']);
    assert.deepEqual(session.folders, ['file:///one']);
    assert.deepEqual(
      fake.sent.at(-1)?.messages.map(({ secrets }) => secrets),
      ['mask', 'mask', 'ask'],
    );
    session.showBranch(two?.id ?? '');
    assert.equal(prompts(session.conversation), 'one two three');
    assert.deepEqual(session.folders, ['file:///one', 'file:///two', 'file:///three']);
  });

  it('waits until the user stops the running answer', async () => {
    const { fake, session, seen } = await asked();
    const [one, two] = session.conversation.turns;
    const running = session.ask({ action: 'chat', prompt: 'four', attachments: [] });
    const before = session.conversation;
    seen.length = 0;
    assert.equal(await session.edit(one?.id ?? '', { action: 'chat', prompt: 'x', attachments: [] }), undefined);
    session.showBranch(two?.id ?? '');
    assert.equal(session.conversation.turns.length, before.turns.length);
    assert.ok(!seen.includes('conversation-changed'));
    fake.send({ type: 'text-delta', text: 'Hi' });
    fake.end();
    assert.equal((await running).state.status, 'complete');
  });

  it('changes nothing if its turn does not exist', async () => {
    const { session, seen } = await asked();
    assert.equal(await session.edit('unknown', { action: 'chat', prompt: 'x', attachments: [] }), undefined);
    assert.deepEqual(seen, []);
  });

  it('keeps its place when it is sent again', async () => {
    const { fake, session } = await asked();
    const [, two] = session.conversation.turns;
    const failed = session.edit(two?.id ?? '', { action: 'chat', prompt: 'two, otherwise', attachments: [] });
    fake.end(new Error('no'));
    const turn = await failed;
    const again = session.retry(turn?.id ?? '');
    fake.end();
    await again;
    assert.equal(siblingsOf(session.conversation, turn?.id ?? '').length, 2);
  });
});
