import assert from 'node:assert/strict';
import { createServiceClient } from '../../../src/client/serviceClient.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import { errorOf, type Question, type Turn } from '../../../src/session/conversation/turn.ts';
import { summaryPrompt } from '../../../src/session/prompts/prompts.ts';
import { Session } from '../../../src/session/session.ts';
import type { ContextWording } from '../../service/contextLimit.ts';
import { promptTokensOf } from '../../service/contextLimit.ts';
import { type LocalService, startService } from '../../service/service.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';

const quiet = (): void => undefined;
const logger = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };

/** A session in front of the local service, with a real client. */
class Talk {
  readonly service: LocalService;
  readonly stage = new Stage();
  readonly #client = createServiceClient({ logger, userAgent: 'svc-coder/test', network: () => ({ stack: 'undici' }) });
  readonly session: Session;

  private constructor(service: LocalService, settings: Readonly<Record<string, unknown>>) {
    this.service = service;
    Object.assign(this.stage.settings, { 'svc.baseUrl': service.baseUrl, ...settings });
    this.stage.key = 'svc_ent_demo_0123456789abcdef';
    this.session = new Session(createDispatch({ ...this.stage.parts, chatClient: async () => this.#client }));
  }

  static async open(settings: Readonly<Record<string, unknown>>): Promise<Talk> {
    return new Talk(await startService(), settings);
  }

  /** The texts of the last request. */
  get content(): string {
    return this.#messages()
      .map(({ content }) => content)
      .join('\n');
  }

  /** The tokens of the last request, as the service counts them. */
  get tokens(): number {
    return promptTokensOf({ messages: this.#messages(), tools: [] } as never);
  }

  #messages(): readonly { readonly role: string; readonly content: string }[] {
    return (this.service.chats.at(-1)?.json as { messages?: [] } | undefined)?.messages ?? [];
  }

  async close(): Promise<void> {
    this.#client.dispose();
    await this.service.close();
  }
}

const fact = (at: number): string => `fact-${at}: the port is ${9000 + at}.`;

/** Every fourth question states a fact, and `attaches` says which have a file. */
function question(at: number, attaches: (at: number) => boolean, lines: number): Question {
  const said = at % 4 === 0 ? `Remember ${fact(at / 4)} ` : '';
  const text = `export const value${at} = 'some words of a file';\n`.repeat(lines);
  const attachments = attaches(at) ? [attachment({ label: `f${at}.ts`, uri: `file:///one/f${at}.ts`, text })] : [];
  return { action: 'chat', prompt: `${said}Question ${at}?`, attachments };
}

/** Each fact of the user is in the request; each file is, or it is named as left out, or its turn is summarized. */
function check(talk: Talk, turn: Turn, at: number): void {
  const { content } = talk;
  for (let known = 0; known <= at / 4; known += 1) assert.ok(content.includes(fact(known)), `${known} in turn ${at}`);
  const { turns } = talk.session.conversation;
  const out = new Set(turn.lastRequest?.shortened?.parts.map(({ turn: id, label }) => `${id} ${label}`));
  const summarized = turns.findLastIndex(({ summary }) => summary !== undefined);
  for (const [index, { id, question }] of turns.entries()) {
    const { attachments } = question;
    const [file] = attachments;
    if (file === undefined || content.includes(file.text) || index <= summarized) continue;
    assert.ok(out.has(`${id} ${file.label}`) || out.has(`${id} `), `${file.label} in turn ${at}`);
  }
}

describe('a long conversation with an attachment in every second turn', () => {
  it('a conversation of 200 turns completes with a context window of 32,000 tokens: one request is refused, and sent again', async () => {
    const talk = await Talk.open({ 'svc.context.onLimit': 'leaveOut' });
    talk.service.setScenario('context-limit', { contextTokens: 32_000 });
    let sentAgain = 0;
    for (let at = 0; at < 200; at += 1) {
      const turn = await talk.session.ask(question(at, (each) => each % 2 === 0, 80));
      assert.equal(turn.state.status, 'complete', `turn ${at}: ${errorOf(turn)?.message}`);
      if (turn.lastRequest?.sentAgain !== undefined) sentAgain += 1;
      assert.ok(talk.tokens <= 32_000);
      check(talk, turn, at);
    }
    // One learned window.
    assert.deepEqual([sentAgain, talk.service.chats.length], [1, 201]);
    await talk.close();
  }).timeout(120_000);

  it('a conversation of 100 turns completes with summaries, and sends everything that the user has written', async () => {
    const talk = await Talk.open({ 'svc.context.onLimit': 'summarize', 'svc.context.maxTokens': 6000 });
    let summaries = 0;
    for (let at = 0; at < 100; at += 1) {
      const turn = await talk.session.ask(question(at, (each) => each % 2 === 0, 80));
      assert.equal(turn.state.status, 'complete', `turn ${at}: ${errorOf(turn)?.message}`);
      check(talk, turn, at);
    }
    for (const { body } of talk.service.chats) if (body.includes(JSON.stringify(summaryPrompt))) summaries += 1;
    assert.ok(summaries >= 2, `${summaries} summaries`);
    assert.equal(talk.service.chats.length, 100 + summaries);
    await talk.close();
  }).timeout(120_000);
});

describe('a conversation of 60 turns with 40 attachments', () => {
  const attaches = (at: number): boolean => at % 3 !== 0;
  const limits: readonly ContextWording[] = ['openai', 'anthropic', 'tgi', 'unnumbered'];
  for (const contextWording of limits) {
    it(`runs to its end if the service refuses what is too long (${contextWording})`, async () => {
      const talk = await Talk.open({ 'svc.context.onLimit': 'leaveOut' });
      talk.service.setScenario('context-limit', { contextTokens: 12_000, contextWording });
      for (let at = 0; at < 60; at += 1) {
        const turn = await talk.session.ask(question(at, attaches, 60));
        assert.equal(turn.state.status, 'complete', `turn ${at}: ${errorOf(turn)?.message}`);
        assert.ok(talk.tokens <= 12_000);
        check(talk, turn, at);
      }
      assert.equal(talk.service.chats.length, 61);
      await talk.close();
    }).timeout(60_000);
  }

  it('runs to its end if the service reads less than was sent, and says only how much', async () => {
    const talk = await Talk.open({ 'svc.context.onLimit': 'leaveOut' });
    talk.service.setScenario('silent-cut');
    let readsLess = 0;
    for (let at = 0; at < 60; at += 1) {
      const turn = await talk.session.ask(question(at, attaches, 20));
      assert.equal(turn.state.status, 'complete', `turn ${at}: ${errorOf(turn)?.message}`);
      if (turn.lastRequest?.readsLess !== undefined) readsLess += 1;
      else if (readsLess > 0) assert.ok(talk.tokens <= 4096, `${talk.tokens} in turn ${at}`);
      check(talk, turn, at);
    }
    assert.deepEqual([readsLess, talk.service.chats.length], [1, 60]);
    await talk.close();
  }).timeout(60_000);

  for (const scenario of ['no-usage', 'thinking'] as const) {
    it(`runs to its end with the limit of the setting (${scenario})`, async () => {
      const talk = await Talk.open({ 'svc.context.onLimit': 'leaveOut', 'svc.context.maxTokens': 12_000 });
      talk.service.setScenario(scenario);
      for (let at = 0; at < 60; at += 1) {
        const turn = await talk.session.ask(question(at, attaches, 60));
        assert.equal(turn.state.status, 'complete', `turn ${at}: ${errorOf(turn)?.message}`);
        assert.ok(talk.tokens <= 12_000);
        check(talk, turn, at);
        // What the model thought is never sent again.
        const thought = turn.state.memory.thinking?.text ?? '';
        if (scenario === 'thinking') assert.ok(thought !== '' && !talk.content.includes(thought));
      }
      // Without numbers of tokens, the first request is sent again once.
      assert.equal(talk.service.chats.length, scenario === 'no-usage' ? 61 : 60);
      await talk.close();
    }).timeout(60_000);
  }
});

describe('ten questions about one file', () => {
  it('have a last request that is hardly larger than the first', async () => {
    const stage = new Stage();
    const session = new Session(stage.dispatch);
    const text = `const line = 'of a file of forty kilobytes';\n`.repeat(910);
    for (let at = 0; at < 10; at += 1) {
      await session.ask({ action: 'chat', prompt: `Question ${at}?`, attachments: [attachment({ text })] });
    }
    const sizes = stage.sent.map(({ request }) => Buffer.byteLength(request.body));
    assert.ok((sizes.at(-1) ?? 0) <= 1.15 * (sizes[0] ?? 0), sizes.join(', '));
  });
});
