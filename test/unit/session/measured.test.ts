import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fit } from '../../../src/send/budget/fit.ts';
import { Measured } from '../../../src/send/budget/measured.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
import { messagesFor } from '../../../src/session/conversation/messagesFor.ts';
import { outgoingFor } from '../../../src/session/conversation/outgoingFor.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { leadOf } from '../../../src/session/prompts/houseRules.ts';
import { Session } from '../../../src/session/session.ts';
import { turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';

const file = (name: string, text: string): Attachment =>
  attachment({ label: name, uri: `file:///one/${name}`, text, marks: [] });

/** Its versions differ in one line. */
const long = (version: number): string =>
  Array.from({ length: 90 }, (_, at) => `line ${at} of ${at === 50 ? version : 'them'}\n`).join('');

function turn(id: string, prompt: string, attachments: readonly Attachment[], answer = 'Because.'): Turn {
  return turnOf({ id, prompt, attachments, answer, model: 'm' });
}

function input(messages: readonly OutgoingMessage[], excluded: readonly Attachment[] = [], before = new Map()) {
  const budget = { tokens: 1_000_000, bytes: 16_000_000, perToken: 3.2 };
  return { messages, excluded: new Set(excluded), offerBytes: 900, budget, before };
}

describe('a request that is still being written', () => {
  const files = fc
    .record({
      name: fc.constantFrom('a.ts', 'b.ts', 'ä.ts'),
      text: fc.constantFrom('x', 'ü\n'.repeat(90), 'word '.repeat(400), long(1), long(2), long(3)),
    })
    .map(({ name, text }) => file(name, text));
  const attached = fc.array(files, { maxLength: 4 });
  const turns = fc.array(fc.record({ prompt: fc.string(), files: attached, isLeftOut: fc.boolean() }), {
    maxLength: 6,
  });

  it('is measured as it is sent, whatever it carries', () => {
    fc.assert(
      fc.property(turns, attached, attached, fc.string({ unit: 'grapheme' }), (all, instructions, more, prompt) => {
        const before = all.map((one, at) => turn(`t${at}`, one.prompt, one.files));
        const excluded = before.flatMap(({ question }) => question.attachments).slice(0, 1);
        const out = all.flatMap(({ isLeftOut }, at) => (isLeftOut ? [[`t${at}#1`, '[left out]'] as const] : []));
        const request = (question: Turn): readonly OutgoingMessage[] =>
          messagesFor([...before, question], false, leadOf(instructions));
        const measured = new Measured(input(request(turn('now', '', [])), excluded, new Map(out)));
        const { tokens, budget, parts } = measured.with(Buffer.byteLength(prompt), more);
        const sent = fit({
          ...input(request(turn('now', prompt, more)), excluded, new Map(out)),
          mayLeaveOutTurns: false,
        });
        assert.deepEqual([tokens, budget], [sent.tokens, 1_000_000]);
        assert.equal(parts.conversation + parts.attached + parts.instructions + parts.tools, tokens);
        assert.equal(parts.tools, Math.round(900 / 3.2));
      }),
      { numRuns: 2000 },
    );
  });

  it('is measured without what earlier requests have left out, and sends nothing', async () => {
    const stage = new Stage();
    stage.settings['svc.context.maxTokens'] = 10_000;
    const before = [0, 1, 2, 3].map((at) => turn(`t${at}`, 'Why?', [file(`${at}.ts`, 'some words\n'.repeat(1100))]));
    const outgoing = outgoingFor(
      { turn: turn('now', 'Why?', []), before, conversation: { id: 'c', mayLeaveOutTurns: false } },
      false,
      { toolbox: null, instructions: [] },
    );
    const { tokens } = (await stage.dispatch.measure(outgoing)).with(0, []);
    assert.ok(tokens > 14_000, String(tokens));
    assert.deepEqual([stage.sent.length, stage.audited.length], [0, 0]);
    await stage.send(outgoing);
    const after = (await stage.dispatch.measure(outgoing)).with(0, []);
    assert.ok(after.tokens < 7500, String(after.tokens));
    assert.equal(after.budget, 10_000);
  });

  it('is not measured where it could not be sent', async () => {
    const stage = new Stage();
    stage.isTrusted = false;
    const session = new Session(stage.dispatch);
    await assert.rejects(session.measure({ action: 'chat', prompt: '', attachments: [] }), { code: 'untrusted' });
  });
});
