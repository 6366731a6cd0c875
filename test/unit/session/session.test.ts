import assert from 'node:assert/strict';
import { shortenedBy } from '../../../src/send/budget/leftOut.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import { receiptOf } from '../../../src/send/message/receipt.ts';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import { errorOf, type Question, type Turn } from '../../../src/session/conversation/turn.ts';
import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { Session } from '../../../src/session/session.ts';
import type { SessionEvent } from '../../../src/session/sessionEvent.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { fieldsOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { FakeDispatch, preview } from './fakeDispatch.ts';
import { unplaced } from './unplaced.ts';

const question = { action: 'chat', prompt: 'Hello', attachments: [] } as const;
const text = (words: string) => ({ type: 'text-delta', text: words }) as const;

function start(): { fake: FakeDispatch; session: Session; events: SessionEvent[]; last: () => Turn } {
  const fake = new FakeDispatch();
  const session = new Session(fake.dispatch);
  const events: SessionEvent[] = [];
  session.onDidChange((event) => events.push(event));
  const last = (): Turn => {
    const turn = session.conversation.turns.at(-1);
    assert.ok(turn);
    return turn;
  };
  return { fake, session, events, last };
}

describe('session: a turn', () => {
  it('collects the answer and its metadata', async () => {
    const { fake, session, events } = start();
    const asked = session.ask(question);
    fake.send({ type: 'response', status: 200, requestId: 'r1', request: 'in the log' }, text('Hi '), text('there'));
    const receipt = receiptOf({ level: 'high' }, []);
    fake.send({ type: 'usage', usage: { totalTokens: 7 } }, { type: 'receipt', receipt });
    fake.send({ type: 'finish', finishReason: 'stop' });
    fake.end();
    const turn = await asked;
    assert.equal(turn.answer.text, 'Hi there');
    assert.equal(turn.state.status, 'complete');
    assert.equal(turn.lastRequest?.model, 'svc/auto');
    assert.equal(turn.lastRequest?.serviceRequestId, 'r1');
    assert.equal(turn.lastRequest?.auditRequestId, 'in the log');
    assert.deepEqual(turn.answer.usage, { totalTokens: 7 });
    assert.deepEqual(turn.answer.receipt, receipt);
    assert.equal(turn.answer.finishReason, 'stop');
    const deltas = events.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
    assert.deepEqual(deltas, ['Hi there']);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'busy-changed' ? [event.busy] : [])),
      [true, false],
    );
  });

  it('requests admission for the feature of its slash command, even when edited or repeated', async () => {
    const { fake, session, last } = start();
    const command = { name: 'tests', text: 'Write tests.' };
    // As in the history of an earlier version.
    const asked = { ...question, prompt: '/tests', command };
    await session.preview(asked);
    const first = session.ask(asked);
    fake.end(new ServiceError('server', 'gone', {}));
    await first;
    const again = session.retry(last().id);
    fake.send(text('test('));
    fake.end(new ServiceError('interrupted', 'gone', { code: 'end' }));
    await again;
    const rest = session.continue(last().id);
    fake.end();
    await rest;
    assert.deepEqual(
      [...fake.previewed, ...fake.sent].map(({ action }) => action),
      ['generate', 'generate', 'generate', 'generate'],
    );
  });

  it('is asked again without the files that it was refused for', async () => {
    for (const [code, files, left] of [
      ['excluded', ['.env'], ['src/pay.ts', 'a, b.ts']],
      ['excluded', ['a, b.ts'], ['.env', 'src/pay.ts']],
      ['question-too-long', ['src/pay.ts', '.env'], ['a, b.ts']],
      ['question-too-long', ['a, b.ts', '.env'], ['src/pay.ts']],
    ] as const) {
      const { fake, session, last } = start();
      const attachments = ['.env', 'src/pay.ts', 'a, b.ts'].map((label) => attachment({ label }));
      const asked = session.ask({ ...question, attachments });
      const details = code === 'question-too-long' ? { details: { files } } : {};
      fake.end(new ServiceError('gate', 'refused', { code, file: files.join(', '), ...details }));
      await asked;
      const again = session.removeFile(last().id);
      fake.send(text('Hi'));
      fake.end();
      await again;
      const labels = session.conversation.turns.map((turn) => turn.question.attachments.map(({ label }) => label));
      assert.deepEqual([labels, last().answer.text, errorOf(last())], [[left], 'Hi', undefined]);
    }
  });

  it('is asked again without a file that the user names', async () => {
    const { fake, session, last } = start();
    const other = attachment({ label: 'b.ts', uri: 'file:///two/b.ts' });
    const asked = session.ask({ ...question, attachments: [attachment(), other] });
    fake.end(new ServiceError('policy', 'refused', { code: 'settings' }));
    await asked;
    const again = session.removeFile(last().id, other.uri);
    fake.end();
    await again;
    assert.deepEqual(
      last().question.attachments.map(({ label }) => label),
      ['a.ts'],
    );
  });

  it('names the files that were not sent again, even after its rest was asked for, and not if it is asked afresh', async () => {
    const { fake, session, last } = start();
    fake.repeated = ['a.ts'];
    const first = session.ask({ ...question, attachments: [attachment()] });
    fake.send(text('Hi'));
    fake.end(new ServiceError('interrupted', 'gone', { code: 'end' }));
    assert.deepEqual((await first).lastRequest?.repeated, ['a.ts']);
    const rest = session.continue(last().id);
    fake.end();
    assert.deepEqual((await rest)?.lastRequest?.repeated, ['a.ts']);
    fake.repeated = [];
    const again = session.retry(last().id);
    fake.end();
    assert.deepEqual((await again)?.lastRequest?.repeated, []);
  });

  it('is asked again without its largest file, if it was too long for the model', async () => {
    const { fake, session, last } = start();
    const attachments = [attachment({ label: 'a.ts' }), attachment({ label: 'b.ts', text: 'ä'.repeat(600) })];
    const refused = () => new ServiceError('request', 'refused', { code: 'context-length', contextTokens: 600 });
    const asked = session.ask({ ...question, attachments: [...attachments, attachment({ text: 'a'.repeat(1000) })] });
    fake.end(refused());
    await asked;
    assert.deepEqual([errorOf(last())?.file, errorOf(last())?.contextTokens], ['b.ts', 600]);
    const again = session.removeFile(last().id);
    fake.end(refused());
    await again;
    assert.deepEqual([fake.sent.length, last().question.attachments.length, errorOf(last())?.file], [2, 2, 'a.ts']);
    const without = session.ask(question);
    fake.end(refused());
    assert.equal(errorOf(await without)?.file, undefined);
  });

  it('is asked again without the oldest turns of its conversation, and so are the next questions', async () => {
    const { fake, session, last } = start();
    const asked = session.ask(question);
    fake.end(new ServiceError('gate', 'too long', { code: 'conversation-too-long' }));
    await asked;
    const again = session.leaveOutTurns(last().id);
    fake.send(text('Hi'));
    fake.end();
    await again;
    const next = session.ask(question);
    fake.end();
    await next;
    session.newConversation();
    const other = session.ask(question);
    fake.end();
    await other;
    assert.deepEqual(
      fake.sent.map(({ fits }) => fits?.mayLeaveOutTurns),
      [false, true, true, false],
    );
  });

  it('says what its last request left out, and that it was sent again', async () => {
    const { fake, session, last } = start();
    const part = { turn: 'a', question: 'Hello', kind: 'attachment', label: 'a.ts', bytes: 9 } as const;
    fake.shortened = shortenedBy([part], 3);
    const asked = session.ask(question);
    fake.send(text('Hi'));
    fake.send({ type: 'sent-again-shorter', window: 4096, shortened: shortenedBy([part, part], 6) });
    fake.send({ type: 'reads-less', counted: 4096, sent: 9000 });
    fake.end();
    const { shortened, sentAgain, readsLess } = fieldsOf(await asked);
    assert.deepEqual(
      [shortened?.parts.length, sentAgain, readsLess],
      [2, { window: 4096 }, { counted: 4096, sent: 9000 }],
    );
    fake.shortened = undefined;
    const again = session.retry(last().id);
    fake.end();
    await again;
    assert.deepEqual(
      [last().lastRequest?.shortened, last().lastRequest?.sentAgain, last().lastRequest?.readsLess],
      [undefined, undefined, undefined],
    );
  });

  it('sends the earlier turns that have an answer', async () => {
    const { fake, session } = start();
    const first = session.ask(question);
    fake.send(text('Hi'));
    fake.end();
    await first;
    const failed = session.ask({ ...question, prompt: 'Lost' });
    fake.end(new ServiceError('server', 'gone', {}));
    await failed;
    const third = session.ask({ ...question, prompt: 'More' });
    fake.end();
    await third;
    assert.deepEqual(unplaced(fake.sent[2]), [
      { role: 'user', lead: [houseRules], parts: ['Hello'], secrets: 'mask' },
      { role: 'assistant', parts: ['Hi'], secrets: 'mask' },
      { role: 'user', parts: ['More'], secrets: 'ask' },
    ]);
  });

  it('names the folders of its content, also of earlier turns', async () => {
    const { fake, session } = start();
    const covers = [
      { uri: 'file:///two/b.ts', folder: 'file:///two' },
      { uri: 'file:///one/c.ts', folder: 'file:///one' },
    ];
    const attachments = [attachment({ folder: 'file:///one', covers })];
    const first = session.ask({ ...question, attachments });
    fake.send(text('Hi'));
    fake.end();
    await first;
    const second = session.ask(question);
    fake.end();
    await second;
    assert.deepEqual(fake.sent[1]?.folders, ['file:///one', 'file:///two']);
    assert.deepEqual(session.folders, ['file:///one', 'file:///two']);
  });

  it('7 shows a wait, and retries immediately when the user asks for it', async () => {
    const { fake, session, last } = start();
    const asked = session.ask(question);
    let hurried = 0;
    const error = new ServiceError('rateLimit', 'slow down', { status: 429 });
    const waiting = new Promise<void>((resolve) =>
      session.onDidChange((event) => {
        if (event.type === 'turn-changed' && event.turn.state.status === 'retrying') resolve();
      }),
    );
    fake.send({ type: 'retry-wait', attempt: 1, delayMs: 9_000, error, retryNow: () => (hurried += 1) });
    await waiting;
    assert.equal(fieldsOf(last()).retry?.attempt, 1);
    session.retryNow(last().id);
    assert.equal(hurried, 1);
    // The card goes when the retried request is answered. Its first text may take longer.
    const answered = new Promise<Turn>((resolve) =>
      session.onDidChange((event) => {
        if (event.type === 'turn-changed' && event.turn.state.status === 'waiting') resolve(event.turn);
      }),
    );
    fake.send({ type: 'response', status: 200, request: 'in the log' });
    assert.equal(fieldsOf(await answered).retry, undefined);
    fake.send(text('Hi'));
    fake.end();
    const turn = await asked;
    assert.equal(turn.state.status, 'complete');
    assert.equal(fieldsOf(turn).retry, undefined);
  });

  it('ends without an error when stopped, and keeps the partial answer', async () => {
    const { fake, session } = start();
    const asked = session.ask(question);
    const began = new Promise<void>((resolve) =>
      session.onDidChange((event) => {
        if (event.type === 'delta') resolve();
      }),
    );
    fake.send(text('Half an'));
    await began;
    session.stop();
    const turn = await asked;
    assert.equal(turn.state.status, 'stopped');
    assert.equal(turn.answer.text, 'Half an');
    assert.equal(errorOf(turn), undefined);
    assert.equal(session.isBusy, false);
  });

  it('is kept when it is interrupted, and continued from there', async () => {
    const { fake, session } = start();
    const asked = session.ask(question);
    fake.send(text('One, '));
    fake.end(new ServiceError('interrupted', 'reset', { code: 'reset' }));
    const broken = await asked;
    assert.equal(broken.state.status, 'interrupted');
    assert.equal(broken.answer.text, 'One, ');
    const again = session.continue(broken.id);
    fake.send(text('two.'));
    fake.end();
    const whole = await again;
    assert.equal(whole?.answer.text, 'One, two.');
    assert.equal(whole?.state.status, 'complete');
    assert.equal(errorOf(whole), undefined);
    const roles = fake.sent[1]?.messages.map(({ role }) => role);
    assert.deepEqual(roles, ['user', 'assistant', 'user']);
    assert.deepEqual(fake.sent[1]?.messages[1]?.parts, ['One, ']);
  });

  it('sends the prompt of its command, with its model and folder, and the same again on repeat', async () => {
    const { fake, session } = start();
    const command = { name: 'audit', text: 'Find it.', model: 'svc/one', folder: 'file:///one' };
    const asked = session.ask({ ...question, prompt: '/audit', command });
    fake.end(new ServiceError('server', 'no', { status: 500 }));
    const failed = await asked;
    assert.equal(failed.question.prompt, '/audit');
    const again = session.retry(failed.id);
    fake.end();
    await again;
    const expected = [[['Find it.']], { model: 'svc/one', prompt: 'audit' }, ['file:///one']];
    assert.deepEqual(
      fake.sent.map(({ messages, askedModel, folders }) => [messages.map(({ parts }) => parts), askedModel, folders]),
      [expected, expected],
    );
  });

  it('is repeated in its place after a failure', async () => {
    const { fake, session } = start();
    const asked = session.ask(question);
    fake.end(new ServiceError('auth', 'no', { status: 401 }));
    const failed = await asked;
    assert.equal(failed.state.status, 'failed');
    const again = session.retry(failed.id);
    fake.send(text('Hi'));
    fake.end();
    assert.equal((await again)?.answer.text, 'Hi');
    assert.equal(session.conversation.turns.length, 1);
  });

  it('changes nothing that is shown after its conversation was closed', async () => {
    const { fake, session, events } = start();
    const asked = session.ask(question);
    fake.send(text('Hi'));
    session.newConversation();
    const { length } = events;
    await asked;
    assert.deepEqual(session.conversation.turns, []);
    assert.deepEqual(events.slice(length), [{ type: 'busy-changed', busy: false }]);
  });

  it('a turn with an empty answer has failed, unless the service reports what cut it short', async () => {
    for (const [finishReason, status] of [
      ['stop', 'failed'],
      ['length', 'complete'],
      ['content_filter', 'complete'],
    ] as const) {
      const { fake, session } = start();
      const asked = session.ask(question);
      fake.send(text(' \n'), { type: 'finish', finishReason });
      fake.end();
      const turn = await asked;
      assert.equal(turn.state.status, status);
      if (status === 'failed') assert.deepEqual([errorOf(turn)?.kind, errorOf(turn)?.code], ['protocol', 'empty']);
    }
  });

  it('shows no message of an internal error', async () => {
    const { fake, session } = start();
    const asked = session.ask(question);
    fake.end(new TypeError('the prompt was: Hello'));
    const turn = await asked;
    assert.deepEqual([errorOf(turn)?.kind, errorOf(turn)?.reason], ['internal', 'TypeError']);
    assert.ok(!errorOf(turn)?.message.includes('Hello'));
  });
});

describe('session: a request that requires a question to the user', () => {
  const found = [{ rule: 'jwt', where: null, line: 1 }];
  const askedIn = (turn: Turn): number => fieldsOf(turn).asked ?? assert.fail('no question');
  const confirming = (session: Session): Promise<Turn> =>
    new Promise((resolve) =>
      session.onDidChange((event) => {
        if (event.type === 'turn-changed' && event.turn.state.status === 'confirming') resolve(event.turn);
      }),
    );

  it('waits for the answer, and remembers it for later requests', async () => {
    const { fake, session } = start();
    fake.confirmation = { preview, found, leftOutOfMessage: [], asIs: preview };
    const asking = confirming(session);
    const asked = session.ask(question);
    const turn = await asking;
    assert.deepEqual(fieldsOf(turn).confirmation, fake.confirmation);
    assert.equal(fake.sent.length, 0);
    session.decide('another turn', askedIn(turn), 'send-masked');
    session.decide(turn.id, askedIn(turn) - 1, 'send-masked');
    session.decide(turn.id, askedIn(turn), 'send-as-is');
    fake.send(text('Hi'));
    fake.end();
    const done = await asked;
    assert.deepEqual(
      [done.state.status, done.question.secrets, fieldsOf(done).confirmation],
      ['complete', { asIsFor: fake.destination }, undefined],
    );
    fake.confirmation = null;
    const next = session.ask(question);
    fake.end();
    await next;
    assert.deepEqual(
      fake.sent[1]?.messages.map(({ secrets }) => secrets),
      [{ asIsFor: fake.destination, otherwise: 'mask' }, 'mask', 'ask'],
    );
  });

  it('is asked about again at another destination, and the newest answer counts', async () => {
    const { fake, session } = start();
    fake.confirmation = { preview, found, leftOutOfMessage: [] };
    const asking = confirming(session);
    const asked = session.ask(question);
    const waiting = await asking;
    session.decide(waiting.id, askedIn(waiting), 'send-as-is');
    fake.end();
    const { id, question: first } = await asked;
    const asIsFor = fake.destination;
    assert.deepEqual(first.secrets, { asIsFor });
    fake.destination = 'http://127.0.0.1:2';
    const again = confirming(session);
    const retried = session.retry(id);
    const asksAgain = await again;
    // A late click on the first question.
    session.decide(id, askedIn(waiting), 'send-as-is');
    await new Promise(setImmediate);
    assert.deepEqual(fake.sent.length, 1);
    session.decide(id, askedIn(asksAgain), 'send-masked');
    fake.end();
    const turn = await retried;
    assert.deepEqual(fake.sent[1]?.messages[0]?.secrets, { asIsFor, otherwise: 'ask' });
    assert.equal(turn?.question.secrets, 'mask');
  });

  it('names the address of the earlier messages only until they were sent elsewhere', async () => {
    const { fake, session, last } = start();
    const ask = async (prompt: string): Promise<void> => {
      const asked = session.ask({ ...question, prompt });
      fake.send(text('Hi'));
      fake.end();
      await asked;
    };
    await ask('one');
    fake.origin = 'https://other.test';
    await ask('two');
    await ask('three');
    const retried = session.retry(last().id);
    fake.end(new ServiceError('server', 'gone', {}));
    await retried;
    await session.preview(question);
    assert.deepEqual(
      [...fake.sent, ...fake.previewed].map(({ cameFrom }) => cameFrom),
      [undefined, 'http://127.0.0.1:1', 'https://other.test', 'https://other.test', 'https://other.test'],
    );
  });

  it('is not sent if the user cancels', async () => {
    const { fake, session } = start();
    fake.confirmation = { preview, found, leftOutOfMessage: [] };
    const asking = confirming(session);
    const asked = session.ask(question);
    const waiting = await asking;
    session.decide(waiting.id, askedIn(waiting), 'cancel');
    const turn = await asked;
    assert.deepEqual([turn.state.status, fieldsOf(turn).confirmation, fake.sent.length], ['stopped', undefined, 0]);
    assert.equal(session.isBusy, false);
  });

  it('is not sent if the user stops it or closes the conversation', async () => {
    for (const leave of ['stop', 'newConversation'] as const) {
      const { fake, session } = start();
      fake.confirmation = { preview, found, leftOutOfMessage: [] };
      const asking = confirming(session);
      const asked = session.ask(question);
      await asking;
      session[leave]();
      assert.equal((await asked).state.status, 'stopped');
      assert.equal(fake.sent.length, 0);
    }
  });

  it('reads the instructions of the project again for each request, whatever its action is', async () => {
    const fake = new FakeDispatch();
    const asked: string[] = [];
    const session = new Session(fake.dispatch, undefined, async (id) => {
      asked.push(id);
      return [attachment({ label: 'AGENTS.md', text: `version ${asked.length}` })];
    });
    const texts = (sent: Outgoing | undefined) =>
      sent?.messages.map(({ lead = [] }) => lead.slice(1).map(textOf).join());
    const ask = async (more: Partial<Question> = {}): Promise<void> => {
      fake.send(text('Hi'));
      fake.end();
      await session.ask({ ...question, ...more });
    };
    await ask();
    await ask();
    await session.preview(question);
    await ask({ action: 'explain' });
    await ask({ command: { name: 'fix', text: 'Find it.' } });
    const intro = "These are the project's instructions (AGENTS.md):";
    assert.deepEqual(texts(fake.sent[0]), [`${intro},version 1`]);
    assert.deepEqual(texts(fake.sent[1]), [`${intro},version 2`, '', '']);
    assert.deepEqual(texts(fake.previewed[0]), [`${intro},version 3`, '', '', '', '']);
    assert.equal(texts(fake.sent[2])?.[0], `${intro},version 4`);
    assert.equal(texts(fake.sent[3])?.[0], `${intro},version 5`);
    assert.deepEqual(asked, Array(5).fill(session.conversation.id));
  });

  it('can be previewed without sending it', async () => {
    const { fake, session } = start();
    assert.equal(await session.preview(question), preview);
    assert.deepEqual(unplaced(fake.previewed[0]), [
      { role: 'user', lead: [houseRules], parts: ['Hello'], secrets: 'ask' },
    ]);
    assert.equal(session.conversation.turns.length, 0);
  });
});

function textOf(part: string | Attachment): string {
  return typeof part === 'string' ? part : part.text;
}
