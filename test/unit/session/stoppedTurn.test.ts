import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/client/answer/answerShape.ts';
import type { Usage } from '../../../src/client/chat.ts';
import type { DispatchEvent } from '../../../src/send/withAuditOutcome.ts';
import { errorOf, type Turn } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import { maxFailures, turnLimits } from '../../../src/session/tools/stopRules.ts';
import { saying, toolMessages } from '../../../src/session/tools/toolStep.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { FakeDispatch } from './fakeDispatch.ts';
import { FakeToolbox } from './fakeToolbox.ts';

const question = { action: 'chat', prompt: 'Look at it', attachments: [] } as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;
const usage = (counts: Usage) => ({ type: 'usage', usage: counts }) as const;
const call = (input: JsonObject, name = 'look') =>
  ({ type: 'tool-call', call: { id: randomUUID(), name, input } }) as const;
const at = (place: number | string) => call({ at: place });

function start() {
  const fake = new FakeDispatch();
  const tools = new FakeToolbox();
  tools.mustAsk = false;
  const session = new Session(fake.dispatch, tools.source);
  const rounds = (...each: readonly (readonly DispatchEvent[])[]): void => {
    for (const events of each) {
      fake.send(...events);
      fake.end();
    }
  };
  /** Asks, and gets one answer after another as long as the turn goes on. */
  const ask = async (...each: readonly (readonly DispatchEvent[])[]): Promise<Turn> => {
    rounds(...each);
    return session.ask(question);
  };
  return { fake, tools, session, rounds, ask };
}

const endOf = (turn: Turn | undefined): unknown => [turn?.state.status, errorOf(turn)?.code];
const outputs = ({ answer }: Turn): string[] => answer.steps.map(({ output }) => output?.text ?? '');
const states = ({ answer }: Turn): string => answer.steps.map(({ state }) => state).join(' ');
/** Whether each call has its result directly after it. */
const isAnswered = (turn: Turn): boolean => {
  const { messages } = toolMessages(turn.id, turn.answer);
  const wanted = messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
  const got = messages.flatMap(({ toolCallId }) => (toolCallId === undefined ? [] : [toolCallId]));
  return wanted.join() === got.join() && turn.answer.steps.every(({ output }) => output !== undefined);
};

describe('session: the same call again', () => {
  it('is not run the second time, is refused the third time, and ends the turn the fourth time', async () => {
    const { fake, tools, ask } = start();
    const turn = await ask([text('Let me see.'), at(1)], [at(1)], [at(1)], [at(1), at(2)], [text('Never sent.')]);
    assert.deepEqual(endOf(turn), ['interrupted', 'same-call']);
    assert.equal(states(turn), 'done refused refused capped capped');
    assert.deepEqual([tools.ran.length, fake.sent.length, turn.answer.text], [1, 4, 'Let me see.']);
    const [, second, third, fourth] = outputs(turn);
    assert.equal(second, 'Not run: this call was made before, and its result is above.');
    assert.match(third ?? '', /^Refused: .*same call/);
    assert.match(fourth ?? '', /^Not run: the turn was stopped/);
    assert.ok(isAnswered(turn));
    assert.deepEqual(
      tools.entries.map(({ decision, outcome }) => `${decision} ${outcome}`),
      ['none done', 'none refused', 'none refused', 'none capped', 'none capped'],
    );
  });

  it('is found within one answer, and whatever the order of its fields', async () => {
    const { tools, ask } = start();
    const turn = await ask(
      [call({ a: 1, b: { c: 1, d: 2 } }), call({ b: { d: 2, c: 1 }, a: 1 }), call({ a: 1, b: { c: 2, d: 1 } })],
      [text('Fine.')],
    );
    assert.deepEqual([endOf(turn), states(turn), tools.ran.length], [['complete', undefined], 'done refused done', 2]);
  });

  it('does not ask the user again who denied it', async () => {
    const { tools, session, rounds } = start();
    tools.mustAsk = true;
    let asked = 0;
    session.onDidChange((event) => {
      if (event.type !== 'turn-changed') return;
      const step = event.turn.answer.steps.find(({ state }) => state === 'asking');
      if (step === undefined) return;
      asked += 1;
      setImmediate(() => session.decideTool(event.turn.id, step.id, step.asked ?? 0, 'deny'));
    });
    rounds([at(1)], [at(1)], [text('Then not.')]);
    const turn = await session.ask(question);
    assert.deepEqual([states(turn), asked, tools.ran.length], ['denied refused', 1, 0]);
  });

  it('is run again after a call that changed something, and after someone changed a file', async () => {
    const { tools, ask } = start();
    tools.changing.add('edit');
    tools.offered.push('edit');
    tools.answer = async ({ name, input }) => {
      if (input.at === 'typing') tools.fileChanges += 1;
      return { state: input.at === 'refused' ? 'refused' : 'done', output: saying(asOwn(name)) };
    };
    const edit = (place: string) => call({ at: place }, 'edit');
    const turn = await ask([at(1), edit('refused'), at(1)], [edit('x'), at(1), edit('x'), at(1)], [text('Fine.')]);
    assert.equal(states(turn), 'done refused refused done done done done');
    const typed = await ask([at(1), at('typing'), at(1), at(1)], [text('Fine.')]);
    assert.equal(states(typed), 'done done done refused');
  });

  it('is run again if a request left out results: it told the model to call again', async () => {
    const { fake, session, rounds } = start();
    const shortened = { parts: [], counts: { turn: 0, attachment: 0, result: 1 }, tokens: 9 };
    session.onDidChange(({ type }) => {
      if (type === 'turn-changed' && fake.sent.length === 1) fake.shortened = shortened;
    });
    rounds([at(1)], [at(1), at(1)], [text('Fine.')]);
    assert.equal(states(await session.ask(question)), 'done done refused');
  });

  it('is found in the deepest and the largest inputs', async () => {
    const { ask } = start();
    const deep = (last: number) => call(JSON.parse(`{"a":${'['.repeat(99)}${last}${']'.repeat(99)}}`));
    const large = () => at('x'.repeat(1_000_000));
    const turn = await ask([deep(1), deep(1), deep(2), large(), large()], [text('Fine.')]);
    assert.equal(states(turn), 'done refused done refused refused');
    assert.match(outputs(turn)[3] ?? '', /longer than 16000 characters/);
    assert.equal(outputs(turn)[4], 'Not run: this call was made before, and its result is above.');
  });
});

describe('session: a turn is stopped', () => {
  it(`a turn is stopped after ${turnLimits.calls} calls, in the middle of an answer, and each call gets a result`, async () => {
    const { fake, tools, ask } = start();
    const many = Array.from({ length: turnLimits.calls + 9 }, (_, index) => at(index));
    const turn = await ask(many);
    assert.deepEqual(endOf(turn), ['interrupted', 'calls']);
    assert.deepEqual([tools.ran.length, fake.sent.length], [turnLimits.calls, 1]);
    assert.equal(
      states(turn)
        .split(' ')
        .filter((state) => state === 'capped').length,
      9,
    );
    assert.equal(tools.entries.length, many.length);
    assert.ok(isAnswered(turn));
  });

  it('a turn is stopped after fewer calls if the toolbox has a lower limit, and can go on', async () => {
    const { fake, tools, ask, session, rounds } = start();
    tools.maxCalls = 2;
    const turn = await ask([at(1), at(2), at(3)]);
    assert.deepEqual([endOf(turn), states(turn)], [['interrupted', 'calls'], 'done done capped']);
    rounds([at(4)], [text('Fine.')]);
    assert.deepEqual(endOf(await session.continue(turn.id)), ['complete', undefined]);
    assert.equal(fake.sent.length, 3);
    assert.equal(tools.ran.length, 3);
  });

  it(`a turn is stopped after ${turnLimits.requests} requests, before their calls are run`, async () => {
    const { fake, tools, ask } = start();
    const turn = await ask(...Array.from({ length: turnLimits.requests }, (_, index) => [at(index)]));
    assert.deepEqual(endOf(turn), ['interrupted', 'requests']);
    assert.deepEqual([tools.ran.length, fake.sent.length], [turnLimits.requests - 1, turnLimits.requests]);
  });

  it('requests whose call was cut off are counted', async () => {
    const { fake, tools, session, rounds } = start();
    rounds(...Array.from({ length: turnLimits.requests - 2 }, (_, index) => [at(index)]));
    fake.end(new ServiceError('protocol', 'cut', { code: 'tool-call-cut', details: { cut: 'length' } }));
    rounds([at('shorter')]);
    const turn = await session.ask(question);
    assert.deepEqual([endOf(turn), fake.sent.length], [['interrupted', 'requests'], turnLimits.requests]);
    assert.equal(tools.ran.length, turnLimits.requests - 2);
  });

  it('a turn is not stopped if its last request answers', async () => {
    const { ask } = start();
    const calls = Array.from({ length: turnLimits.requests - 1 }, (_, index) => [at(index)]);
    assert.deepEqual(endOf(await ask(...calls, [text('Fine.'), usage({ totalTokens: 5_000_000 })])), [
      'complete',
      undefined,
    ]);
  });

  for (const [counts, what] of [
    [{ totalTokens: turnLimits.tokens / 2 }, 'the total'],
    [{ promptTokens: turnLimits.tokens / 2 - 10, completionTokens: 10 }, 'two counts'],
  ] as const) {
    it(`a turn is stopped after ${turnLimits.tokens} tokens: ${what}`, async () => {
      const { tools, ask } = start();
      // Counts that a service sends again replace the ones before.
      const turn = await ask([at(1), usage({ totalTokens: 7 }), usage(counts)], [at(2), usage(counts)]);
      assert.deepEqual([endOf(turn), tools.ran.length], [['interrupted', 'tokens'], 1]);
    });
  }

  it('a turn is stopped by an estimate of the tokens, if the service does not count them', async () => {
    const { fake, tools, ask } = start();
    tools.answer = async () => ({ state: 'done', output: saying(asOwn('word '.repeat(300_000))) });
    const zeros = usage({ promptTokens: 0, completionTokens: 0, totalTokens: 0 });
    const turn = await ask([at(1)], [at(2), zeros], [at(3)], [at(4)]);
    assert.deepEqual([endOf(turn), fake.sent.length], [['interrupted', 'tokens'], 3]);
  });

  it(`a turn is stopped after ${maxFailures} calls in a row that were refused or failed`, async () => {
    const { tools, ask } = start();
    tools.answer = async ({ input }) => ({ state: input.at === 'it' ? 'done' : 'failed', output: saying(asOwn('')) });
    const failing = (from: number) => [at(from), call({ at: from }, 'unknown'), at(from + 1)];
    const turn = await ask(failing(0), [at('it')], failing(2), failing(4), [text('Never sent.')]);
    assert.deepEqual(endOf(turn), ['interrupted', 'failures']);
    assert.equal(turn.answer.steps.length, 10);
  });

  it('a turn is stopped if a few calls alternate, even though each changes something', async () => {
    const { fake, tools, ask } = start();
    tools.changing.add('look');
    const turn = await ask(...Array.from({ length: 12 }, (_, index) => [at(index % 2)]));
    assert.deepEqual([endOf(turn), fake.sent.length, tools.ran.length], [['interrupted', 'circle'], 12, 12]);
  });

  it('a turn is stopped if it alternates between two calls that change nothing', async () => {
    const { ask } = start();
    const turn = await ask(...Array.from({ length: 12 }, (_, index) => [at(index % 2)]));
    assert.deepEqual(endOf(turn), ['interrupted', 'same-call']);
    assert.equal(
      states(turn)
        .split(' ')
        .filter((state) => state === 'done').length,
      2,
    );
  });
});

describe('session: a turn near its limits', () => {
  const told = ({ messages }: FakeDispatch['sent'][number]): boolean =>
    /almost reached its limit/.test(String(messages.at(-1)?.parts[0]));

  it('is told to the model once: of calls', async () => {
    const { fake, ask } = start();
    const many = (from: number, count: number) => Array.from({ length: count }, (_, index) => at(from + index));
    const near = turnLimits.calls - 5;
    const turn = await ask(many(0, near - 1), many(near - 1, 2), many(near + 1, 1), [text('Fine.')]);
    assert.deepEqual([turn.state.status, fake.sent.map(told)], ['complete', [false, false, true, false]]);
  });

  it('is told to the model once: of requests', async () => {
    const { fake, session, rounds } = start();
    const before = Array.from({ length: turnLimits.requests - 2 }, (_, index) => [at(index)]);
    rounds(...before, [at('x')]);
    rounds([text('Fine.')]);
    assert.equal((await session.ask(question)).answer.text, 'Fine.');
    assert.deepEqual(
      fake.sent.flatMap((sent, index) => (told(sent) ? [index] : [])),
      [turnLimits.requests - 1],
    );
  });
});

describe('session: a turn that was stopped', () => {
  it('continues with as much again, and may make the same call again', async () => {
    const { fake, tools, session, rounds, ask } = start();
    const { id } = await ask([at(1)], [at(1)], [at(1)], [at(1)]);
    rounds([at(1)], [text('Fine.')]);
    const turn = await session.continue(id);
    assert.deepEqual([endOf(turn), turn?.answer.text], [['complete', undefined], 'Fine.']);
    assert.equal(turn === undefined ? '' : states(turn), 'done refused refused capped done');
    assert.equal(tools.ran.length, 2);
    assert.deepEqual(fake.sent[4]?.messages.map(({ role }) => role).join(' '), `user${' assistant tool'.repeat(4)}`);
  });

  it('is part of later questions, also without any text', async () => {
    const { fake, session, rounds, ask } = start();
    const { id } = await ask([at(1)], [at(1)], [at(1)], [at(1)]);
    rounds([text('It did.')]);
    await session.ask({ ...question, prompt: 'What did you find?' });
    assert.equal(fake.sent[4]?.messages.map(({ role }) => role).join(' '), `user${' assistant tool'.repeat(4)} user`);
    // The question is not asked from its beginning if it continues in a way other than Continue.
    rounds([text('Fine.')]);
    assert.equal((await session.leaveOutTurns(id))?.answer.steps.length, 4);
  });

  it('keeps text and calls if it ends for another reason, too', async () => {
    const { fake, session, rounds } = start();
    rounds([at(1)]);
    fake.end(new ServiceError('network', 'gone', {}));
    const turn = await session.ask(question);
    assert.deepEqual([turn.state.status, states(turn)], ['interrupted', 'done']);
    rounds([text('Fine.')]);
    assert.equal((await session.continue(turn.id))?.answer.text, 'Fine.');
  });

  it('ends for any calls, with a result and a record for each of them, and within its limits', async () => {
    const some = fc.record({ at: fc.nat(3), name: fc.constantFrom('look', 'edit', 'unknown') });
    const rounds = fc.array(fc.array(some, { minLength: 1, maxLength: 9 }), { minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(rounds, fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }), async (each, good) => {
        const { fake, tools, ask } = start();
        tools.offered.push('edit');
        tools.changing.add('edit');
        tools.answer = async () => ({
          state: good[tools.ran.length % good.length] === true ? 'done' : 'failed',
          output: saying(asOwn('It.')),
        });
        const answers = each.map((calls) => calls.map(({ at, name }) => call({ at }, name)));
        const turn = await ask(...answers, [text('Fine.')]);
        const { steps } = turn.answer;
        assert.ok(isAnswered(turn));
        assert.equal(tools.entries.length, steps.length);
        assert.ok(fake.sent.length <= turnLimits.requests && tools.ran.length <= turnLimits.calls);
        assert.equal(turn.state.status === 'complete', turn.answer.text === 'Fine.');
        if (turn.state.status !== 'complete') assert.equal(errorOf(turn)?.kind, 'interrupted');
      }),
      { numRuns: 200 },
    );
  });
});

describe('session: a tool that need not ask', () => {
  it('runs immediately, is recorded without a decision, and is still refused for a reason', async () => {
    const { tools, session, ask } = start();
    const shown: string[] = [];
    session.onDidChange((event) => {
      if (event.type === 'turn-changed') shown.push(states(event.turn));
    });
    const turn = await ask([at(1)], [text('Fine.')]);
    assert.ok(!shown.some((state) => state.includes('asking')));
    assert.deepEqual([states(turn), turn.answer.steps[0]?.allowed], ['done', undefined]);
    assert.deepEqual([tools.entries[0]?.decision, tools.entries[0]?.outcome], ['none', 'done']);
    tools.why = asOwn('Refused: it is off.');
    assert.equal(states(await ask([at(1)], [text('Fine.')])), 'refused');
    assert.equal(tools.ran.length, 1);
  });

  it('takes an input as long as its toolbox says', async () => {
    const { tools, ask } = start();
    tools.maxInputChars = 100;
    const turn = await ask([at('x'.repeat(80)), at('x'.repeat(101))], [text('Fine.')]);
    assert.equal(states(turn), 'done refused');
    assert.match(outputs(turn)[1] ?? '', /longer than 100 characters/);
  });
});

describe('session: what a stopped turn has proposed', () => {
  it('is known until the window is closed, and only if something was proposed', async () => {
    const { tools, session, ask, rounds } = start();
    const none = await ask([at(1)], [at(1)], [at(1)], [at(1)]);
    assert.deepEqual([endOf(none), none.state.memory.hasProposed], [['interrupted', 'same-call'], undefined]);
    session.selectMode('change');
    const some = await ask([at(2)], [at(2)], [at(2)], [at(2)]);
    assert.deepEqual([endOf(some), some.state.memory.hasProposed], [['interrupted', 'same-call'], true]);
    rounds([text('Never mind.')]);
    const again = await session.retry(some.id);
    assert.equal(again?.state.memory.hasProposed, undefined);
    tools.answer = async () => ({ state: 'refused', output: saying(asOwn('no')) });
    const refused = await ask(...Array.from({ length: maxFailures }, (_, index) => [at(index)]));
    assert.deepEqual([endOf(refused), refused.state.memory.hasProposed], [['interrupted', 'failures'], undefined]);
  });
});
