import assert from 'node:assert/strict';
import fc from 'fast-check';
import { allTurns } from '../../../src/session/conversation/branches.ts';
import { conversationAsJson } from '../../../src/session/conversation/exportConversation.ts';
import { maxThinkingBytes, thinkingOver, thinkingWith } from '../../../src/session/conversation/thinking.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import type { SessionEvent } from '../../../src/session/sessionEvent.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { Workspace } from '../store/conversationSamples.ts';
import { FakeDispatch } from './fakeDispatch.ts';
import { FakeToolbox } from './fakeToolbox.ts';

const question = { action: 'chat', prompt: 'Hello', attachments: [] } as const;
const thought = (text: string) => ({ type: 'reasoning-delta', text }) as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;
const finish = (finishReason: string) => ({ type: 'finish', finishReason }) as const;
const secret = 'ONLY-THOUGHT';

function start() {
  const fake = new FakeDispatch();
  const box = new FakeToolbox();
  box.why = asOwn('Not here.');
  const session = new Session(fake.dispatch, box.source);
  const events: SessionEvent[] = [];
  session.onDidChange((event) => events.push(event));
  const last = (): Turn => session.conversation.turns.at(-1) ?? assert.fail('no turn');
  return { fake, session, events, last };
}

describe('session: thinking', () => {
  it('arrives beside the answer as deltas, and its state changes only when it begins and ends', async () => {
    const { fake, session, events, last } = start();
    const asked = session.ask(question);
    fake.send(thought('Let me '));
    fake.send(thought('see.'));
    fake.send(text('Yes.'));
    fake.send(thought(' Late.'));
    fake.send(finish('stop'));
    fake.end();
    await asked;
    assert.equal(last().state.memory.thinking?.text, 'Let me see. Late.');
    assert.equal(last().state.memory.thinking?.since, undefined);
    assert.equal(last().answer.text, 'Yes.');
    const deltas = events.flatMap((event) => (event.type === 'thinking' ? [event.text] : []));
    assert.deepEqual(deltas, ['Let me ', 'see.', ' Late.']);
    const states = events.flatMap(({ type, ...event }) =>
      type === 'turn-changed' && 'turn' in event ? [event.turn.state.memory.thinking?.since !== undefined] : [],
    );
    // Waiting, sent; begun; over with the first text; complete.
    assert.deepEqual(states, [false, false, true, false, false]);
  });

  it('the thinking of several requests is one text, with a paragraph for each', async () => {
    const { fake, session, last } = start();
    const asked = session.ask(question);
    const call = { id: 'c', name: 'look', input: {} };
    fake.send(thought('First.'), { type: 'tool-call', call }, finish('tool_calls'));
    fake.end();
    fake.send(thought('Then.'), text('Done.'), finish('stop'));
    fake.end();
    await asked;
    assert.equal(last().state.status, 'complete');
    assert.equal(last().state.memory.thinking?.text, 'First.\n\nThen.');
  });

  for (const [name, end] of [
    ['an error', (fake: FakeDispatch) => fake.end(new ServiceError('interrupted', 'gone', { code: 'end' }))],
    ['a stop', (_: FakeDispatch, session: Session) => session.stop()],
    ['an empty answer', (fake: FakeDispatch) => fake.end()],
  ] as const) {
    it(`is over after ${name}, and stays`, async () => {
      const { fake, session, events, last } = start();
      const asked = session.ask(question);
      const begun = new Promise<void>((resolve) => {
        session.onDidChange(({ type }) => type === 'thinking' && resolve());
      });
      fake.send(thought('Hm.'));
      await begun;
      end(fake, session);
      await asked;
      assert.equal(last().state.memory.thinking?.text, 'Hm.');
      assert.equal(last().state.memory.thinking?.since, undefined);
      assert.ok(events.some(({ type }) => type === 'thinking'));
    });
  }

  it('is removed when the question is asked again', async () => {
    const { fake, session, last } = start();
    const asked = session.ask(question);
    fake.send(thought('Hm.'));
    fake.end(new ServiceError('server', 'gone', {}));
    await asked;
    const again = session.retry(last().id);
    assert.equal(last().state.memory.thinking, undefined);
    fake.send(text('Yes.'));
    fake.end();
    await again;
  });

  it('is in no following request, no file, and no export', async () => {
    const { fake, session, last } = start();
    const asked = session.ask(question);
    const call = { id: 'c', name: 'look', input: {} };
    fake.send(thought(secret), text('Look.'), { type: 'tool-call', call }, finish('tool_calls'));
    fake.end();
    fake.send(thought(secret), text('Half'), finish('length'));
    fake.end();
    await asked;
    const rest = session.continue(last().id);
    fake.send(thought(secret), text(' done.'), finish('stop'));
    fake.end();
    await rest;
    const next = session.ask({ ...question, prompt: 'And now?' });
    fake.send(text('Nothing.'));
    fake.end();
    await next;
    await session.preview(question);
    assert.equal(fake.sent.length, 4);
    assert.ok(session.conversation.turns[0]?.state.memory.thinking?.text.includes(secret));
    for (const outgoing of [...fake.sent, ...fake.previewed]) assert.ok(!JSON.stringify(outgoing).includes(secret));
    assert.ok(!conversationAsJson(session.conversation).includes(secret));

    const workspace = new Workspace();
    try {
      const store = workspace.open();
      await store.save(session.conversation);
      await store.flush();
      assert.ok(workspace.everything().includes('Look.'));
      assert.ok(!workspace.everything().includes(secret));
      assert.ok(!workspace.everything().includes('thinking'));
      assert.deepEqual(await store.search(secret), []);
      const loaded = (await store.load(session.conversation.id)) ?? assert.fail('not stored');
      assert.ok(allTurns(loaded).every(({ state }) => state.memory.thinking === undefined));
    } finally {
      await workspace.remove();
    }
  });

  it('has at most 64 KiB, whole characters, and says that it was cut', () => {
    const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50_000 }), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (given) => {
        const thinking = given.reduce<ReturnType<typeof thinkingWith> | undefined>(
          (before, piece) => thinkingWith(before, piece, false),
          undefined,
        );
        const all = given.join('');
        const kept = thinking?.text ?? '';
        const bytes = Buffer.byteLength(kept);
        assert.ok(bytes <= maxThinkingBytes);
        assert.ok(all.startsWith(kept));
        assert.equal(thinking?.isCut ?? false, kept !== all);
        if (thinking?.isCut) assert.ok(bytes > maxThinkingBytes - 4);
      }),
      { numRuns: 200 },
    );
  });

  it('has the time of what arrived before the answer, even if the clock is set back', () => {
    const begun = thinkingWith(undefined, 'a', false);
    assert.ok(begun.since !== undefined);
    assert.ok(thinkingOver({ ...begun, since: Date.now() - 5_000 }).ms >= 5_000);
    assert.equal(thinkingOver({ ...begun, since: Date.now() + 60_000 }).ms, 0);
    assert.equal(thinkingWith(thinkingOver(begun), 'b', true).since, undefined);
  });
});
