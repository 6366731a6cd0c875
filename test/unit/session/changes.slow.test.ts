import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Message } from '../../../src/client/chat.ts';
import type { SecretScanner } from '../../../src/gate/secrets/secretScanner.ts';
import { fit } from '../../../src/send/budget/fit.ts';
import { changesBetween } from '../../../src/send/changes.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import { examine } from '../../../src/send/examine.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
import { changesOf } from '../../../src/send/repeats.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { Session } from '../../../src/session/session.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { Workspace } from '../store/conversationSamples.ts';
import { attachment } from './attachment.ts';
import { Stage } from './dispatchStage.ts';
import { patched } from './hunks.ts';

/** 40 KB; each version has another line 500. */
const textOf = (version: number): string =>
  Array.from({ length: 1000 }, (_, at) => `const value${at} = "${at === 500 ? version : 'some words here'}";\n`).join(
    '',
  );

const file = (text: string, over: Partial<Omit<Attachment, 'text'>> = {}): Attachment =>
  attachment({ text, marks: [], covers: [{ uri: 'file:///one/a.ts', folder: null }], ...over });

class Talk {
  readonly stage = new Stage();
  readonly session = new Session(this.stage.dispatch);

  ask(text: string, over: Partial<Omit<Attachment, 'text'>> = {}): Promise<Turn> {
    return this.session.ask({ action: 'chat', prompt: 'Why?', attachments: [file(text, over)] });
  }

  /** The questions of the last request. */
  get questions(): readonly string[] {
    return questionsOf(this.stage.sent.at(-1)?.messages ?? []);
  }

  /** How each of them has the file. */
  get sentAs(): readonly string[] {
    return this.questions.map((question) => {
      if (question.includes('a.ts: changes to the whole text above\n```diff\n')) return 'changes';
      if (question.includes('[a.ts: as above, without the changes]')) return 'before';
      if (question.includes('[a.ts: as above]')) return 'line';
      return question.includes('value999 = ') ? 'whole' : 'left out';
    });
  }
}

function questionsOf(messages: readonly Message[]): readonly string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => content);
}

/** The text that a model has at the end, if it applies what it reads. */
function textRead(questions: readonly string[]): string {
  let whole = '';
  let now = '';
  for (const question of questions) {
    const quoted = /a\.ts\n```typescript\n([\s\S]*)\n```/.exec(question)?.[1];
    const hunks = /a\.ts: changes to the whole text above\n```diff\n([\s\S]*)\n```/.exec(question)?.[1];
    if (quoted !== undefined) whole = quoted;
    if (quoted !== undefined) now = quoted;
    if (hunks !== undefined) now = patched(whole, hunks);
    if (question.includes('as above, without the changes')) now = whole;
  }
  return now;
}

describe('session: a file that changes between questions', () => {
  it('is sent once, then its changes: ten questions cost at most 1.3 x those about an unchanged file', async () => {
    const bytesOf = async (version: (at: number) => number): Promise<number> => {
      const talk = new Talk();
      for (let at = 0; at < 10; at += 1) await talk.ask(textOf(version(at)));
      return talk.stage.sent.reduce((sum, { request }) => sum + Buffer.byteLength(request.body), 0);
    };
    const [changed, unchanged] = [await bytesOf((at) => at), await bytesOf(() => 0)];
    assert.ok(changed <= 1.3 * unchanged, `${changed} ${unchanged}`);
  });

  it('begins each request with all of the one before it, and says below the question that only changes were sent', async () => {
    const talk = new Talk();
    const turns: Turn[] = [];
    for (let at = 0; at < 4; at += 1) turns.push(await talk.ask(textOf(at)));
    assert.deepEqual(talk.sentAs, ['whole', 'changes', 'changes', 'changes']);
    for (const [at, { messages }] of talk.stage.sent.entries())
      assert.deepEqual(messages.slice(0, -2), talk.stage.sent[at - 1]?.messages ?? []);
    assert.deepEqual(
      turns.map(({ lastRequest }) => [lastRequest?.changesOnly, lastRequest?.repeated]),
      [[[], []], ...Array(3).fill([['a.ts'], []])],
    );
    assert.ok(textRead(talk.questions) === textOf(3), 'the model has another text');
  });

  it('a file that has changed back is named, so that it cannot be confused with its changes', async () => {
    const talk = new Talk();
    for (const version of [0, 1, 1, 0, 0, 1, 2, 1]) await talk.ask(textOf(version));
    assert.deepEqual(talk.sentAs, ['whole', 'changes', 'line', 'before', 'line', 'changes', 'changes', 'changes']);
    assert.ok(textRead(talk.questions) === textOf(1), 'the model has another text');
  });

  it('is sent whole where most of it has changed, and later changes refer to that', async () => {
    const talk = new Talk();
    const other = (version: number): string => textOf(version).replaceAll('some', 'other');
    for (const text of [textOf(0), textOf(1), other(1), other(2)]) await talk.ask(text);
    assert.deepEqual(talk.sentAs, ['whole', 'changes', 'whole', 'changes']);
    assert.ok(textRead(talk.questions) === other(2), 'the model has another text');
  });

  it('is sent whole under another name, another part of it, or with another file behind it', async () => {
    for (const over of [
      { uri: 'file:///one/b.ts' },
      { label: 'b.ts' },
      { firstLine: 2 },
      { covers: [{ uri: 'file:///two/a.ts', folder: null }] },
    ]) {
      const talk = new Talk();
      await talk.ask(textOf(0));
      await talk.ask(textOf(1), over);
      assert.deepEqual(talk.sentAs, ['whole', 'whole'], JSON.stringify(over));
    }
  });

  it('a file is sent completely if the one above may not be sent any more, and refused if it may not be sent itself', async () => {
    const old = file(textOf(0));
    const stage = new Stage();
    const exclusion = async ({ text }: Attachment) => (text === old.text && isExcluded ? '*.ts' : null);
    let isExcluded = false;
    const session = new Session(createDispatch({ ...stage.parts, exclusion }));
    const ask = (text: string) => session.ask({ action: 'chat', prompt: 'Why?', attachments: [file(text)] });
    await ask(textOf(0));
    isExcluded = true;
    const turn = await ask(textOf(1));
    const [first = '', second = ''] = questionsOf(stage.sent.at(-1)?.messages ?? []);
    assert.match(first, /\[left out: a\.ts\]/);
    assert.match(second, /^Why\?\n\na\.ts\n```typescript\n/);
    assert.deepEqual([turn.lastRequest?.changesOnly, turn.lastRequest?.repeated], [[], []]);
    assert.equal((await ask(textOf(0))).state.status, 'failed');
    assert.equal(stage.sent.length, 2);
  });

  it('is sent whole, and masked, if it has a secret in any version', async () => {
    const withSecret = textOf(0).replace('some words', 'some SECRET');
    for (const texts of [
      [withSecret, textOf(1)],
      [textOf(1), withSecret],
      [withSecret, withSecret.replace('value9 ', 'value10 ')],
    ]) {
      const talk = new Talk();
      for (const text of texts) {
        const asked = talk.ask(text);
        await confirmedAll(talk);
        await asked;
      }
      assert.deepEqual(talk.sentAs, ['whole', 'whole']);
      assert.ok(!talk.stage.sent.some(({ request }) => request.body.includes('SECRET')));
    }
  });

  it('is sent whole if a secret was marked in it, or it was never scanned', async () => {
    for (const marks of [[{ rule: 'word', start: 0, end: 5 }], undefined]) {
      const now = { ...file(textOf(1)), ...(marks === undefined ? {} : { marks }) };
      const { marks: _, ...unscanned } = now;
      const changed = marks === undefined ? unscanned : now;
      assert.equal(changesBetween(file(textOf(0)), changed), null);
      assert.equal(changesBetween(changed, file(textOf(0))), null);
    }
  });

  it('is sent whole if its earlier text is left out to fit, with what the request counts', async () => {
    const talk = new Talk();
    talk.stage.settings['svc.context.maxTokens'] = 20_000;
    const other = (at: number) =>
      attachment({ label: `${at}.ts`, uri: `file:///one/${at}.ts`, text: `${at} `.repeat(12_000), marks: [] });
    await talk.ask(textOf(0));
    await talk.session.ask({ action: 'chat', prompt: 'And?', attachments: [other(1)] });
    await talk.session.ask({ action: 'chat', prompt: 'And?', attachments: [other(2)] });
    await talk.ask(textOf(1));
    assert.match(talk.questions[0] ?? '', /\[left out to fit: a\.ts/);
    assert.deepEqual(talk.sentAs.at(-1), 'whole');
    assert.deepEqual(talk.session.conversation.turns.at(-1)?.lastRequest?.changesOnly, []);
    // What follows has changes again.
    await talk.ask(textOf(2));
    assert.deepEqual(talk.sentAs.slice(-2), ['whole', 'changes']);
  });

  it('is compared on the branch that is asked: again, after an edit of an earlier question, and after a switch', async () => {
    const talk = new Talk();
    const { session } = talk;
    const first = await talk.ask(textOf(0));
    const second = await talk.ask(textOf(1));
    const third = await talk.ask(textOf(2));
    await session.retry(third.id);
    assert.deepEqual(talk.sentAs, ['whole', 'changes', 'changes']);
    assert.ok(textRead(talk.questions) === textOf(2), 'the model has another text');
    // Without the file, the first question has nothing to compare with.
    await session.edit(first.id, { action: 'chat', prompt: 'Other?', attachments: [] });
    await talk.ask(textOf(3));
    assert.deepEqual(talk.sentAs, ['left out', 'whole']);
    assert.deepEqual(session.conversation.turns.at(-1)?.lastRequest?.changesOnly, []);
    session.showBranch(second.id);
    await talk.ask(textOf(4));
    assert.equal(talk.sentAs.at(-1), 'changes');
    assert.ok(textRead(talk.questions) === textOf(4), 'the model has another text');
  });

  it('is named as changed even after the rest of an answer was asked for', async () => {
    const talk = new Talk();
    await talk.ask(textOf(0));
    talk.stage.answer = async function* () {
      yield [{ type: 'response', status: 200 }];
      yield [{ type: 'text-delta', text: 'It' }];
      throw new ServiceError('interrupted', 'gone', { code: 'end' });
    };
    const { id } = await talk.ask(textOf(1));
    const rest = await talk.session.continue(id);
    assert.equal(talk.stage.sent.length, 3);
    assert.deepEqual([rest?.lastRequest?.changesOnly, rest?.lastRequest?.repeated], [['a.ts'], []]);
  });

  it('is sent whole after the turn that has it was summarized', async () => {
    const talk = new Talk();
    await talk.ask(textOf(0));
    const { conversation } = talk.session;
    const summary = { text: 'It is about values.', turns: 1, model: 'm' };
    talk.session.open({ ...conversation, turns: conversation.turns.map((turn) => ({ ...turn, summary })) });
    await talk.ask(textOf(1));
    assert.deepEqual(talk.sentAs, ['whole']);
    assert.ok(textRead(talk.questions) === textOf(1), 'the model has another text');
  });

  it('is compared after the conversation was stored and opened again', async () => {
    const workspace = new Workspace();
    try {
      const talk = new Talk();
      await talk.ask(textOf(0));
      await talk.ask(textOf(1));
      await workspace.open().save(talk.session.conversation);
      const loaded = await workspace.open().load(talk.session.conversation.id);
      assert.ok(loaded);
      assert.deepEqual(loaded.turns.at(-1)?.lastRequest?.changesOnly, ['a.ts']);
      const later = new Talk();
      later.session.open(loaded);
      await later.ask(textOf(2));
      assert.deepEqual(later.sentAs, ['whole', 'changes', 'changes']);
      assert.deepEqual(later.questions.slice(0, -1), talk.questions);
      assert.ok(textRead(later.questions) === textOf(2), 'the model has another text');
    } finally {
      workspace.remove();
    }
  });

  it('is in the same request under zero retention: the service need not remember it', async () => {
    const talk = new Talk();
    talk.stage.settings['svc.compliance.zeroRetention'] = true;
    await talk.ask(textOf(0));
    const turn = await talk.ask(textOf(1));
    assert.equal(turn.question.isZeroRetention, true);
    assert.deepEqual(talk.sentAs, ['whole', 'changes']);
    assert.ok(textRead(talk.questions) === textOf(1), 'the model has another text');
  });
});

describe('the changes of a file in a request', () => {
  it('are not sent where they have a secret that the whole file has not', async () => {
    // Such as one of which the parts are apart in the file.
    const scanner: SecretScanner = {
      scanText: async (text) => (text.includes('@@ ') ? [{ rule: 'word', start: 0, end: 2, line: 1 }] : []),
      maskText: async (text) => text.replaceAll('@@', ''),
    };
    const messages = [0, 1].map(
      (version): OutgoingMessage => ({ role: 'user', parts: [file(textOf(version))], secrets: 'mask' }),
    );
    const { masked } = await examine({ messages }, { scanner, mayUnmask: true, excluded: new Set(), destination: 'a' });
    assert.ok(masked.messages.every(({ content }) => content.includes('value999 = ')));
    assert.deepEqual(changesOf(masked), []);
  });

  it('count as much as they take, wherever else the file is', async () => {
    const versions = fc.array(fc.record({ version: fc.nat({ max: 3 }), isOut: fc.boolean(), isLead: fc.boolean() }), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(versions, async (all) => {
        const given = all.map(({ version, isLead }, at): OutgoingMessage => {
          const attached = file(textOf(version));
          const lead = isLead && at === 0 ? { lead: [file(textOf(0))] } : {};
          return { role: 'user', ...lead, parts: ['Why?', attached], secrets: 'mask', place: { turn: `t${at}` } };
        });
        const before = new Map(all.flatMap(({ isOut }, at) => (isOut ? [[`t${at}#1`, '[out]'] as const] : [])));
        const budget = { tokens: null, bytes: 4_000_000, perToken: 3.2 };
        const fitted = fit({
          messages: given,
          excluded: new Set(),
          offerBytes: 0,
          budget,
          before,
          mayLeaveOutTurns: false,
        });
        assert.ok(fitted.fits);
        const { scanner } = new Stage().parts;
        const rules = { scanner: await scanner(), mayUnmask: true, excluded: new Set<Attachment>(), destination: 'a' };
        const { masked } = await examine({ messages: fitted.messages }, rules);
        const bytes = masked.messages.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
        assert.ok(Math.abs(bytes - fitted.bytes) <= 60 * all.length, `${bytes} ${fitted.bytes}`);
      }),
      { numRuns: 100 },
    );
  });
});

describe('a model that reads a request', () => {
  // Some of these differ much, so that they are sent whole.
  const versionOf = (version: number): string =>
    Array.from(
      { length: 90 },
      (_, at) => `line ${at} ${at % 45 === version ? version : version > 4 ? 'other' : 'some words'}\n`,
    )
      .join('')
      .concat(version % 2 === 0 ? 'end' : '');
  const asked = fc.array(
    fc.record({
      version: fc.constantFrom(0, 1, 2, 6),
      isOut: fc.constantFrom(false, false, false, true),
      isExcluded: fc.constantFrom(false, false, false, true),
      from: fc.constantFrom('question', 'question', 'question', 'tool'),
    }),
    { minLength: 1, maxLength: 10 },
  );

  it('knows the text of the file after each message that has it, whatever was left out', async () => {
    const seen = new Set<string>();
    const { scanner } = new Stage().parts;
    await fc.assert(
      fc.asyncProperty(asked, async (all) => {
        const given = all.map(({ version, from }, at): OutgoingMessage => {
          const result = from === 'tool' ? { label: 'read_file' } : {};
          return {
            role: 'user',
            ...result,
            parts: [file(versionOf(version))],
            secrets: 'mask',
            place: { turn: `t${at}` },
          };
        });
        const excluded = new Set(
          given.flatMap(({ parts }, at) =>
            all[at]?.isExcluded && at % 3 === 0 ? parts.filter((part) => typeof part !== 'string') : [],
          ),
        );
        const before = new Map(all.flatMap(({ isOut }, at) => (isOut ? [[`t${at}#0`, '[out]'] as const] : [])));
        const budget = { tokens: null, bytes: 4_000_000, perToken: 3.2 };
        const fitted = fit({ messages: given, excluded, offerBytes: 0, budget, before, mayLeaveOutTurns: false });
        assert.ok(fitted.fits);
        const { masked } = await examine(
          {
            messages: fitted.messages.flatMap((message) => [
              message,
              { role: 'assistant', parts: ['Hi'], secrets: 'mask' },
            ]),
          },
          { scanner: await scanner(), mayUnmask: true, excluded, destination: 'a' },
        );
        const questions = questionsOf(masked.messages);
        for (const [at, { version }] of all.entries()) {
          const question = questions[at] ?? '';
          if (question === '[out]' || question === '[left out: a.ts]') continue;
          seen.add(question.slice(0, 16));
          const read =
            question === '[a.ts: as above]'
              ? questions.slice(0, at).map((_, end) => textRead(questions.slice(0, end + 1)))
              : [textRead(questions.slice(0, at + 1))];
          assert.ok(read.includes(versionOf(version)), `${at}: ${question.slice(0, 60)}`);
        }
      }),
      { numRuns: 1000 },
    );
    assert.equal(seen.size, 4, [...seen].join('|'));
  });
});

/** Sends all that the user is asked about masked. */
async function confirmedAll({ session }: Talk): Promise<void> {
  for (;;) {
    const turn = session.conversation.turns.at(-1);
    if (turn === undefined || !['waiting', 'confirming', 'streaming'].includes(turn.state.status)) return;
    if (turn.state.status === 'confirming') session.decide(turn.id, turn.state.asked, 'send-masked');
    await new Promise(setImmediate);
  }
}

describe('the changes of a file', () => {
  const line = fc.constantFrom(
    'a',
    'b',
    'ä ö',
    '}',
    '',
    '  return x;',
    '@@ -1 +1 @@',
    '\\ No newline',
    '-x',
    '+x',
    'end\r',
  );
  const edit = fc.record({
    at: fc.nat({ max: 200 }),
    count: fc.nat({ max: 3 }),
    lines: fc.array(line, { maxLength: 3 }),
  });

  it('are not looked for in a short or a long file', () => {
    const isFound = (lines: number, words: string): boolean => {
      const text = (last: string): string => `${`${words}\n`.repeat(lines)}${last}\n`;
      return changesBetween(file(text('1')), file(text('2'))) !== null;
    };
    assert.deepEqual([isFound(10, 'some words'), isFound(100, 'some words')], [false, true]);
    assert.deepEqual([isFound(7_900, 'some words'), isFound(8_100, 'some words')], [true, false]);
    assert.deepEqual([isFound(2_500, 'x'.repeat(100)), isFound(2_700, 'x'.repeat(100))], [true, false]);
  });

  it('make its text of the one before, whatever was changed, and are at most half of it', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 150, maxLength: 200 }),
        fc.array(edit, { maxLength: 4 }),
        fc.boolean(),
        fc.boolean(),
        (lines, edits, endsBefore, endsNow) => {
          const numbered = lines.map((one, at) => `${at % 3 === 0 ? `${at} padded to be long enough` : ''}${one}`);
          const changed = [...numbered];
          for (const { at, count, lines: added } of edits) changed.splice(at, count, ...added);
          const before = numbered.join('\n') + (endsBefore ? '\n' : '');
          const now = changed.join('\n') + (endsNow ? '\n' : '');
          if (before === now) return;
          const hunks = changesBetween(file(before), file(now));
          if (hunks === null) return;
          compared += 1;
          assert.equal(patched(before, hunks), now);
          assert.ok(hunks.length <= now.length / 2);
        },
      ),
      { numRuns: 1000 },
    );
    assert.ok(compared > 500, String(compared));
  });
});
