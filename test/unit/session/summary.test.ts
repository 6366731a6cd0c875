import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/client/chat.ts';
import { errorOf, type Question, summarizingOf, type Turn } from '../../../src/session/conversation/turn.ts';
import { houseRules } from '../../../src/session/prompts/houseRules.ts';
import { summaryPrompt } from '../../../src/session/prompts/prompts.ts';
import { Session } from '../../../src/session/session.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { fieldsOf, turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';
import { recognizing } from './recognition.ts';

const long = (word: string, bytes: number): string => `${word} `.repeat(bytes / (word.length + 1));
const ask = (prompt: string): Question => ({ action: 'chat', prompt, attachments: [] });

/** What is answered to the request for a summary, and the size of other answers, in bytes. */
interface Answer {
  summary: string;
  finishReason: string;
  bytes: number;
  promptTokens?: number;
  /** The size in bytes from which a request is refused. */
  limit?: number;
  /** The tokens of a request with the answer that it asks for: more are refused. */
  window?: number;
  error?: ServiceError;
  /** Runs when the request for a summary arrives. */
  before?: () => Promise<void> | void;
}

class Talk {
  readonly stage = new Stage();
  readonly session = new Session(this.stage.dispatch);
  readonly answer: Answer = { summary: 'The port is 9000.', finishReason: 'stop', bytes: 4000 };
  /** The messages of each request. */
  readonly bodies: { readonly role: string; readonly content: string }[][] = [];
  readonly requests: Record<string, unknown>[] = [];

  constructor(maxTokens = 5000, onLimit = 'ask') {
    this.stage.settings['svc.context.maxTokens'] = maxTokens;
    this.stage.settings['svc.context.onLimit'] = onLimit;
    const { answer, bodies, requests } = this;
    this.stage.answer = async function* (_, { body }): AsyncGenerator<readonly ChatEvent[]> {
      const request = JSON.parse(body);
      bodies.push(request.messages);
      requests.push(request);
      if (body.length > (answer.limit ?? body.length)) {
        throw new ServiceError('request', 'too long', { status: 400, code: 'context-length', contextTokens: 7000 });
      }
      if (body.length / 4 + (request.max_tokens ?? 0) > (answer.window ?? Number.POSITIVE_INFINITY)) {
        throw new ServiceError('request', 'too long', {
          ...{ status: 400, code: 'context-length', contextTokens: answer.window },
        });
      }
      const isSummary = request.messages.at(-1).content === summaryPrompt;
      if (isSummary) await answer.before?.();
      if (isSummary && answer.error !== undefined) throw answer.error;
      yield [{ type: 'response', status: 200, requestId: 'r1' }];
      yield [{ type: 'text-delta', text: isSummary ? answer.summary : long('because', answer.bytes) }];
      yield [
        {
          type: 'usage',
          usage: { totalTokens: 12, ...(answer.promptTokens && { promptTokens: answer.promptTokens }) },
        },
        { type: 'finish', finishReason: isSummary ? answer.finishReason : 'stop' },
      ];
    };
  }

  get turns(): readonly Turn[] {
    return this.session.conversation.turns;
  }

  /** Asks until the conversation is too long; returns the turn that was refused. */
  async untilTooLong(prompt: (at: number) => string = (at) => `Question ${at}?`): Promise<Turn> {
    for (let at = 1; at < 20; at += 1) {
      const turn = await this.session.ask(ask(prompt(at)));
      if (turn.state.status === 'failed') return turn;
    }
    return assert.fail('it was never too long');
  }

  get summaries(): readonly (string | undefined)[] {
    return this.turns.map(({ summary }) => summary?.text);
  }

  content(at = -1): string {
    return (this.bodies.at(at) ?? []).map(({ content }) => content).join('\n\n');
  }
}

describe('session: a summary of earlier turns', () => {
  it('is a request of its own, and then stands for all but the last two turns; the questions are sent word for word', async () => {
    const talk = new Talk();
    const refused = await talk.untilTooLong();
    assert.equal(errorOf(refused)?.code, 'conversation-too-long');
    const count = talk.turns.length;
    const sent = talk.bodies.length;
    const turn = await talk.session.summarize(refused.id);
    assert.equal(turn?.state.status, 'complete');
    assert.equal(talk.bodies.length, sent + 2);

    const asked = talk.bodies.at(-2) ?? [];
    assert.equal(asked.length, 2 * (count - 3) + 1);
    assert.equal(asked[0]?.content, `${houseRules}\n\nQuestion 1?`);
    assert.deepEqual(asked.at(-1), { role: 'user', content: summaryPrompt });
    const { max_tokens: maxTokens, tools } = talk.requests.at(-2) ?? {};
    assert.deepEqual([maxTokens, tools], [4096, undefined]);
    assert.deepEqual(talk.stage.log.slice(-6), [
      ...['request-intent', 'sent', 'request-outcome'],
      ...['request-intent', 'sent', 'request-outcome'],
    ]);

    const replaced = talk.turns[count - 4];
    assert.deepEqual(
      talk.summaries.filter((text) => text !== undefined),
      ['The port is 9000.'],
    );
    assert.deepEqual(
      [replaced?.summary?.turns, replaced?.summary?.model, replaced?.summary?.usage, replaced?.summary?.requestId],
      [count - 3, 'svc/auto', { totalTokens: 12 }, 'r1'],
    );
    const questions = Array.from({ length: count - 3 }, (_, at) => `Question ${at + 1}?`);
    const [first, ...rest] = talk.bodies.at(-1) ?? [];
    assert.equal(
      first?.content,
      [
        houseRules,
        "Earlier in this conversation. The user's questions, word for word:",
        ...questions,
        'Summary, written by a model:',
        '```\nThe port is 9000.\n```',
        `Question ${count - 2}?`,
      ].join('\n\n'),
    );
    assert.deepEqual(
      rest.map(({ role }) => role),
      ['assistant', 'user', 'assistant', 'user'],
    );
  });

  it('leaves every fact of the user in the next request, whatever the summary says', async () => {
    const talk = new Talk(100_000);
    talk.answer.summary = 'ok';
    const facts = Array.from({ length: 12 }, (_, at) => `fact-${at}: the limit is ${at * 7}.`);
    for (const fact of facts) await talk.session.ask(ask(fact));
    talk.stage.settings['svc.context.maxTokens'] = 8000;
    const refused = await talk.session.ask(ask('And now?'));
    assert.equal(errorOf(refused)?.code, 'conversation-too-long');
    assert.equal((await talk.session.summarize(refused.id))?.state.status, 'complete');
    for (const fact of facts) assert.ok(talk.content().includes(fact), fact);
    assert.ok(talk.content().includes('```\nok\n```'));
    assert.ok(talk.content().length < 15_000);
  });

  it('can be edited and undone: then the turns are sent again as they are', async () => {
    const talk = new Talk();
    const refused = await talk.untilTooLong();
    await talk.session.summarize(refused.id);
    const at = talk.turns.findIndex(({ summary }) => summary !== undefined);
    const id = talk.turns[at]?.id ?? '';
    talk.session.changeSummary(id, 'The port is 9001.');
    assert.deepEqual([talk.turns[at]?.summary?.text, talk.turns[at]?.summary?.isEdited], ['The port is 9001.', true]);
    const preview = await talk.session.preview(ask('And now?'));
    assert.match(
      preview.request.body,
      /Summary, written by a model and edited by the user:\\n\\n```\\nThe port is 9001/,
    );
    talk.session.changeSummary(id, null);
    assert.ok(talk.turns.every(({ summary }) => summary === undefined));
    talk.stage.settings['svc.context.maxTokens'] = 100_000;
    await talk.session.ask(ask('And now?'));
    assert.equal(talk.bodies.at(-1)?.length, 2 * talk.turns.length - 1);
    assert.doesNotMatch(talk.content(), /Summary, written/);
  });

  it('has what its request left out, to fit and as excluded', async () => {
    const talk = new Talk();
    const environment = 'DEPOT_KEEPER=whoever_has_the_brass_lantern\nDEPOT_GATE=left-of-the-quarry-road';
    const text = long('text', 9_000);
    await talk.session.ask({ ...ask('First?'), attachments: [attachment({ label: 'first.ts', text })] });
    const refused = await talk.untilTooLong((at) => (at === 1 ? `I had:\n\n\n${environment}` : `Question ${at}?`));
    // The file is known from now on.
    talk.stage.recognition = recognizing({ '.env': environment });
    await talk.session.summarize(refused.id);
    const { summary } = talk.turns.find((turn) => turn.summary !== undefined) ?? {};
    assert.deepEqual(
      summary?.shortened?.parts.map(({ label }) => label),
      ['first.ts'],
    );
    assert.deepEqual(summary?.contentLeftOut?.[0]?.files, ['.env']);
    assert.ok(!talk.content(-2).includes('lantern'));
    assert.match(talk.content(-2), /left out to fit: first\.ts/);
    // Another one, of turns without any of it.
    const plain = new Talk();
    await plain.session.summarize((await plain.untilTooLong()).id);
    const other = plain.turns.find((turn) => turn.summary !== undefined)?.summary ?? assert.fail('no summary');
    assert.deepEqual([other.shortened, other.contentLeftOut], [undefined, undefined]);
  });

  it('is replaced by a later one that has read it, and is back when that is undone', async () => {
    const talk = new Talk();
    await talk.session.summarize((await talk.untilTooLong()).id);
    talk.answer.summary = 'The port is 9000, and the host is a.';
    const refused = await talk.untilTooLong((at) => `Later ${at}?`);
    await talk.session.summarize(refused.id);
    assert.match(talk.content(-2), /Summary, written by a model:\n\n```\nThe port is 9000\.\n```/);
    assert.match(talk.content(), /the host is a/);
    assert.doesNotMatch(talk.content(), /The port is 9000\.\n```/);
    assert.equal(talk.content().match(/Summary, written/g)?.length, 1);
    const second = talk.turns.findLast(({ summary }) => summary !== undefined);
    talk.session.changeSummary(second?.id ?? '', null);
    const { request } = await new Session(talk.stage.dispatch).preview(ask('x'));
    assert.ok(request.body.length > 0);
    talk.stage.settings['svc.context.maxTokens'] = 100_000;
    await talk.session.ask(ask('And now?'));
    assert.match(talk.content(), /The port is 9000\.\n```/);
  });

  it('is not in a branch that begins before its end', async () => {
    const talk = new Talk();
    await talk.session.summarize((await talk.untilTooLong()).id);
    const at = talk.turns.findIndex(({ summary }) => summary !== undefined);
    await talk.session.edit(talk.turns[at]?.id ?? '', ask('Another?'));
    assert.doesNotMatch(talk.content(), /Summary, written/);
    assert.match(talk.content(), /because because/);
  });

  it('a summary no longer replaces a turn whose answer has changed', async () => {
    const talk = new Talk();
    await talk.session.summarize((await talk.untilTooLong()).id);
    const summarized = talk.turns.find(({ summary }) => summary !== undefined);
    await talk.session.retry(summarized?.id ?? '');
    assert.ok(talk.turns.every(({ summary }) => summary === undefined));
  });

  it('fits a service that counts the answer that is asked for, and learns its window, not a smaller one', async () => {
    const talk = new Talk(4000);
    talk.answer.bytes = 5000;
    const refused = await talk.untilTooLong();
    talk.answer.window = 4000;
    talk.answer.bytes = 2000;
    const first = await talk.session.summarize(refused.id);
    const asks = talk.requests.map(({ max_tokens: most }) => most).filter((most) => most !== undefined);
    assert.deepEqual(asks, [4096, 1000]);
    assert.equal(talk.summaries.filter((text) => text !== undefined).length, 1);
    // The two turns that it leaves are more than the rest of the window: they are summarized on the user's word.
    assert.deepEqual(
      [errorOf(first)?.code, errorOf(first)?.contextTokens],
      ['conversation-too-long', 4000 - 1000 - 512],
    );
    const again = await talk.session.summarize(first?.id ?? '');
    assert.deepEqual([again?.state.status, errorOf(again)], ['complete', undefined]);
  });

  it('covers the last turns, too, where only they are left', async () => {
    const talk = new Talk(4000);
    talk.answer.bytes = 8000;
    await talk.session.ask(ask('One?'));
    await talk.session.ask(ask('Two?'));
    const refused = await talk.session.ask(ask('Three?'));
    const turn = await talk.session.summarize(refused.id);
    assert.equal(turn?.state.status, 'complete');
    assert.deepEqual(talk.summaries, [undefined, 'The port is 9000.', undefined]);
    assert.equal(talk.bodies.at(-1)?.length, 1);
    const again = await talk.session.summarize(turn?.id ?? '');
    assert.deepEqual([errorOf(again)?.code, again?.answer.text], ['nothing-to-summarize', turn?.answer.text]);
  });
});

describe('session: a summary that cannot be used', () => {
  const cases: readonly (readonly [what: string, change: (answer: Answer) => void, code: string])[] = [
    ['is empty', (answer) => (answer.summary = ' \n'), 'empty'],
    ['is cut off', (answer) => (answer.finishReason = 'length'), 'summary-cut'],
    [
      'is cut off before it begins',
      (answer) => Object.assign(answer, { summary: '', finishReason: 'length' }),
      'summary-cut',
    ],
    ['is filtered', (answer) => (answer.finishReason = 'content_filter'), 'summary-cut'],
    ['is hardly shorter', (answer) => (answer.summary = long('because', 7900)), 'summary-too-long'],
    ['is refused', (answer) => (answer.error = new ServiceError('server', 'no', { status: 500 })), ''],
    ['breaks off', (answer) => (answer.error = new ServiceError('interrupted', 'no', { code: 'reset' })), 'reset'],
  ];
  it('changes nothing: the service has read less than was sent', async () => {
    const talk = new Talk(20_000);
    talk.answer.bytes = 16_000;
    const refused = await talk.untilTooLong();
    talk.answer.promptTokens = 2048;
    const turn = await talk.session.summarize(refused.id);
    assert.deepEqual([turn?.state.status, errorOf(turn)?.code], ['failed', 'summary-unread']);
    assert.ok(talk.turns.every(({ summary }) => summary === undefined));
  });

  it('keeps a partial answer, and asks for its rest', async () => {
    const talk = new Talk();
    const refused = await talk.untilTooLong();
    const { conversation } = talk.session;
    const partial = turnOf({ ...fieldsOf(refused), status: 'interrupted', answer: 'Because of' });
    talk.session.open({ ...conversation, turns: conversation.turns.with(-1, partial) });
    talk.answer.summary = '';
    const failed = await talk.session.summarize(refused.id);
    assert.deepEqual(
      [failed?.state.status, failed?.answer.text, errorOf(failed)?.code],
      ['interrupted', 'Because of', 'empty'],
    );
    talk.answer.summary = 'The port is 9000.';
    const turn = await talk.session.summarize(refused.id);
    assert.match(turn?.answer.text ?? '', /^Because ofbecause/);
    assert.deepEqual([turn?.state.status, summarizingOf(turn)], ['complete', undefined]);
    assert.match(talk.content(), /Your answer broke off/);
  });

  for (const [what, change, code] of cases) {
    it(`changes nothing: it ${what}`, async () => {
      const talk = new Talk();
      const refused = await talk.untilTooLong();
      const before = talk.turns.slice(0, -1);
      change(talk.answer);
      const turn = await talk.session.summarize(refused.id);
      assert.deepEqual([turn?.state.status, errorOf(turn)?.code ?? ''], ['failed', code]);
      assert.ok((summarizingOf(turn) ?? 0) > 0);
      assert.deepEqual(talk.turns.slice(0, -1), before);
      assert.equal(talk.bodies.at(-1)?.at(-1)?.content, summaryPrompt);
      // The question is as before.
      assert.equal(errorOf(await talk.session.retry(refused.id))?.code, 'conversation-too-long');
    });
  }

  it('a request for a summary that fails, or is empty, names where it was sent, not where the question was', async () => {
    const cases = [{ error: new ServiceError('network', '', { externalCode: 'ECONNREFUSED' }) }, { summary: ' ' }];
    for (const how of cases) {
      const talk = new Talk();
      const refused = await talk.untilTooLong();
      // The earlier turns were sent to another address; the user has agreed to the new one.
      const { conversation } = talk.session;
      const partial = turnOf({
        ...{ ...fieldsOf(refused), origin: 'http://127.0.0.1:9' },
        ...{ status: 'interrupted', answer: 'Because of' },
      });
      talk.session.open({ ...conversation, turns: conversation.turns.with(-1, partial) });
      Object.assign(talk.answer, how);
      const turn = await talk.session.summarize(refused.id);
      assert.equal(errorOf(turn)?.origin, 'http://127.0.0.1:1');
    }
  });

  it('changes nothing: the user stops it, or leaves the conversation', async () => {
    for (const leave of [(session: Session) => session.stop(), (session: Session) => session.newConversation()]) {
      const talk = new Talk();
      const refused = await talk.untilTooLong();
      const { conversation } = talk.session;
      talk.answer.before = () => leave(talk.session);
      const turn = await talk.session.summarize(refused.id);
      assert.deepEqual([turn?.state.status, summarizingOf(turn)], ['stopped', undefined]);
      talk.session.open(conversation);
      assert.ok(talk.turns.every(({ summary }) => summary === undefined));
      assert.equal(talk.bodies.at(-1)?.at(-1)?.content, summaryPrompt);
    }
  });
});

describe('session: when a summary is made', () => {
  it('a summary is made without a question if the setting allows this, and the preview shows it', async () => {
    const talk = new Talk(5000, 'summarize');
    for (let at = 0; at < 5; at += 1)
      assert.equal((await talk.session.ask(ask(`Question ${at}?`))).state.status, 'complete');
    assert.equal(talk.bodies.length, 6);
    assert.equal(talk.summaries.filter((text) => text !== undefined).length, 1);
    const prompts = talk.bodies.filter((messages) => messages.at(-1)?.content === summaryPrompt);
    assert.equal(prompts.length, 1);
    const wide = new Talk(5000, 'summarize');
    for (let at = 0; at < 4; at += 1) await wide.session.ask(ask(`Question ${at}?`));
    wide.stage.settings['svc.context.maxTokens'] = 4200;
    await assert.rejects(wide.session.preview(ask('And now?')), { code: 'summary-wanted' });
  });

  it('a summary is made if the service was the first to report that the request is too long', async () => {
    const talk = new Talk(100_000, 'summarize');
    for (let at = 0; at < 6; at += 1) await talk.session.ask(ask(`Question ${at}?`));
    talk.answer.limit = 16_000;
    const turn = await talk.session.ask(ask('And now?'));
    assert.deepEqual([turn.state.status, errorOf(turn)?.code], ['complete', undefined]);
    assert.equal(talk.summaries.filter((text) => text !== undefined).length, 1);
    // The refused one, the one for the summary, and the question.
    const last = talk.bodies.slice(-3).map((messages) => messages.at(-1)?.content);
    assert.deepEqual(last, ['And now?', summaryPrompt, 'And now?']);
  });

  it('once for a question: if that does not help, the user is asked', async () => {
    const talk = new Talk(4000, 'summarize');
    for (const question of ['One?', 'Two?', 'Three?']) await talk.session.ask(ask(question));
    const turn = await talk.session.ask(ask(long('more', 7000)));
    assert.deepEqual([turn.state.status, errorOf(turn)?.code], ['failed', 'conversation-too-long']);
    assert.equal(talk.summaries.filter((text) => text !== undefined).length, 1);
    assert.equal(talk.bodies.length, 4);
  });

  it('shows its state in the turn that waits for it, and asks the user where a preview is required', async () => {
    const talk = new Talk();
    const refused = await talk.untilTooLong();
    talk.stage.rules = { ...openPolicy, requirePreview: true };
    const states: string[] = [];
    talk.session.onDidChange((event) => {
      if (event.type !== 'turn-changed' || event.turn.id !== refused.id) return;
      const { status, summarizing, confirmation, asked = 0 } = fieldsOf(event.turn);
      states.push(`${status} ${summarizing ?? ''}`);
      if (confirmation === undefined) return;
      states.push(confirmation.preview.request.body.includes('Write down this conversation') ? 'summary' : 'question');
      setImmediate(() => talk.session.decide(refused.id, asked, 'send-masked'));
    });
    assert.equal((await talk.session.summarize(refused.id))?.state.status, 'complete');
    const shown = states.filter((state, at) => state !== states[at - 1]);
    assert.deepEqual(shown, [
      ...['waiting ', 'waiting 2', 'confirming 2', 'summary', 'waiting 2', 'waiting ', 'confirming ', 'question'],
      ...['waiting ', 'streaming ', 'complete '],
    ]);
  });

  it('keeps its conversation off the disk if it was made under zero retention', async () => {
    const talk = new Talk();
    const refused = await talk.untilTooLong();
    assert.ok(talk.turns.every(({ question }) => question.isZeroRetention === undefined));
    talk.stage.settings['svc.compliance.zeroRetention'] = true;
    await talk.session.summarize(refused.id);
    assert.equal(talk.turns.find(({ summary }) => summary !== undefined)?.question.isZeroRetention, true);
  });

  it('asks the user before a summary of turns that another service has answered', async () => {
    const talk = new Talk();
    const refused = await talk.untilTooLong();
    await talk.session.summarize(refused.id);
    const after = talk.turns.findIndex(({ summary }) => summary !== undefined) + 1;
    talk.stage.settings['svc.baseUrl'] = 'http://127.0.0.2:1/api/v1';
    const edited = talk.session.edit(talk.turns[after]?.id ?? '', ask('Another?'));
    await new Promise((resolve) =>
      talk.session.onDidChange((event) => 'turn' in event && event.turn.state.status === 'confirming' && resolve(0)),
    );
    assert.equal(fieldsOf(talk.turns.at(-1) ?? assert.fail()).confirmation?.previousOrigin, 'http://127.0.0.1:1');
    talk.session.stop();
    await edited;
  });

  it('masks secrets in its text, and quotes its fences', async () => {
    const talk = new Talk();
    talk.answer.summary = '# Goal\n```ts title="a.ts"\nSECRET\n```\n\nThese are the project\'s instructions (x):';
    const refused = await talk.untilTooLong();
    await talk.session.summarize(refused.id);
    const content = talk.content();
    assert.match(
      content,
      /Summary, written by a model:\n\n````\n# Goal\n```ts title="a\.ts"\n\[masked: word\]\n```\n\nThese[^\n]*\n````\n\nQuestion/,
    );
    assert.doesNotMatch(content, /SECRET/);
  });

  it('carries the folders of the turns that it stands for, and the files that may still leave', async () => {
    const talk = new Talk(8000);
    const file = attachment({ label: 'a.ts', folder: 'file:///two', uri: 'file:///two/a.ts', text: long('line', 500) });
    await talk.session.ask({ ...ask('One?'), attachments: [file] });
    const refused = await talk.untilTooLong();
    talk.stage.excluded.set('a.ts', '.svcignore');
    await talk.session.summarize(refused.id);
    assert.ok(talk.session.folders.includes('file:///two'));
    assert.match(talk.content(-2), /\[left out: a\.ts\]/);
    assert.doesNotMatch(talk.content(-2), /line line/);
  });
});
