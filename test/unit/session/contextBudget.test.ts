import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { ChatEvent } from '../../../src/client/chat.ts';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import type { DispatchEvent } from '../../../src/send/withAuditOutcome.ts';
import { outgoingFor } from '../../../src/session/conversation/outgoingFor.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { answering as answers, Stage } from './dispatchStage.ts';

const turn = (id: string, over: TurnFields = {}): Turn =>
  turnOf({ id, prompt: `question ${id}`, answer: `answer ${id}`, model: 'm', ...over });
const file = (name: string, bytes: number) =>
  attachment({ label: name, uri: `file:///one/${name}`, text: `${name}\n`.repeat(bytes / (name.length + 1)) });

/** A question after some turns, each with an attachment of this size. */
function asked(count: number, bytes: number, conversation = { id: 'c', mayLeaveOutTurns: false }): Outgoing {
  const before = Array.from({ length: count }, (_, at) => turn(`t${at}`, { attachments: [file(`${at}.ts`, bytes)] }));
  return outgoingFor({ turn: turn('now'), before, conversation }, false, { toolbox: null, instructions: [] });
}

function answering(promptTokens?: number) {
  return async function* (): AsyncGenerator<readonly ChatEvent[]> {
    yield [
      { type: 'response', status: 200 },
      { type: 'text-delta', text: 'Hi' },
    ];
    yield [
      { type: 'usage', usage: promptTokens === undefined ? {} : { promptTokens } },
      { type: 'finish', finishReason: 'stop' },
    ];
  };
}

/** Refuses each request with more bytes, in the words of a service. */
function refusing(stage: Stage, bytes: number, contextTokens?: number): void {
  stage.answer = async function* (_, { body }) {
    if (Buffer.byteLength(body) > bytes)
      throw new ServiceError('request', 'no', { status: 400, code: 'context-length', contextTokens });
    yield* answering()();
  };
}

const eventOf = <T extends DispatchEvent['type']>(events: readonly DispatchEvent[], type: T) =>
  events.find((event): event is Extract<DispatchEvent, { type: T }> => event.type === type);
const sizes = ({ sent }: Stage): readonly number[] => sent.map(({ request }) => Buffer.byteLength(request.body));

describe('dispatch: a conversation that exceeds the context window of the model', () => {
  it('is sent without old attachments, and says which, before it is sent and after', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 10_000;
    const question = asked(4, 12_000);
    const { shortened } = await stage.dispatch.preview(question);
    assert.deepEqual(
      shortened?.parts.map(({ label, question: words }) => [label, words]),
      [
        ['0.ts', 'question t0'],
        ['1.ts', 'question t1'],
        ['2.ts', 'question t2'],
      ],
    );
    const sent = await stage.dispatch.send(question, () => assert.fail('asked'), new AbortController().signal);
    assert.deepEqual(sent.shortened, shortened);
    for await (const _ of sent.events);
    assert.match(stage.sent[0]?.request.body ?? '', /left out to fit: 0\.ts, 12 KB/);
    assert.equal(stage.entry('request-intent').files, 1);
  });

  it('stays without them, until the limit grows', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 10_000;
    await stage.send(asked(4, 12_000));
    const next = await stage.dispatch.preview(asked(4, 12_000));
    assert.equal(next.shortened?.parts.length, 3);
    const other = await stage.dispatch.preview(asked(2, 12_000, { id: 'other', mayLeaveOutTurns: false }));
    assert.equal(other.shortened, undefined);
    stage.settings['svc.context.maxTokens'] = 100_000;
    assert.equal((await stage.dispatch.preview(asked(4, 12_000))).shortened, undefined);
  });

  it('leaves out half of the limit in one step, so that most requests begin with all of the one before', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 10_000;
    // Counts would change the estimate.
    stage.answer = answering();
    const before: Turn[] = [];
    for (let at = 0; at < 30; at += 1) {
      const now = turn(`t${at}`, { attachments: [file(`${at}.ts`, 3_200)] });
      const conversation = { id: 'c', mayLeaveOutTurns: false };
      await stage.send(outgoingFor({ turn: now, before, conversation }, false, { toolbox: null, instructions: [] }));
      before.push(now);
    }
    const first = stage.sent.findIndex(({ request }) => request.body.includes('[left out to fit: '));
    const cuts = stage.sent.flatMap(({ messages }, at) => {
      const last = stage.sent[at - 1]?.messages ?? [];
      return isDeepStrictEqual(messages.slice(0, last.length), last) ? [] : [at];
    });
    assert.equal(cuts[0], first);
    const bytes = stage.sent.map(({ messages }) =>
      messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
    );
    for (const at of cuts) {
      // It would not have fitted, and half of it is free now: 10,000 tokens have 32,000 bytes.
      assert.ok((bytes[at - 1] ?? 0) + 3_200 > 31_000, `${bytes[at - 1]}`);
      assert.ok((bytes[at] ?? 0) <= 16_000, `${bytes[at]}`);
    }
    assert.ok(cuts.length <= 5, cuts.join(' '));
  });

  it('asks before whole turns are left out, unless the settings answer', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 4000;
    const before = [1, 2, 3, 4].map((id) => turn(`t${id}`, { answer: 'word '.repeat(1000) }));
    const question = (mayLeaveOutTurns: boolean): Outgoing =>
      outgoingFor({ turn: turn('now'), before, conversation: { id: 'c', mayLeaveOutTurns } }, false, {
        toolbox: null,
        instructions: [],
      });
    await assert.rejects(stage.send(question(false)), {
      kind: 'gate',
      code: 'conversation-too-long',
      contextTokens: 4000,
    });
    assert.deepEqual([stage.sent.length, stage.kinds], [0, ['refused']]);
    await stage.send(question(true));
    stage.settings['svc.context.onLimit'] = 'leaveOut';
    await stage.send(question(false));
    for (const { messages } of stage.sent) {
      assert.match(messages[0]?.content ?? '', /word for word:\n\nquestion t1\n\n/);
    }
  });

  it('names the largest attachments of a question that does not fit alone', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 4000;
    const attachments = [file('a.ts', 1000), file('b.ts', 40_000), file('c.ts', 20_000)];
    const large = turn('now', { attachments });
    const conversation = { id: 'c', mayLeaveOutTurns: true };
    const question = outgoingFor({ turn: large, before: [], conversation }, false, { toolbox: null, instructions: [] });
    await assert.rejects(stage.send(question), { code: 'question-too-long', file: 'b.ts, c.ts' });
  });

  it('refuses settings that leave no room, and invalid ones', async () => {
    const stage = new Stage();
    stage.settings['svc.context.windows'] = ['svc/*=4096'];
    stage.settings['svc.request.maxTokens'] = 3000;
    await assert.rejects(stage.send(asked(0, 0)), { kind: 'policy', code: 'context-budget' });
    const bad = [
      ['svc/auto'],
      ['svc/auto=12'],
      ['a=4096', 'a=8192'],
      ['a*b=4096'],
      ['=4096'],
      ['a=4096.5'],
      [4096],
      'a=4096',
    ];
    for (const windows of bad) {
      stage.settings['svc.context.windows'] = windows;
      await assert.rejects(stage.send(asked(0, 0)), { kind: 'policy', code: 'settings' }, JSON.stringify(windows));
    }
    stage.settings['svc.context.windows'] = ['*=4096'];
    await assert.rejects(stage.send(asked(0, 0)), { code: 'context-budget' });
    assert.equal(stage.sent.length, 0);
    stage.settings['svc.context.windows'] = ['svc/*=4096', 'svc/auto=99999'];
    await stage.send(asked(0, 0));
    assert.equal(stage.sent.length, 1);
  });

  it('is sent again, shorter, if the service refuses it as too long', async () => {
    for (const named of [16_384, undefined]) {
      const stage = new Stage();
      refusing(stage, 45_000, named);
      const { tokens } = (await stage.dispatch.measure(asked(5, 12_000))).with(0, []);
      const events = await stage.send(asked(5, 12_000));
      const again = eventOf(events, 'sent-again-shorter');
      assert.ok((again?.shortened?.parts.length ?? 0) > 0);
      // The turn says it once.
      assert.equal(eventOf(events, 'in-form'), undefined);
      assert.equal(again?.window, named ?? Math.floor(0.8 * tokens));
      assert.equal(stage.sent.length, 2);
      // Each has a record of its own.
      assert.equal(stage.audited.filter(({ kind }) => kind === 'request-intent').length, 2);
      // The window is known now.
      await stage.send(asked(5, 12_000));
      assert.equal(stage.sent.length, 3);
      assert.ok((sizes(stage)[2] ?? 0) < 45_000);
    }
  });

  it('is shown again before it is sent shorter, with the reason, where a preview is required', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    refusing(stage, 40_000, 10_000);
    const { confirmSend, seen } = answers('send-masked', 'send-masked');
    await stage.send(asked(5, 12_000), confirmSend);
    assert.deepEqual(
      seen.map(({ resentBecause, preview }) => [resentBecause, (preview.shortened?.parts.length ?? 0) > 0]),
      [
        [undefined, false],
        ['too-long', true],
      ],
    );
    // What was shown is what was sent.
    assert.deepEqual(
      stage.sent.map(({ request }) => request.body),
      seen.map(({ preview }) => preview.request.body),
    );
    assert.deepEqual(
      stage.audited.flatMap((entry) => (entry.kind === 'request-intent' ? entry.previewed : [])),
      [true, true],
    );
  });

  it('is not sent again if the user declines the shorter one', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    refusing(stage, 40_000, 10_000);
    const { confirmSend } = answers('send-masked', 'cancel');
    await assert.rejects(stage.send(asked(5, 12_000), confirmSend), { kind: 'aborted' });
    assert.equal(stage.sent.length, 1);
  });

  it('does not blame the settings for a model that reads very little', async () => {
    const stage = new Stage();
    refusing(stage, 0, 1500);
    const question = asked(1, 12_000, { id: 'c', mayLeaveOutTurns: true });
    await assert.rejects(stage.send(question), { kind: 'request', code: 'context-length' });
    stage.answer = answering();
    await stage.send(asked(0, 0));
  });

  it('stays without parts that another branch does not have', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 10_000;
    await stage.send(asked(4, 12_000));
    await stage.send(asked(0, 0));
    assert.equal((await stage.dispatch.preview(asked(4, 12_000))).shortened?.parts.length, 3);
    // 0.ts alone would fit.
    assert.equal((await stage.dispatch.preview(asked(1, 12_000))).shortened?.parts.length, 1);
  });

  it('is not sent a third time', async () => {
    const stage = new Stage();
    refusing(stage, 0, 16_384);
    await assert.rejects(stage.send(asked(5, 12_000)), { code: 'context-length' });
    assert.equal(stage.sent.length, 2);
  });

  it('ignores a window that is larger than the one that was set', async () => {
    const stage = new Stage();
    stage.settings['svc.context.windows'] = ['svc/auto=40000'];
    refusing(stage, 45_000, 200_000);
    const events = await stage.send(asked(5, 12_000));
    assert.ok((eventOf(events, 'sent-again-shorter')?.window ?? 0) < 40_000);
  });

  it('names a window that was set and that the model does not read', async () => {
    for (const [named, windows, declared] of [
      [16_384, ['svc/auto=40000'], 40_000],
      [undefined, ['svc/auto=40000'], 40_000],
      [16_384, [], undefined],
      [16_384, ['svc/other=40000'], undefined],
    ] as const) {
      const stage = new Stage();
      stage.settings['svc.context.windows'] = windows;
      refusing(stage, 45_000, named);
      const again = eventOf(await stage.send(asked(20, 3_000)), 'sent-again-shorter');
      assert.deepEqual([again?.declared, again !== undefined], [declared, true]);
      refusing(stage, 0, named);
      const reason = declared === undefined ? undefined : String(declared);
      await assert.rejects(stage.send(asked(20, 3_000)), { code: 'context-length', reason });
    }
    // The model reads what was set: the estimate was too low.
    const stage = new Stage();
    stage.settings['svc.context.windows'] = ['svc/auto=40000'];
    refusing(stage, 0, 40_000);
    await assert.rejects(stage.send(asked(20, 3_000)), { code: 'context-length', reason: undefined });
  });

  it('never learns a window that is smaller than what was just accepted', async () => {
    const budget = async (stage: Stage): Promise<number> =>
      (await stage.dispatch.measure(asked(0, 0))).with(0, []).budget;
    for (const named of [4021, 1500]) {
      const stage = new Stage();
      stage.answer = answering();
      await stage.send(asked(3, 12_000));
      const { tokens } = (await stage.dispatch.measure(asked(3, 12_000))).with(0, []);
      // The number of these words is an excess, or that of something else.
      refusing(stage, 45_000, named);
      const again = eventOf(await stage.send(asked(5, 12_000)), 'sent-again-shorter');
      assert.ok((again?.window ?? 0) > tokens, `${named}`);
      assert.ok((await budget(stage)) >= tokens, `${named}`);
      // A conversation as long as that is still sent whole.
      const other = asked(3, 12_000, { id: 'other', mayLeaveOutTurns: false });
      assert.equal((await stage.dispatch.preview(other)).shortened, undefined);
    }
    // A number that can be true is believed.
    const stage = new Stage();
    stage.answer = answering();
    await stage.send(asked(1, 12_000));
    refusing(stage, 45_000, 16_384);
    assert.equal(eventOf(await stage.send(asked(5, 12_000)), 'sent-again-shorter')?.window, 16_384);
    // Another model may answer now: what it refuses was accepted before.
    const other = new Stage();
    other.answer = answering();
    await other.send(asked(5, 12_000));
    refusing(other, 40_000, 12_000);
    assert.equal(eventOf(await other.send(asked(5, 12_000)), 'sent-again-shorter')?.window, 12_000);
  });

  it('learns the window of a short request that is refused for the length of its answer', async () => {
    for (const [named, window] of [
      [4000, 4000],
      [undefined, Math.floor(0.8 * 4096)],
    ] as const) {
      const stage = new Stage();
      stage.answer = answering();
      // What was accepted is longer: only the answer is not.
      await stage.send(asked(1, 8000));
      stage.answer = async function* (_, { body }) {
        const { max_tokens: answer = 0 } = JSON.parse(body);
        if (Buffer.byteLength(body) / 4 + answer > 4000)
          throw new ServiceError('request', 'no', { status: 400, code: 'context-length', contextTokens: named });
        yield* answering()();
      };
      const conversation = { id: 'c summary', mayLeaveOutTurns: true };
      const events = await stage.send({ ...asked(1, 3000, conversation), maxTokens: 4096 });
      assert.equal(eventOf(events, 'sent-again-shorter')?.window, window);
      assert.equal(eventOf(events, 'sent-again-shorter')?.shortened, undefined);
      assert.equal(JSON.parse(stage.sent.at(-1)?.request.body ?? '').max_tokens, Math.floor(window / 4));
      const { budget } = (await stage.dispatch.measure(asked(0, 0))).with(0, []);
      assert.equal(budget, Math.max(2000, window - Math.floor(window / 4) - 512));
    }
  });

  it('forgets what was learned about a model when the user sets its window', async () => {
    const stage = new Stage();
    const { budget } = stage;
    stage.settings['svc.context.windows'] = ['svc/auto=40000'];
    refusing(stage, 30_000, 5000);
    await stage.send(asked(5, 12_000)).catch(() => undefined);
    const room = async (): Promise<number> => (await stage.dispatch.measure(asked(0, 0))).with(0, []).budget;
    assert.ok((await room()) < 5000);
    budget.forgetWindow('svc/other');
    assert.ok((await room()) < 5000);
    // The same number as before: nothing else would show that the user means it.
    budget.forgetWindow('svc/auto');
    assert.equal(await room(), 40_000 - 8192 - 512);
  });

  it('asks for an answer that has room in a small window, unless the user has set its length', async () => {
    const stage = new Stage();
    stage.settings['svc.context.windows'] = ['svc/auto=4000'];
    const asks = async (maxTokens: number): Promise<unknown> => {
      await stage.send({ ...asked(0, 0), maxTokens });
      return JSON.parse(stage.sent.at(-1)?.request.body ?? '').max_tokens;
    };
    assert.deepEqual([await asks(4096), await asks(256)], [1000, 256]);
    stage.settings['svc.context.windows'] = [];
    assert.equal(await asks(4096), 4096);
    stage.settings['svc.context.windows'] = ['svc/auto=8000'];
    stage.settings['svc.request.maxTokens'] = 3000;
    await stage.send(asked(0, 0));
    assert.equal(JSON.parse(stage.sent.at(-1)?.request.body ?? '').max_tokens, 3000);
  });

  it('names the window that was learned where a question does not fit it', async () => {
    const stage = new Stage();
    refusing(stage, 30_000, 4096);
    const large = outgoingFor(
      {
        turn: turn('now', { attachments: [file('a.ts', 60_000)] }),
        before: [],
        conversation: { id: 'c', mayLeaveOutTurns: false },
      },
      false,
      { toolbox: null, instructions: [] },
    );
    await assert.rejects(stage.send(large), { code: 'context-length', contextTokens: 4096 });
    await assert.rejects(
      stage.send(large),
      (error: ServiceError) =>
        error.code === 'question-too-long' &&
        isDeepStrictEqual((error as ServiceError<'gate'>).details.learned, { model: 'svc/auto', tokens: 4096 }),
    );
  });

  it('believes a number that the user sets after the service has shown another', async () => {
    const stage = new Stage();
    stage.answer = answering(3000);
    await stage.send(asked(8, 6000));
    const budget = async (): Promise<number> => (await stage.dispatch.measure(asked(0, 0))).with(0, []).budget;
    assert.ok((await budget()) < 3000);
    stage.settings['svc.context.windows'] = ['svc/auto=20000'];
    assert.equal(await budget(), 20_000 - 5000 - 512);
    // Until the service shows again that it reads less.
    await stage.send(asked(6, 6000));
    assert.ok((await budget()) < 3000);
  });

  it('warns if the service counted far fewer tokens than were sent, and keeps the next ones shorter', async () => {
    const stage = new Stage();
    stage.answer = answering(6000);
    const events = await stage.send(asked(8, 6000));
    const { counted = 0, sent = 0 } = eventOf(events, 'reads-less') ?? {};
    assert.equal(counted, 6000);
    assert.ok(sent > 14_000 && sent < 18_000);
    const { shortened } = await stage.dispatch.preview(asked(8, 6000));
    assert.ok((shortened?.parts.length ?? 0) > 0);
    const [small] = [await new Stage().send(asked(1, 4000))];
    assert.equal(eventOf(small, 'reads-less'), undefined);
  });

  it('learns from the counts of the service, within bounds', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 12_000;
    // At 3.2 bytes a token it does not fit, at 4 it does.
    const question = asked(3, 13_500);
    assert.notEqual((await stage.dispatch.preview(question)).shortened, undefined);
    const small = asked(1, 20_000, { id: 'small', mayLeaveOutTurns: false });
    stage.answer = answering(4600);
    for (const _ of [1, 2, 3, 4, 5, 6]) await stage.send(small);
    assert.equal((await stage.dispatch.preview(question)).shortened, undefined);
    for (const promptTokens of [0, -5, Number.NaN, 1e9]) {
      stage.answer = answering(promptTokens);
      await stage.send(small);
    }
    assert.equal((await stage.dispatch.preview(question)).shortened, undefined);
  });

  it('has no bound but the window and the size of a request, if the settings say so', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = null;
    const budget = async (): Promise<number> => (await stage.dispatch.measure(asked(0, 0))).with(0, []).budget;
    assert.equal(await budget(), Math.floor((4 * 1024 * 1024 * 0.95) / 3.2));
    // More than the default of 100,000 tokens.
    await stage.send(asked(10, 60_000));
    assert.ok((sizes(stage)[0] ?? 0) > 600_000);
    stage.settings['svc.context.windows'] = ['svc/auto=200000'];
    assert.equal(await budget(), 200_000 - 8192 - 512);
    stage.settings['svc.context.maxTokens'] = undefined;
    assert.equal(await budget(), 100_000);
  });

  it('leaves room for the answer: what a request asks for, or a quarter of the window up to 8,192 tokens', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 1_000_000;
    const budget = async (window: number): Promise<number> => {
      stage.settings['svc.context.windows'] = [`svc/auto=${window}`];
      return (await stage.dispatch.measure(asked(0, 0))).with(0, []).budget;
    };
    assert.equal(await budget(16_384), 16_384 - 4096 - 512);
    assert.equal(await budget(131_072), 131_072 - 8192 - 512);
    stage.settings['svc.request.maxTokens'] = 1000;
    assert.equal(await budget(131_072), 131_072 - 1000 - 512);
  });

  it('is sent as it is, if it belongs to no conversation', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 4000;
    const { fits: _, ...question } = asked(4, 12_000);
    await stage.send(question);
    assert.ok((sizes(stage)[0] ?? 0) > 48_000);
  });
});
