import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/client/answer/answerShape.ts';
import { receiptOf } from '../../../src/send/message/receipt.ts';
import type { DispatchEvent } from '../../../src/send/withAuditOutcome.ts';
import { type Conversation, foldersOf } from '../../../src/session/conversation/conversation.ts';
import { errorOf, type Turn } from '../../../src/session/conversation/turn.ts';
import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { Session } from '../../../src/session/session.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import type { ToolDecision, ToolStep } from '../../../src/session/tools/toolStep.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import type { Cut } from '../../../src/util/whyCut.ts';
import { fieldsOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { FakeDispatch, preview } from './fakeDispatch.ts';
import { FakeToolbox } from './fakeToolbox.ts';
import { unplaced } from './unplaced.ts';

const question = { action: 'chat', prompt: 'Look at it', attachments: [] } as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;
/** Without an input, another call for each id. */
const call = (id: string, name = 'look', input: JsonObject = { at: id }) =>
  ({ type: 'tool-call', call: { id, name, input } }) as const;

function start(decide?: ToolDecision) {
  const fake = new FakeDispatch();
  const tools = new FakeToolbox();
  const session = new Session(fake.dispatch, tools.source);
  const asked: ToolStep[] = [];
  const { promise: firstAsked, resolve } = Promise.withResolvers<Turn>();
  session.onDidChange((event) => {
    if (event.type !== 'turn-changed') return;
    const step = event.turn.answer.steps.find(({ state }) => state === 'asking');
    if (step === undefined || asked.includes(step)) return;
    asked.push(step);
    resolve(event.turn);
    // As a user does: after it was shown.
    if (decide !== undefined) setImmediate(() => session.decideTool(event.turn.id, step.id, step.asked ?? 0, decide));
  });
  const rounds = (...each: readonly (readonly DispatchEvent[])[]): void => {
    for (const events of each) {
      fake.send(...events);
      fake.end();
    }
  };
  return { fake, tools, session, asked, firstAsked, rounds };
}

const askedIn = ({ steps }: Turn['answer']): number => steps[0]?.asked ?? assert.fail('no question');
const states = ({ answer }: Turn): string[] => answer.steps.map(({ state }) => state);
const outputs = ({ answer }: Turn): (string | undefined)[] => answer.steps.map(({ output }) => output?.text);

describe('session: tools', () => {
  it('a call is shown, asked about and run, and its result is sent in another request', async () => {
    const { fake, tools, session, asked, rounds } = start('once');
    rounds([text('Let me see.'), call('c1', 'look', { at: 'it' })], [text('It is fine.')]);
    const turn = await session.ask(question);
    assert.equal(turn.state.status, 'complete');
    assert.equal(turn.answer.text, 'Let me see.\n\nIt is fine.');
    assert.deepEqual(asked[0]?.input, { at: 'it' });
    assert.deepEqual(tools.ran, [{ id: 'c1', name: 'look', input: { at: 'it' } }]);
    assert.deepEqual(states(turn), ['done']);
    assert.equal(fake.sent.length, 2);
    assert.equal(fake.sent[0]?.offer?.tools[0]?.name, 'look');
    assert.deepEqual(unplaced(fake.sent[1]), [
      { role: 'user', lead: [houseRules], parts: ['Look at it'], secrets: 'mask' },
      {
        role: 'assistant',
        parts: ['Let me see.'],
        secrets: 'mask',
        toolCalls: [{ id: 'c1', name: 'look', input: { at: 'it' } }],
      },
      { role: 'tool', parts: ['result of look'], secrets: 'mask', label: 'look', toolCallId: 'c1' },
    ]);
  });

  it('a tool that asks about each call is never allowed for the conversation, and its details are not kept', async () => {
    const { tools, session, asked, rounds } = start('conversation');
    tools.asksEach = true;
    tools.question = 'npm test';
    rounds([call('c1'), call('c2')], [text('Done.')]);
    const turn = await session.ask(question);
    assert.deepEqual(
      asked.map(({ question, isOnlyOnce }) => [question, isOnlyOnce]),
      [
        ['npm test', true],
        ['npm test', true],
      ],
    );
    assert.deepEqual(
      turn.answer.steps.map((step) => [step.allowed, 'question' in step, 'isOnlyOnce' in step]),
      [
        ['once', false, false],
        ['once', false, false],
      ],
    );
    assert.deepEqual(
      tools.entries.map(({ decision }) => decision),
      ['once', 'once'],
    );
  });

  it('the user is asked again if the details change while they are asked', async () => {
    const { tools, session, asked, rounds } = start('once');
    tools.asksEach = true;
    Object.defineProperty(tools, 'question', { get: () => (asked.length === 0 ? 'npm test' : 'rm -r src') });
    rounds([call('c1')], [text('Done.')]);
    await session.ask(question);
    assert.deepEqual(
      asked.map(({ question }) => question),
      ['npm test', 'rm -r src'],
    );
    assert.equal(tools.ran.length, 1);
  });

  it('a second click on a question does not answer the next one about the same call, even when the turn is asked again', async () => {
    const { tools, session, firstAsked, rounds } = start();
    tools.asksEach = true;
    tools.question = 'npm test';
    const next = (): Promise<Turn> =>
      new Promise((resolve) =>
        session.onDidChange((event) => {
          if (event.type === 'turn-changed' && states(event.turn).includes('asking')) setImmediate(resolve, event.turn);
        }),
      );
    rounds([call('c1')], [text('Done.')]);
    const asking = session.ask(question);
    const first = await firstAsked;
    const click = (): void => session.decideTool(first.id, '0.0', askedIn(first.answer), 'once');
    const changed = next();
    tools.question = 'rm -r src';
    click();
    const second = await changed;
    click();
    await new Promise(setImmediate);
    assert.deepEqual([tools.ran, states(session.conversation.turns[0] ?? second)], [[], ['asking']]);
    session.decideTool(second.id, '0.0', askedIn(second.answer), 'deny');
    const denied = await asking;
    assert.deepEqual([states(denied), 'asked' in (denied.answer.steps[0] ?? {})], [['denied'], false]);
    rounds([call('c1')], [text('Done.')]);
    const again = next();
    const retrying = session.retry(first.id);
    const third = await again;
    assert.equal(third.id, first.id);
    click();
    session.decideTool(third.id, '0.0', askedIn(second.answer), 'once');
    await new Promise(setImmediate);
    assert.deepEqual(tools.ran, []);
    session.decideTool(third.id, '0.0', askedIn(third.answer), 'once');
    await retrying;
    assert.equal(tools.ran.length, 1);
  });

  it('the details of a question are not kept if the turn is stopped while it waits', async () => {
    const { tools, session, firstAsked, rounds } = start();
    tools.asksEach = true;
    tools.question = 'npm test';
    rounds([call('c1')]);
    const asking = session.ask(question);
    await firstAsked;
    session.stop();
    const [step] = (await asking).answer.steps;
    assert.deepEqual([step?.state, step?.question, step?.isOnlyOnce], ['stopped', undefined, undefined]);
  });

  it('a turn keeps zero retention if only its first request was sent with it, even when repeated', async () => {
    const { fake, session, rounds } = start();
    session.onDidChange(({ type }) => {
      if (type === 'turn-changed' && fake.sent.length === 1) fake.isZeroRetention = false;
    });
    fake.isZeroRetention = true;
    rounds([call('c1', 'unknown')], [text('Done.')]);
    const turn = await session.ask(question);
    assert.equal(fake.sent.length, 2);
    assert.equal(turn.question.isZeroRetention, true);
    rounds([text('Again.')]);
    assert.equal((await session.retry(turn.id))?.question.isZeroRetention, true);
    rounds([text('Other.')]);
    assert.equal((await session.ask(question)).question.isZeroRetention, undefined);
  });

  it('is asked about each time if it was allowed once', async () => {
    const { session, asked, rounds } = start('once');
    rounds([call('c1'), call('c2')], [call('c3')], [text('Done.')]);
    const turn = await session.ask(question);
    assert.deepEqual(states(turn), ['done', 'done', 'done']);
    assert.equal(asked.length, 3);
  });

  it('is asked about once if it was allowed for the conversation, and again in another conversation', async () => {
    const { session, asked, rounds } = start('conversation');
    rounds([call('c1')], [call('c2')], [text('Done.')]);
    await session.ask(question);
    rounds([call('c3')], [text('Done.')]);
    const second = await session.ask(question);
    assert.equal(asked.length, 1);
    assert.equal(second.answer.steps[0]?.allowed, 'conversation');
    session.newConversation();
    rounds([call('c4')], [text('Done.')]);
    await session.ask(question);
    assert.equal(asked.length, 2);
  });

  it('a tool is asked about each time, and for one call only, if each call needs an approval', async () => {
    const { tools, session, asked, rounds } = start('conversation');
    rounds([call('c1')], [text('Done.')]);
    await session.ask(question);
    tools.asksEach = true;
    rounds([call('c2'), call('c3')], [text('Done.')]);
    const turn = await session.ask(question);
    assert.equal(asked.length, 3);
    // The page, which still showed the other button, cannot widen the approval.
    assert.deepEqual(
      turn.answer.steps.map(({ allowed, isOnlyOnce }) => [allowed, isOnlyOnce]),
      [
        ['once', undefined],
        ['once', undefined],
      ],
    );
  });

  it('a tool is allowed for one call only if that was set while the user was asked', async () => {
    const { tools, session, firstAsked, rounds } = start();
    rounds([call('c1')], [text('Done.')]);
    const asking = session.ask(question);
    const { id, answer } = await firstAsked;
    assert.equal(answer.steps[0]?.isOnlyOnce, undefined);
    tools.asksEach = true;
    session.decideTool(id, answer.steps[0]?.id ?? '', askedIn(answer), 'conversation');
    assert.equal((await asking).answer.steps[0]?.allowed, 'once');
    tools.asksEach = false;
    const { promise: secondAsked, resolve } = Promise.withResolvers<Turn>();
    session.onDidChange((event) => {
      if (event.type === 'turn-changed' && states(event.turn).includes('asking')) resolve(event.turn);
    });
    rounds([call('c2')], [text('Done.')]);
    const askingAgain = session.ask(question);
    const second = await secondAsked;
    session.decideTool(second.id, second.answer.steps[0]?.id ?? '', askedIn(second.answer), 'deny');
    assert.deepEqual(states(await askingAgain), ['denied']);
  });

  it('a call that waits shows that only this call can be allowed', async () => {
    const { tools, session, firstAsked, rounds } = start();
    tools.asksEach = true;
    rounds([call('c1')], [text('Done.')]);
    const asking = session.ask(question);
    const { id, answer } = await firstAsked;
    assert.equal(answer.steps[0]?.isOnlyOnce, true);
    session.decideTool(id, answer.steps[0]?.id ?? '', askedIn(answer), 'once');
    assert.equal((await asking).answer.steps[0]?.isOnlyOnce, undefined);
  });

  it('a denied call is not run, the model is told, and the turn continues', async () => {
    const { fake, tools, session, rounds } = start('deny');
    rounds([call('c1')], [text('Without it, then.')]);
    const turn = await session.ask(question);
    assert.equal(turn.state.status, 'complete');
    assert.deepEqual(tools.ran, []);
    assert.match(outputs(turn)[0] ?? '', /did not allow/);
    assert.deepEqual(fake.sent[1]?.messages.at(-1)?.parts, outputs(turn));
  });

  it('is not run if it became forbidden while the user was asked, and an approval for the conversation does not stay', async () => {
    const { fake, tools, session, firstAsked, rounds } = start();
    rounds([call('c1')], [text('Then not.')]);
    const asking = session.ask(question);
    const { id, answer } = await firstAsked;
    tools.why = asOwn('Refused: this tool has been turned off.');
    session.decideTool(id, answer.steps[0]?.id ?? '', askedIn(answer), 'conversation');
    const turn = await asking;
    assert.deepEqual([tools.ran, states(turn), fake.sent.length], [[], ['refused'], 2]);
    assert.deepEqual(
      tools.entries.map(({ decision, outcome }) => [decision, outcome]),
      [['none', 'refused']],
    );
    tools.why = null;
    rounds([call('c2')], [text('Now.')]);
    const second = session.ask(question);
    await new Promise<void>((resolve) => {
      session.onDidChange((event) => {
        if (event.type !== 'turn-changed') return;
        const step = event.turn.answer.steps.find(({ state }) => state === 'asking');
        if (step === undefined) return;
        setImmediate(() => session.decideTool(event.turn.id, step.id, step.asked ?? 0, 'once'));
        resolve();
      });
    });
    assert.deepEqual(states(await second), ['done']);
  });

  it('ignores an answer for a call other than the pending one', async () => {
    const { tools, session, firstAsked, rounds } = start();
    rounds([call('c1')], [text('Done.')]);
    const asking = session.ask(question);
    const { id, answer } = await firstAsked;
    const asked = askedIn(answer);
    session.decideTool(id, '7.7', asked, 'once');
    session.decideTool('other', '0.0', asked, 'once');
    session.decideTool(id, '0.0', asked - 1, 'once');
    assert.deepEqual(tools.ran, []);
    session.decideTool(id, '0.0', asked, 'once');
    await asking;
    assert.equal(tools.ran.length, 1);
  });

  it('stop ends a pending call and all that wait', async () => {
    const { fake, tools, session, firstAsked, rounds } = start();
    rounds([call('c1'), call('c2')]);
    const asking = session.ask(question);
    await firstAsked;
    session.stop();
    const turn = await asking;
    assert.equal(turn.state.status, 'stopped');
    assert.deepEqual(states(turn), ['stopped', 'stopped']);
    assert.deepEqual(tools.ran, []);
    assert.equal(fake.sent.length, 1);
    assert.equal(tools.entries[0]?.outcome, 'stopped');
  });

  it('stop ends a running call, even one that ignores the signal', async () => {
    const { tools, session, rounds } = start('once');
    const { promise: running, resolve } = Promise.withResolvers<AbortSignal>();
    tools.answer = (_, signal) => {
      resolve(signal);
      return new Promise(() => undefined);
    };
    rounds([text('Let me see.'), call('c1')]);
    const asking = session.ask(question);
    const signal = await running;
    session.stop();
    const turn = await asking;
    assert.ok(signal.aborted);
    assert.equal(turn.state.status, 'stopped');
    assert.deepEqual(states(turn), ['stopped']);
  });

  it('a stopped turn continues, and the model is told what was stopped', async () => {
    const { fake, session, firstAsked, rounds } = start();
    rounds([text('Let me see.'), call('c1')]);
    const asking = session.ask(question);
    await firstAsked;
    session.stop();
    const { id } = await asking;
    rounds([text('Well.')]);
    const turn = await session.continue(id);
    assert.equal(turn?.answer.text, 'Let me see.\n\nWell.');
    const last = fake.sent[1]?.messages.at(-1);
    assert.equal(last?.role, 'tool');
    assert.match(String(last?.parts[0]), /stopped/);
  });

  it('a call that reached the maximum length is asked for again, shorter, and ends the turn the second time', async () => {
    const cut = (cut: Cut): ServiceError =>
      new ServiceError('protocol', 'cut', { code: 'tool-call-cut', details: { cut } });
    const { fake, tools, session, rounds } = start('conversation');
    fake.send(text('Let me see.'), { type: 'usage', usage: { totalTokens: 5 } });
    fake.end(cut('length'));
    rounds([call('c1'), { type: 'usage', usage: { totalTokens: 7 } }]);
    fake.send(text('More.'));
    fake.end(cut('length'));
    rounds([text('It is fine.')]);
    const turn = await session.ask(question);
    assert.deepEqual([turn.state.status, turn.answer.usage?.totalTokens, tools.ran.length], ['complete', 12, 1]);
    assert.equal(turn.answer.text, 'Let me see.\n\nMore.\n\nIt is fine.');
    const told = (at: number) => unplaced(fake.sent[at]).slice(-2);
    const shorter = { role: 'user', parts: ['Your call was cut off. Make it shorter.'], secrets: 'mask' };
    assert.deepEqual(told(1), [{ role: 'assistant', parts: ['Let me see.'], secrets: 'mask' }, shorter]);
    assert.deepEqual(told(3), [{ role: 'assistant', parts: ['More.'], secrets: 'mask' }, shorter]);

    fake.end(cut('length'));
    fake.end(cut('length'));
    const again = await session.ask(question);
    assert.deepEqual([again.state.status, errorOf(again)?.code, fake.sent.length], ['failed', 'tool-call-cut', 6]);
    fake.end(cut('filter'));
    assert.deepEqual([errorOf(await session.ask(question))?.code, fake.sent.length], ['tool-call-cut', 7]);
    tools.isOn = false;
    fake.end(cut('length'));
    assert.deepEqual([errorOf(await session.ask(question))?.code, fake.sent.length], ['tool-call-cut', 8]);
  });

  it('a tool that was not offered is refused without a question', async () => {
    const { tools, session, asked, rounds } = start('once');
    rounds([call('c1', 'delete_everything')], [text('Sorry.')]);
    const turn = await session.ask(question);
    assert.deepEqual(states(turn), ['refused']);
    assert.deepEqual([asked.length, tools.ran.length], [0, 0]);
    assert.match(outputs(turn)[0] ?? '', /no tool of this name/);
  });

  it('an invalid or unreadable input is refused without a question', async () => {
    const { tools, session, asked, rounds } = start('once');
    tools.why = asOwn('Refused: the input does not fit. path: expected string');
    rounds([call('c1')], [text('Sorry.')]);
    const misfit = await session.ask(question);
    assert.deepEqual(outputs(misfit), [tools.why]);
    tools.why = null;
    rounds([call('c2', 'look', { at: 'x'.repeat(20_000) })], [text('Sorry.')]);
    const endless = await session.ask(question);
    assert.match(outputs(endless)[0] ?? '', /longer than/);
    assert.deepEqual([asked.length, tools.ran.length], [0, 0]);
  });

  it('the model is told that a tool failed, without details of an internal error', async () => {
    const { tools, session, rounds } = start('once');
    tools.answer = async () => {
      throw new Error('something of /home/ann');
    };
    rounds([call('c1')], [text('Sorry.')]);
    const turn = await session.ask(question);
    assert.deepEqual([states(turn), outputs(turn)], [['failed'], ['The tool failed.']]);
  });

  it('records each call: name, decision and size, without its content', async () => {
    const { tools, session, rounds } = start('once');
    rounds([call('c1', 'look', { at: 'secret' }), call('c2', 'no identifier!')], [text('Done.')]);
    await session.ask(question);
    const bytes = 'result of look'.length;
    assert.deepEqual(tools.entries[0], { kind: 'tool-call', tool: 'look', decision: 'once', outcome: 'done', bytes });
    assert.equal(tools.entries[1]?.tool, '(not an identifier)');
    assert.deepEqual([tools.entries[1]?.decision, tools.entries[1]?.outcome], ['none', 'refused']);
  });

  it('the turn shows that its answer was made without them, and a call is then an error', async () => {
    const { fake, session, rounds } = start('once');
    rounds([{ type: 'without-tools' }, text('Without.')]);
    const first = await session.ask(question);
    assert.deepEqual(
      [first.state.status, first.answer.text, first.answer.isWithoutTools],
      ['complete', 'Without.', true],
    );
    rounds([{ type: 'without-tools' }, call('c1')]);
    const second = await session.ask(question);
    assert.deepEqual([second.state.status, errorOf(second)?.code], ['failed', 'tool-call']);
    assert.deepEqual(
      fake.sent.map(({ offer, withoutTools }) => [offer !== undefined, withoutTools?.().offer]),
      [
        [true, undefined],
        [true, undefined],
      ],
    );
  });

  it('a request after a call cannot do without them', async () => {
    const { fake, session, rounds } = start('once');
    rounds([call('c1')], [text('Fine.')]);
    await session.ask(question);
    assert.deepEqual(
      fake.sent.map(({ withoutTools }) => withoutTools !== undefined),
      [true, false],
    );
  });

  it('are not offered when switched off, and an unexpected call is an error', async () => {
    const { fake, tools, session, rounds } = start('once');
    tools.isOn = false;
    rounds([call('c1')]);
    const turn = await session.ask(question);
    assert.equal(fake.sent[0]?.offer, undefined);
    assert.deepEqual([turn.state.status, errorOf(turn)?.code], ['failed', 'tool-call']);
    assert.deepEqual(tools.ran, []);
  });

  it('calls of earlier turns are sent, even where no tools are offered: they are text of the request then', async () => {
    const { fake, tools, session, rounds } = start('once');
    rounds([text('Let me see.'), call('c1')], [text('Fine.')]);
    await session.ask(question);
    rounds([text('Yes.')]);
    await session.ask(question);
    tools.isOn = false;
    rounds([text('Yes.')]);
    await session.ask(question);
    const roles = fake.sent.map(({ messages }) => messages.map(({ role }) => role).join(' '));
    assert.equal(roles[2], 'user assistant tool assistant user');
    assert.equal(roles[3], 'user assistant tool assistant user assistant user');
    assert.equal(fake.sent[3]?.offer, undefined);
  });

  it('content of files is an attachment of the next request, and its folder’s settings apply', async () => {
    const { fake, tools, session, rounds } = start('once');
    const file = attachment({ label: 'a.ts', folder: 'file:///one' });
    tools.answer = async () => ({ state: 'done', output: { text: asOwn(''), attachments: [file] } });
    rounds([call('c1')], [text('Fine.')]);
    const turn = await session.ask(question);
    assert.deepEqual(fake.sent[1]?.messages.at(-1)?.parts, [file]);
    assert.deepEqual(fake.sent[1]?.folders, ['file:///one']);
    assert.deepEqual(foldersOf([turn]), ['file:///one']);
  });

  it('the turn has the tokens of all its requests, and the worst of their receipts', async () => {
    const { fake, session, rounds } = start('once');
    fake.headers = [{ name: 'Svc-Security-Level', value: 'high', setBy: [] }];
    const bad = receiptOf({ level: 'standard' }, fake.headers);
    const good = receiptOf({ level: 'high' }, fake.headers);
    const usage = { type: 'usage', usage: { totalTokens: 7 } } as const;
    rounds(
      [call('c1'), usage, { type: 'receipt', receipt: bad }],
      [text('Fine.'), usage, { type: 'receipt', receipt: good }],
    );
    const turn = await session.ask(question);
    assert.equal(turn.answer.usage?.totalTokens, 14);
    assert.equal(turn.answer.receipt?.verdict, 'contradicted');
  });

  it('the turn keeps its tokens if a later request has no counts, and repeated counts apply once', async () => {
    const { session, rounds } = start('once');
    const usage = (totalTokens: number) => ({ type: 'usage', usage: { totalTokens } }) as const;
    rounds([call('c1'), usage(3), usage(7)], [call('c2')], [text('Fine.')]);
    assert.equal((await session.ask(question)).answer.usage?.totalTokens, 7);
    rounds([call('c3')], [text('Fine.'), usage(5)]);
    assert.equal((await session.ask(question)).answer.usage?.totalTokens, 5);
  });

  it('each request of a turn is previewed before it is sent, if required', async () => {
    const { fake, session, rounds } = start('once');
    fake.confirmation = { preview, found: [], leftOutOfMessage: [] };
    let reviews = 0;
    session.onDidChange((event) => {
      if (event.type !== 'turn-changed' || event.turn.state.status !== 'confirming') return;
      reviews += 1;
      setImmediate(() => session.decide(event.turn.id, fieldsOf(event.turn).asked ?? 0, 'send-masked'));
    });
    rounds([call('c1')], [text('Fine.')]);
    const turn = await session.ask(question);
    assert.deepEqual([turn.state.status, turn.answer.text, reviews], ['complete', 'Fine.', 2]);
  });

  it('the choice for secrets in the question applies to all requests of the turn', async () => {
    const { fake, session, rounds } = start('once');
    fake.confirmation = { preview, found: [], leftOutOfMessage: [] };
    session.onDidChange((event) => {
      if (event.type !== 'turn-changed' || event.turn.state.status !== 'confirming') return;
      const choice = event.turn.answer.steps.length === 0 ? 'send-as-is' : 'send-masked';
      setImmediate(() => session.decide(event.turn.id, fieldsOf(event.turn).asked ?? 0, choice));
    });
    rounds([call('c1')], [call('c2')], [text('Fine.')]);
    const turn = await session.ask(question);
    assert.deepEqual(turn.question.secrets, { asIsFor: fake.destination });
    const agreed = { asIsFor: fake.destination, otherwise: 'ask' };
    assert.deepEqual(
      fake.sent.map(({ messages }) => messages[0]?.secrets),
      ['ask', agreed, agreed],
    );
  });

  it('a conversation that is closed during a question has nothing open', async () => {
    const { session, firstAsked, rounds } = start();
    const left: Conversation[] = [];
    session.onDidChange((event) => {
      if (event.type === 'conversation-left') left.push(event.conversation);
    });
    rounds([call('c1')]);
    const asking = session.ask(question);
    await firstAsked;
    session.newConversation();
    await asking;
    assert.deepEqual(left[0]?.turns.map(states), [['stopped']]);
  });
});
