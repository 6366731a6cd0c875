import assert from 'node:assert/strict';
import type { SentForm } from '../../../../src/send/form/form.ts';
import { mostRequests } from '../../../../src/send/form/requestLimit.ts';
import { errorOf } from '../../../../src/session/conversation/turn.ts';
import { Session } from '../../../../src/session/session.ts';
import { ServiceError } from '../../../../src/util/errors.ts';
import { FakeDispatch } from '../fakeDispatch.ts';
import { FakeToolbox } from '../fakeToolbox.ts';

const question = { action: 'chat', prompt: 'Hello', attachments: [] } as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;
const finish = (finishReason: string) => ({ type: 'finish', finishReason }) as const;
const form: SentForm = { requests: 2, changed: ['usage'], unsent: [], tools: ['a'] };

function start() {
  const fake = new FakeDispatch();
  const session = new Session(fake.dispatch, new FakeToolbox().source);
  return { fake, session };
}

describe('session: the form of a turn’s requests', () => {
  it('is kept with the turn, for all of its requests, and not for the same question asked again', async () => {
    const { fake, session } = start();
    const asked = session.ask(question);
    fake.send({ type: 'in-form', ...form }, { type: 'tool-call', call: { id: 'c', name: 'unknown', input: {} } });
    fake.end();
    fake.send({ type: 'in-form', requests: 1, changed: [], unsent: ['temperature'], tools: ['b'] }, text('Hi'));
    fake.end(new ServiceError('interrupted', 'gone', { code: 'reset' }));
    const turn = await asked;
    assert.deepEqual(turn.state.memory.sentForm, {
      requests: 3,
      changed: ['usage'],
      unsent: ['temperature'],
      tools: ['b'],
    });
    const again = session.retry(turn.id);
    fake.send(text('Hi'), finish('stop'));
    fake.end();
    assert.equal((await again)?.state.memory.sentForm, undefined);
  });

  it('is whole again if the user asks the same again: the first request of that turn tells', async () => {
    const { fake, session } = start();
    const answer = (error?: Error): void => {
      fake.send(text('Hi'), finish('stop'));
      fake.end(error);
    };
    answer(new ServiceError('interrupted', 'gone', { code: 'reset' }));
    const first = await session.ask(question);
    answer();
    await session.retry(first.id);
    answer();
    await session.edit(first.id, question);
    const last = session.conversation.turns.at(-1)?.id ?? '';
    answer();
    await session.edit(last, { ...question, prompt: 'Another' });
    assert.deepEqual(
      fake.sent.map(({ isAgain }) => isAgain),
      [undefined, true, true, undefined],
    );
  });

  it('has one limit for all that a press of Send sends, and another for the next', async () => {
    const { fake, session } = start();
    const cut = () => new ServiceError('protocol', 'cut', { code: 'tool-call-cut', details: { cut: 'length' } });
    fake.end(cut());
    fake.send(text('Hi'), finish('stop'));
    fake.end();
    await session.ask(question);
    const [first, second] = fake.sent;
    assert.ok(first?.limit !== undefined && first.limit === second?.limit);
    assert.equal(first.limit.left, mostRequests - 2);
    fake.send(text('Hi'), finish('stop'));
    fake.end();
    await session.ask(question);
    assert.equal(fake.sent[2]?.limit?.left, mostRequests - 1);
    // A call that was cut is not asked for again where nothing is left.
    const asked = session.ask(question);
    await Promise.resolve();
    while (fake.sent.length < 4) await new Promise(setImmediate);
    while (fake.sent[3]?.limit?.take());
    fake.end(cut());
    assert.equal(errorOf(await asked)?.code, 'tool-call-cut');
    assert.equal(fake.sent.length, 4);
  });
});

describe('session: an answer that ends for another reason', () => {
  it('is an error if it has no text, and is kept if it has', async () => {
    for (const [reason, words, status, code] of [
      ['network_error', '', 'failed', 'doubtful-end'],
      ['tool_calls_missing', ' \n', 'failed', 'doubtful-end'],
      ['stop', '', 'failed', 'empty'],
      ['network_error', 'Half', 'complete', undefined],
    ] as const) {
      const { fake, session } = start();
      fake.send(text(words), finish(reason));
      fake.end();
      const turn = await session.ask(question);
      assert.deepEqual([turn.state.status, errorOf(turn)?.code], [status, code], reason);
    }
  });
});
