import assert from 'node:assert/strict';
import type { ChatEvent } from '../../../src/client/chat.ts';
import { type Question, Session } from '../../../src/session/session.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';

const limit = 32_000;

/** A service that reads so many tokens, with four characters each, and says so; with `named`, it names the number. */
function serviceReading(stage: Stage, named: boolean): { readonly refused: () => number; readonly bodies: string[] } {
  let refused = 0;
  const bodies: string[] = [];
  stage.answer = async function* (_, { body }): AsyncGenerator<readonly ChatEvent[]> {
    const { messages } = JSON.parse(body) as { messages: readonly { content: string }[] };
    const tokens = Math.ceil(messages.reduce((sum, { content }) => sum + content.length, 0) / 4);
    if (tokens > limit) {
      refused += 1;
      const facts = { status: 400, code: 'context-length', ...(named ? { contextTokens: limit } : {}) } as const;
      throw new ServiceError('request', 'too long', facts);
    }
    bodies.push(messages.map(({ content }) => content).join('\n'));
    yield [
      { type: 'response', status: 200 },
      { type: 'text-delta', text: 'Because of the answer. '.repeat(30) },
    ];
    yield [
      { type: 'usage', usage: { promptTokens: tokens } },
      { type: 'finish', finishReason: 'stop' },
    ];
  };
  return { refused: () => refused, bodies };
}

function question(at: number): Question {
  const fact = at % 4 === 0 ? `Remember fact-${at / 4}: the port is ${9000 + at}. ` : '';
  const text = `export const value${at} = 'some words of a file';\n`.repeat(80);
  const attachments = at % 2 === 0 ? [attachment({ label: `f${at}.ts`, uri: `file:///one/f${at}.ts`, text })] : [];
  return { action: 'chat', prompt: `${fact}Question ${at}?`, attachments };
}

describe('a conversation of 200 turns with 100 attachments', () => {
  for (const named of [true, false]) {
    it(`runs to its end if the model reads 32,000 tokens${named ? '' : ', and the service does not name the number'}`, async () => {
      const stage = new Stage();
      stage.settings['svc.context.onLimit'] = 'leaveOut';
      const service = serviceReading(stage, named);
      const session = new Session(stage.dispatch);
      let sentAgain = 0;
      for (let at = 0; at < 200; at += 1) {
        const turn = await session.ask(question(at));
        assert.equal(turn.status, 'complete', `turn ${at}: ${turn.error?.message}`);
        if (turn.sentAgain !== undefined) sentAgain += 1;
        const body = service.bodies.at(-1) ?? '';
        const { turns } = session.conversation;
        for (let fact = 0; fact <= at / 4; fact += 1)
          assert.ok(body.includes(`fact-${fact}:`), `fact ${fact} in turn ${at}`);
        // Each attachment is there, or named as left out.
        const out = new Set(turn.shortened?.parts.map(({ turn: id, label }) => `${id} ${label}`));
        for (const { id, attachments } of turns) {
          const [file] = attachments;
          if (file === undefined || body.includes(file.text)) continue;
          assert.ok(out.has(`${id} ${file.label}`) || out.has(`${id} `), `${file.label} in turn ${at}`);
        }
      }
      assert.deepEqual([service.refused(), sentAgain], [1, 1]);
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
