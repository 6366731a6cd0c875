import assert from 'node:assert/strict';
import { TurnRun } from '../../../src/session/turnRun.ts';
import type { TurnChange } from '../../../src/session/turnStart.ts';
import { fieldsOf, type TurnFields, turnOf } from '../../tools/turns.ts';
import { FakeDispatch } from './fakeDispatch.ts';
import { FakeToolbox } from './fakeToolbox.ts';

const asked: TurnFields = { id: 'now', askedAt: 2, prompt: 'And now?', status: 'waiting' };
const turn = turnOf(asked);
const conversation = { id: 'c', mayLeaveOutTurns: false };
const earlier = turnOf({ id: 'a', prompt: 'Hello', answer: 'Hi' });
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;

/** A run with everything that it needs; `changes` are all its reports. */
function start(granted = new Set<string>()) {
  const fake = new FakeDispatch();
  const tools = new FakeToolbox();
  const changes: TurnChange[] = [];
  const run = new TurnRun({
    conversation,
    ...{ turn, before: [earlier], continues: false, dispatch: fake.dispatch, tools: tools.source, granted },
    instructions: async () => [],
    onChange: (change) => changes.push(change),
  });
  return { fake, tools, changes, run };
}

describe('session: the run of a turn', () => {
  it('reports its state and its text, each in order, and resolves with the last state', async () => {
    const { fake, changes, run } = start();
    fake.send(text('One, '));
    fake.send(text('two'), { type: 'usage', usage: { totalTokens: 7 } });
    fake.end();
    const end = await run.toEnd();
    const states = changes.flatMap(({ turn: { state }, added }) => (added === undefined ? [state.status] : []));
    assert.deepEqual(states, ['waiting', 'waiting', 'streaming', 'complete']);
    assert.equal(changes.map(({ added = '' }) => added).join(''), 'One, two');
    assert.deepEqual(
      [end.answer.text, end.answer.usage, changes.at(-1)?.turn === end],
      ['One, two', { totalTokens: 7 }, true],
    );
  });

  it('reports the state before the text that comes with it, so that a page knows the turn streams', async () => {
    const { fake, changes, run } = start();
    fake.send(text('One'));
    fake.end();
    await run.toEnd();
    const first = changes.findIndex(({ added = '' }) => added !== '');
    assert.deepEqual([changes[first - 1]?.turn.state.status, changes[first - 1]?.added], ['streaming', undefined]);
  });

  it('carries the turns before it in each of its requests, and its own calls', async () => {
    const { fake, tools, run } = start(new Set(['look']));
    fake.send({ type: 'tool-call', call: { id: 'c1', name: 'look', input: {} } });
    fake.end();
    fake.send(text('Done.'));
    fake.end();
    await run.toEnd();
    const roles = fake.sent.map(({ messages }) => messages.map(({ role }) => role).join(' '));
    assert.deepEqual(roles, ['user assistant user', 'user assistant user assistant tool']);
    assert.equal(tools.ran.length, 1);
  });

  it('knows when the running request was sent, and nothing while no request waits', async () => {
    const { fake, changes, run } = start(new Set(['look']));
    const begun = Date.now();
    fake.send({ type: 'tool-call', call: { id: 'c1', name: 'look', input: {} } });
    fake.end();
    fake.send(text('Done.'));
    fake.end();
    await run.toEnd();
    const waits = changes.filter(({ turn: { state }, added }) => state.status === 'waiting' && added === undefined);
    assert.deepEqual(
      waits.map(({ turn }) => {
        const { sentAt } = fieldsOf(turn);
        return sentAt !== undefined && sentAt >= begun && sentAt <= Date.now();
      }),
      [false, true, false, true],
    );
    const again = start();
    again.fake.send(text('More.'));
    again.fake.end();
    const kept = new TurnRun({
      conversation,
      ...{
        turn: turnOf({ ...asked, answer: 'Some', sentAt: 1 }),
        before: [],
        continues: true,
        dispatch: again.fake.dispatch,
      },
      ...{ tools: again.tools.source, granted: new Set<string>() },
      instructions: async () => [],
      onChange: (change) => again.changes.push(change),
    });
    await kept.toEnd();
    const [first] = again.changes;
    assert.deepEqual(first?.turn.state, { status: 'waiting', memory: {} });
  });

  it('ends as stopped if it was stopped before its start, and reports nothing after its end', async () => {
    const { changes, run } = start();
    run.stop();
    assert.equal((await run.toEnd()).state.status, 'stopped');
    const { length } = changes;
    run.decide(1, 'send-masked');
    run.decideTool('0.0', 1, 'once');
    run.retryNow();
    assert.equal(changes.length, length);
  });
});
