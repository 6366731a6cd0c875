import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChatEvent } from '../../../src/client/chat.ts';
import { allTurns } from '../../../src/session/conversation/branches.ts';
import { errorOf, type Turn } from '../../../src/session/conversation/turn.ts';
import { summaryPrompt } from '../../../src/session/prompts/prompts.ts';
import { Session } from '../../../src/session/session.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';

type Message = { readonly role: string; readonly content: string };

/** What a user does, in any order. `at` selects a turn. */
type Act =
  | { readonly is: 'ask'; readonly bytes: number; readonly file: boolean }
  | { readonly is: 'summarize' | 'leaveOut'; readonly text: string }
  | { readonly is: 'undo' | 'branch' | 'retry' | 'question'; readonly at: number }
  | { readonly is: 'edit'; readonly text: string }
  | { readonly is: 'budget'; readonly tokens: number };

const place = fc.nat(20);
const text = fc.constantFrom('ok', '# Goal\n```ts\nx\n```', '', 'word '.repeat(400), 'word '.repeat(4000), '[…]\n````');
const acts: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      is: fc.constant('ask' as const),
      bytes: fc.integer({ min: 1000, max: 8000 }),
      file: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constantFrom('summarize' as const, 'summarize' as const, 'leaveOut' as const),
      text,
    }),
  },
  { arbitrary: fc.record({ is: fc.constantFrom('undo', 'branch', 'retry', 'question'), at: place }), weight: 4 },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('edit' as const), text }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('budget' as const), tokens: fc.integer({ min: 4000, max: 9000 }) }),
  },
);

/** A conversation with a service that answers each question as long as it asks for. */
class Talk {
  readonly stage = new Stage();
  readonly session = new Session(this.stage.dispatch);
  summary = 'ok';
  count = 0;
  sent: readonly Message[] = [];

  constructor() {
    const talk = this;
    this.stage.settings['svc.context.maxTokens'] = 6000;
    this.stage.answer = async function* (_, { body }): AsyncGenerator<readonly ChatEvent[]> {
      const { messages } = JSON.parse(body) as { messages: readonly Message[] };
      const asked = messages.at(-1)?.content ?? '';
      talk.sent = messages;
      const bytes = Number(/ bytes=(\d+)/.exec(asked)?.[1] ?? 0);
      const answer = asked === summaryPrompt ? talk.summary : `answer ${'a '.repeat(bytes / 2)}`;
      yield [{ type: 'response', status: 200 }];
      yield [{ type: 'text-delta', text: answer }];
      yield [{ type: 'finish', finishReason: 'stop' }];
    };
  }

  get turns(): readonly Turn[] {
    return this.session.conversation.turns;
  }

  async run(act: Act): Promise<Turn | undefined> {
    const { session, turns } = this;
    const last = turns.at(-1);
    switch (act.is) {
      case 'ask':
        return session.ask(this.#question(act.bytes, act.file));
      case 'question': {
        const turn = turns[act.at % Math.max(1, turns.length)];
        return turn === undefined ? undefined : session.edit(turn.id, this.#question(100, false));
      }
      case 'summarize':
      case 'leaveOut':
        this.summary = act.text;
        if (last?.state.status !== 'failed') return undefined;
        return act.is === 'summarize' ? session.summarize(last.id) : session.leaveOutTurns(last.id);
      case 'retry': {
        const turn = turns[act.at % Math.max(1, turns.length)];
        return turn === undefined ? undefined : session.retry(turn.id);
      }
      case 'branch': {
        const all = allTurns(session.conversation);
        session.showBranch(all[act.at % Math.max(1, all.length)]?.id ?? '');
        return undefined;
      }
      case 'undo':
      case 'edit': {
        const summarized = turns.findLast(({ summary }) => summary !== undefined);
        session.changeSummary(summarized?.id ?? '', 'text' in act ? act.text : null);
        return undefined;
      }
      case 'budget':
        this.stage.settings['svc.context.maxTokens'] = act.tokens;
        return undefined;
    }
  }

  #question(bytes: number, hasFile: boolean) {
    this.count += 1;
    const file = attachment({
      label: `f${this.count % 3}.ts`,
      uri: `file:///f${this.count % 3}.ts`,
      text: 'line\n'.repeat(300),
    });
    return {
      action: 'chat' as const,
      prompt: `fact-${this.count}; bytes=${bytes}`,
      attachments: hasFile ? [file] : [],
    };
  }
}

/** What holds of each request that was answered. */
function check({ turns, sent }: Talk, asked: Turn): void {
  const content = sent.map((message) => message.content).join('\n\n');
  const index = turns.findIndex(({ id }) => id === asked.id);
  const before = turns.slice(0, index).filter(({ answer }) => answer.text !== '');
  // The user's words of the shown branch, each once, and no part of another branch.
  const words = [...before, asked].map(({ question }) => question.prompt);
  assert.deepEqual(content.match(/fact-\d+; bytes=\d+/g), words);
  // The last summary of the branch, quoted, and no other.
  const { summary } = before.findLast((turn) => turn.summary !== undefined) ?? {};
  assert.equal(content.match(/^Summary, written by a model/gm)?.length ?? 0, summary === undefined ? 0 : 1);
  if (summary !== undefined) assert.ok(content.includes(`\n${summary.text}\n`), summary.text);
  // Each answer is sent, or its turn is summarized, or it is named as left out.
  const summarized = before.findLastIndex((turn) => turn.summary !== undefined);
  const out = new Set(
    asked.lastRequest?.shortened?.parts.filter(({ kind }) => kind === 'turn').map(({ turn }) => turn),
  );
  for (const [place, { id, answer }] of before.entries()) {
    const isSent = sent.some((message) => message.role === 'assistant' && message.content === answer.text.trim());
    const isKnown = place <= summarized || out.has(id) || sent.some((message) => message.content === answer.text);
    assert.ok(isSent || isKnown, id);
  }
  // Roles alternate.
  assert.ok(sent.every(({ role }, place) => role === (place % 2 === 0 ? 'user' : 'assistant')));
}

describe('summaries, in any conversation', () => {
  it('leave the words of the user in each request, and everything else in it, summarized or named', async () => {
    let summaries = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(acts, { minLength: 10, maxLength: 30 }), async (all) => {
        const talk = new Talk();
        for (const act of all) {
          const answers = talk.turns.map(({ id, question, answer }) => [id, question.prompt, answer.text]);
          const turn = await talk.run(act);
          // Nothing that is stored of another turn changes.
          for (const [id, prompt, answer] of answers) {
            const now = allTurns(talk.session.conversation).find((each) => each.id === id);
            assert.ok(now !== undefined && now.question.prompt === prompt);
            if (id !== turn?.id) assert.equal(now.answer.text, answer);
          }
          if (turn?.state.status === 'complete') check(talk, turn);
          else if (turn !== undefined) assert.ok(errorOf(turn) !== undefined, turn.state.status);
          if (act.is === 'summarize' && turn?.state.status === 'complete') summaries += 1;
        }
        talk.session.dispose();
      }),
      { numRuns: 500 },
    );
    assert.ok(summaries > 100, `${summaries} summaries`);
  }).timeout(120_000);
});
