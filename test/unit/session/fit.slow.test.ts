import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Budget, type Fit, fit } from '../../../src/send/budget/fit.ts';
import type { Attachment } from '../../../src/send/message/attachment.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
import { messagesFor } from '../../../src/session/conversation/messagesFor.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { leadOf } from '../../../src/session/prompts/houseRules.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import type { ToolStep } from '../../../src/session/tools/toolStep.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';

const perToken = 3.2;
const wide: Budget = { tokens: null, bytes: 4_000_000, perToken };

interface Given {
  readonly budget?: Partial<Budget>;
  readonly before?: ReadonlyMap<string, string>;
  readonly mayLeaveOutTurns?: boolean;
  readonly excluded?: readonly Attachment[];
}

function run(
  messages: readonly OutgoingMessage[],
  { budget, before = new Map(), mayLeaveOutTurns = false, excluded = [] }: Given = {},
): Fit {
  const input = { messages, excluded: new Set(excluded), offerBytes: 0, before, mayLeaveOutTurns };
  return fit({ ...input, budget: { ...wide, ...budget } });
}

function turn(id: string, over: TurnFields = {}): Turn {
  const words = { prompt: `question ${id}`, answer: `answer ${id}` };
  return turnOf({ id, model: 'm', ...words, ...over });
}

function result(id: string, text: string): ToolStep {
  const call = { id, callId: `call-${id}`, name: 'read_file', input: {}, round: Number(id), at: 0 };
  return { ...call, state: 'done', output: { text: asOwn(text), attachments: [] } };
}

const file = (name: string, text: string, firstLine = 1): Attachment =>
  attachment({ label: name, uri: `file:///one/${name}`, text, firstLine });
const lines = (count: number, word = 'line'): string =>
  Array.from({ length: count }, (_, at) => `${word} ${at}`).join('\n');

/** The text of a request, as far as its parts are text: attachments by their name and text. */
const textOf = (messages: readonly OutgoingMessage[]): string =>
  messages
    .flatMap(({ lead = [], parts }) => [...lead, ...parts])
    .map((part) => (typeof part === 'string' ? part : `${part.label}\n${part.text}`))
    .join('\n');

function fitted(found: Fit): Extract<Fit, { fits: true }> {
  assert.ok(found.fits, 'it does not fit');
  return found;
}

describe('fit: what a request carries of a conversation', () => {
  it('leaves a request that fits as it is', () => {
    const messages = messagesFor([turn('a', { attachments: [file('a.ts', 'x')] }), turn('b')], false);
    const found = fitted(run(messages, { budget: { tokens: 1000 } }));
    assert.equal(found.messages, messages);
    assert.deepEqual([found.shortened, found.lines.size], [null, 0]);
  });

  it('leaves out older texts of a file first, then results of earlier turns, then attachments', () => {
    const turns = [
      turn('a', { attachments: [file('a.ts', lines(1500)), file('b.ts', lines(400, 'other'))] }),
      turn('b', { steps: [result('0', lines(400, 'result'))] }),
      turn('c', { attachments: [file('a.ts', lines(400, 'new'))] }),
      turn('d'),
      turn('e'),
    ];
    const messages = messagesFor(turns, false);
    const whole = fitted(run(messages)).tokens;
    const kinds = (tokens: number): readonly string[] => {
      const { shortened } = fitted(run(messages, { budget: { tokens } }));
      return (shortened?.parts ?? []).map(({ kind, label, turn: id }) => `${kind} ${label} ${id}`);
    };
    assert.deepEqual(kinds(whole), []);
    assert.deepEqual(kinds(whole - 1), ['attachment a.ts a']);
    assert.deepEqual(kinds(whole * 0.8), ['attachment a.ts a', 'result read_file b']);
    const all = ['attachment a.ts a', 'attachment b.ts a', 'result read_file b', 'attachment a.ts c'];
    assert.deepEqual([...kinds(whole * 0.15)].sort(), [...all].sort());
    const { messages: left } = fitted(run(messages, { budget: { tokens: whole * 0.15 } }));
    assert.match(textOf(left), /\[left out to fit: a\.ts, 14 KB\. A newer one follows\.\]/);
    assert.match(textOf(left), /\[left out to fit: b\.ts, 4 KB\. Say so if it is needed\.\]/);
    assert.match(textOf(left), /\[left out to fit: result of read_file, 4 KB\. Call it again where it is needed\.\]/);
  });

  it('takes only another text of the same file for a newer one', () => {
    const about =
      (uri: string) =>
      (label: string, text: string, firstLine = 1) =>
        attachment({ uri, label, text, firstLine });
    const [pay, terminal, repository] = [
      about('file:///one/pay.ts'),
      about('untitled:terminal'),
      about('file:///one'),
    ] as const;
    /** Whether the first is the first to be left out, because the second has a newer text. */
    const isReplaced = (first: Attachment, second: Attachment): boolean => {
      const turns = [
        turn('a', { attachments: [file('other.ts', lines(200, 'other'))] }),
        turn('b', { attachments: [first] }),
        turn('c', { attachments: [second] }),
        turn('d'),
      ];
      const messages = messagesFor(turns, false);
      const tokens = fitted(run(messages)).tokens - 1;
      return /A newer one follows/.test(textOf(fitted(run(messages, { budget: { tokens } })).messages));
    };
    assert.equal(isReplaced(pay('pay.ts', lines(400)), pay('pay.ts', lines(400, 'new'))), true);
    assert.equal(isReplaced(pay('pay.ts', lines(400)), pay('pay.ts:3-12', lines(10, 'new'), 3)), true);
    assert.equal(isReplaced(pay('pay.ts:3-402', lines(400), 3), pay('pay.ts:500', 'new', 500)), false);
    assert.equal(isReplaced(pay('pay.ts', lines(400)), pay('problems in pay.ts', lines(10, 'new'))), false);
    assert.equal(isReplaced(pay('problems in pay.ts', lines(400)), pay('problems in pay.ts', lines(9))), true);
    assert.equal(isReplaced(terminal('terminal', lines(400)), terminal('terminal', lines(10, 'new'))), false);
    assert.equal(isReplaced(repository('staged changes', lines(400)), repository('all changes', lines(10))), false);
  });

  /** What is left out of these turns without the user's word, where next to nothing fits. */
  const leftOutOf = (turns: readonly Turn[]): readonly string[] => {
    const messages = messagesFor(turns, false);
    // The largest budget for which whole turns would have to be left out, and one more.
    const whole = fitted(run(messages)).tokens;
    let [refused, fits] = [0, whole];
    while (fits - refused > 1) {
      const tokens = Math.floor((refused + fits) / 2);
      if (run(messages, { budget: { tokens } }).fits) fits = tokens;
      else refused = tokens;
    }
    const { shortened } = fitted(run(messages, { budget: { tokens: fits } }));
    return (shortened?.parts ?? []).map(({ kind, label, turn: id }) => `${kind} ${id} ${label}`);
  };

  it('keeps the results of the last two turns before the question', () => {
    const ids = ['a', 'b', 'c', 'd'];
    const turns = ids.map((id) => turn(id, { steps: [result('0', lines(300, id))] }));
    assert.deepEqual(leftOutOf([...turns, turn('now')]), ['result a read_file', 'result b read_file']);
  });

  it('keeps the newest eight results of this turn, and no more than the newest 24,000 tokens of them', () => {
    const steps = (count: number, bytes: number) =>
      Array.from({ length: count }, (_, at) => ({
        ...result(String(at), 'x'.repeat(bytes)),
        name: `tool${at}`,
      }));
    const outOf = (count: number, bytes: number) => leftOutOf([turn('now', { steps: steps(count, bytes) })]);
    assert.deepEqual(
      outOf(11, 2_000),
      [0, 1, 2].map((at) => `result now tool${at}`),
    );
    // 7,500 tokens each: three are fewer than 24,000.
    assert.deepEqual(
      outOf(5, 7_500 * perToken),
      [0, 1].map((at) => `result now tool${at}`),
    );
    // The newest one stays, however large.
    assert.deepEqual(outOf(2, 30_000 * perToken), ['result now tool0']);
  });

  it('keeps the attachments of the last turn before the question', () => {
    const ids = ['a', 'b', 'c'];
    const turns = ids.map((id) => turn(id, { attachments: [file(`${id}.ts`, lines(300, id))] }));
    const now = turn('now', { attachments: [file('now.ts', lines(300, 'now'))] });
    assert.deepEqual(leftOutOf([...turns, now]), ['attachment a a.ts', 'attachment b b.ts']);
  });

  it('counts an attachment that is above as a line, and sends the next one whole where the first is left out', () => {
    const same = (): Attachment => file('a.ts', lines(2000));
    const ids = Array.from({ length: 10 }, (_, at) => String(at));
    const messages = messagesFor(
      ids.map((id) => turn(id, { attachments: [same()] })),
      false,
    );
    const { bytes, shortened } = fitted(run(messages, { budget: { tokens: 10_000 } }));
    assert.equal(shortened, null);
    assert.ok(bytes < 1.15 * fitted(run(messages.slice(0, 1))).bytes);
    const left = fitted(run(messages, { before: new Map([['0#1', '[…]']]) }));
    assert.ok(left.bytes > 0.9 * bytes);
  });

  it('keeps what was left out before, unless it belongs to the question itself', () => {
    const messages = messagesFor(
      [turn('a', { attachments: [file('a.ts', 'x')] }), turn('b', { attachments: [file('b.ts', 'y')] })],
      false,
    );
    const { shortened } = fitted(
      run(messages, {
        before: new Map([
          ['a#1', '[…]'],
          ['b#1', '[…]'],
        ]),
      }),
    );
    assert.deepEqual(
      shortened?.parts.map(({ label }) => label),
      ['a.ts'],
    );
  });

  it('leaves out whole turns only after the user’s word, and keeps their questions', () => {
    const turns = [1, 2, 3, 4, 5, 6].map((id) => turn(`t${id}`, { answer: lines(300) }));
    const messages = messagesFor(turns, false, leadOf([]));
    const budget = { tokens: 3500 };
    const refused = run(messages, { budget });
    assert.deepEqual(refused.fits ? null : [refused.canLeaveOutTurns, refused.largest], [true, []]);
    const { messages: left, shortened } = fitted(run(messages, { budget, mayLeaveOutTurns: true }));
    assert.deepEqual(
      shortened?.parts.map(({ kind, turn: id }) => [kind, id]),
      [
        ['turn', 't1'],
        ['turn', 't2'],
        ['turn', 't3'],
      ],
    );
    assert.deepEqual(left[0]?.lead?.slice(1), [
      "Earlier in this conversation. The user's questions, word for word:",
      'question t1',
      'question t2',
      'question t3',
    ]);
    assert.equal(left[0]?.parts[0], 'question t4');
  });

  it('cuts older questions where all of them have more than 8,000 tokens', () => {
    const long = (id: number): string => `${id} ${'word '.repeat(2000)}`;
    const turns = [1, 2, 3, 4, 5, 6].map((id) =>
      turn(`t${id}`, { prompt: long(id), answer: lines(id < 5 ? 2000 : 1) }),
    );
    const { messages } = fitted(run(messagesFor(turns, false), { budget: { tokens: 28_000 }, mayLeaveOutTurns: true }));
    const [, ...questions] = messages[0]?.lead ?? [];
    assert.deepEqual(
      questions.map((text) => [String(text).slice(0, 1), String(text).endsWith('[…]')]),
      [
        ['1', true],
        ['2', true],
        ['3', false],
        ['4', false],
      ],
    );
  });

  it('cuts older questions more where the model reads little and nothing else helps', () => {
    const long = (id: number): string => `${id} ${'word '.repeat(700)}`;
    const turns = [1, 2, 3, 4, 5, 6].map((id) => turn(`t${id}`, { prompt: id === 6 ? 'Now?' : long(id) }));
    // Whole, they would have more than 5,000 tokens.
    const { messages, tokens } = fitted(
      run(messagesFor(turns, false), { budget: { tokens: 4000 }, mayLeaveOutTurns: true }),
    );
    assert.ok(tokens <= 4000);
    const [, ...questions] = messages[0]?.lead ?? [];
    assert.deepEqual(
      questions.map((text) => String(text).endsWith('[…]')),
      [true, true, true, true, false],
    );
  });

  it('names what the user can remove, the largest first, where even the question does not fit', () => {
    const attachments = [
      file('small.ts', lines(300)),
      file('large.ts', lines(3000)),
      file('middle.ts', lines(1000)),
      file('large.ts', lines(3000)),
    ];
    const largest = (tokens: number, prompt = 'Why?') => {
      const messages = messagesFor([turn('a'), turn('b', { prompt, attachments })], false);
      const found = run(messages, { budget: { tokens }, mayLeaveOutTurns: true });
      return found.fits ? null : [found.canLeaveOutTurns, found.largest];
    };
    // No more than what brings it within the budget.
    assert.deepEqual(largest(5000), [false, ['large.ts']]);
    assert.deepEqual(largest(2000), [false, ['large.ts', 'middle.ts']]);
    assert.deepEqual(largest(500), [false, ['large.ts', 'middle.ts', 'small.ts']]);
    assert.deepEqual(largest(2000, 'word '.repeat(5000)), [false, ['large.ts', 'middle.ts', 'small.ts']]);
  });

  it('keeps within the size of a request, where that is less than the tokens', () => {
    const turns = [1, 2, 3, 4].map((id) => turn(`t${id}`, { attachments: [file(`${id}.ts`, '"\n'.repeat(10_000))] }));
    const { shortened, messages } = fitted(run(messagesFor(turns, false), { budget: { bytes: 130_000 } }));
    assert.ok((shortened?.parts.length ?? 0) > 0);
    assert.ok(Buffer.byteLength(JSON.stringify(textOf(messages))) < 130_000);
  });

  it('counts no attachment that may not be sent', () => {
    const secret = file('a.ts', lines(5000));
    const messages = messagesFor(
      [turn('a', { attachments: [secret] }), turn('b', { attachments: [file('b.ts', 'x')] }), turn('c')],
      false,
    );
    assert.equal(fitted(run(messages, { excluded: [secret], budget: { tokens: 1000 } })).shortened, null);
  });
});

/** In the text of each file that may not be sent. */
const secret = 'TOP-SECRET';

/** At most what these turns take in tokens where all is left out that may be, a line for each part. */
function least(turns: readonly Turn[], mayLeaveOutTurns: boolean): number {
  const lineBytes = 120;
  const bytes = (texts: readonly (string | undefined)[]): number =>
    texts.reduce((sum, text = '') => sum + Buffer.byteLength(text) + lineBytes, lineBytes);
  const now = turns.length - 1;
  const sizes = turns.map(({ question, answer, summary }, at) => {
    const { prompt, attachments } = question;
    const files = attachments.map(({ text }) => (text.startsWith(secret) ? '' : text));
    const results = answer.steps.map(({ output }) => output?.text);
    const isKept = (turnsBefore: number): boolean => at >= now - (mayLeaveOutTurns ? 0 : turnsBefore);
    return (
      bytes([prompt, summary?.text, isKept(99) ? answer.text : '']) +
      bytes(isKept(1) ? files : files.map(() => '')) +
      bytes(isKept(2) ? results : results.map(() => ''))
    );
  });
  return sizes.reduce((sum, size) => sum + size, 1_500) / perToken;
}

describe('fit: any conversation', () => {
  const texts = fc.integer({ min: 0, max: 3000 }).map((size) => 'word\n'.repeat(size / 5));
  // Of these, only changes are sent.
  const versions = fc.nat({ max: 5 }).map((version) => `${lines(100)}\n${version}\n${lines(100, 'other')}`);
  const files = fc.record({
    name: fc.constantFrom('a.ts', 'b.ts', 'ä.ts'),
    text: fc.oneof(texts, versions),
    firstLine: fc.constantFrom(1, 400),
    isExcluded: fc.boolean(),
  });
  const turns = fc.array(
    fc.record({
      prompt: texts,
      answer: texts,
      files: fc.array(files, { maxLength: 3 }),
      results: fc.array(texts, { maxLength: 4 }),
      summary: fc.option(texts, { freq: 5 }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  const conversations = turns.map((all) =>
    all.map(({ prompt, answer, files: names, results, summary }, at): Turn => {
      const attachments = names.map(({ name, text, firstLine, isExcluded }) => ({
        ...file(name, isExcluded ? `${secret} ${text}` : text, firstLine),
        marks: [],
      }));
      const steps = results.map((text, index) => result(String(index), text));
      return turn(`t${at}`, {
        prompt: `fact ${at} ${prompt}`,
        answer: `a${answer}`,
        attachments,
        ...(steps.length > 0 ? { steps } : {}),
        ...(summary === null ? {} : { summary: { text: `summary ${at} ${summary}`, turns: at + 1, model: 'm' } }),
      });
    }),
  );

  it('is within its budget, or refused; nothing else is left out, and calls keep their results', () => {
    fc.assert(
      fc.property(
        conversations,
        fc.integer({ min: 100, max: 12_000 }),
        fc.boolean(),
        (all, tokens, mayLeaveOutTurns) => {
          const messages = messagesFor(all, false, leadOf([file('AGENTS.md', 'Be kind.')]));
          const excluded = all.flatMap(({ question }) =>
            question.attachments.filter(({ text }) => text.startsWith(secret)),
          );
          const given = { excluded, budget: { tokens }, mayLeaveOutTurns };
          const whole = fitted(run(messages, { excluded }));
          const found = run(messages, given);
          if (!found.fits) {
            assert.ok(whole.tokens > tokens);
            checkRefusal(all, found, tokens, mayLeaveOutTurns);
            if (found.canLeaveOutTurns) fitted(run(messages, { ...given, mayLeaveOutTurns: true }));
            return;
          }
          // A line stands for it, later: it is in no text.
          const texts = found.messages.flatMap(({ lead = [], parts }) => [...lead, ...parts]);
          const sent = texts.map((part) => (typeof part === 'string' || excluded.includes(part) ? part : part.text));
          assert.ok(!sent.some((part) => typeof part === 'string' && part.includes(secret)));
          assert.ok(found.tokens <= tokens);
          const again = fitted(run(found.messages, given));
          assert.equal(again.messages, found.messages);
          const summarized = all.slice(0, -1).findLast(({ summary }) => summary !== undefined);
          if (summarized === undefined) assert.equal(whole.messages, messages);
          if (whole.tokens <= tokens) assert.deepEqual([found.messages, found.shortened], [whole.messages, null]);
          // The last summary is in it, once, and nothing else of the turns that it replaces.
          const said = textOf(found.messages).match(/summary \d+ /g) ?? [];
          assert.deepEqual(said, summarized?.summary === undefined ? [] : [`summary ${all.indexOf(summarized)} `]);
          assert.ok(textOf(found.messages).includes(summarized?.summary?.text ?? ''));
          checkMessages(messages, found);
          for (const [at] of all.entries()) assert.ok(textOf(found.messages).includes(`fact ${at} `));
          // The next request has the same beginning.
          const kept = fitted(run(messages, { ...given, before: found.lines }));
          assert.deepEqual(kept.messages, found.messages);
          assert.deepEqual(new Map([...kept.lines].sort()), new Map([...found.lines].sort()));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is within the size of a request as JSON, whatever its tools return', () => {
    const characters = fc.constantFrom('"', '\\', '\u0001', '\n', 'a', 'ä', '\u2028', '{"a":1}');
    const results = fc.array(
      fc.tuple(characters, fc.integer({ min: 1, max: 8_000 })).map(([one, count]) => one.repeat(count)),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(
        fc.array(results, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 10_000, max: 300_000 }),
        (all, bytes) => {
          const steps = all.map((texts) => texts.map((text, index) => result(String(index), text)));
          const asked = steps.map((of, at) => turn(`t${at}`, { steps: of }));
          const found = run(messagesFor(asked, false), { budget: { bytes }, mayLeaveOutTurns: true });
          if (!found.fits) return;
          const body = found.messages.map((message) => ({
            ...{ role: message.role, content: textOf([message]), tool_call_id: message.toolCallId },
            tool_calls: JSON.stringify(message.toolCalls),
          }));
          assert.ok(Buffer.byteLength(JSON.stringify(body)) <= bytes);
        },
      ),
      { numRuns: 500 },
    );
  });

  /** It is refused only if what is never left out is over the budget, or whole turns would have to be left out. */
  function checkRefusal(
    turns: readonly Turn[],
    { canLeaveOutTurns, largest }: Extract<Fit, { fits: false }>,
    tokens: number,
    mayLeaveOutTurns: boolean,
  ): void {
    assert.ok(!(canLeaveOutTurns && mayLeaveOutTurns));
    assert.ok(least(turns, !canLeaveOutTurns) > tokens);
    const files = (turns.at(-1)?.question.attachments ?? []).filter(({ text }) => !text.startsWith(secret));
    const all = [file('AGENTS.md', 'Be kind.'), ...files];
    const sizeOf = ({ label, text }: Attachment): number => Buffer.byteLength(label) + Buffer.byteLength(text);
    const most = all.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
    assert.equal(largest[0], canLeaveOutTurns ? undefined : most?.label);
    for (const label of largest) assert.ok(label === 'AGENTS.md' || files.some((one) => one.label === label));
  }

  function checkMessages(messages: readonly OutgoingMessage[], found: Extract<Fit, { fits: true }>): void {
    const parts = found.shortened?.parts ?? [];
    const out = new Set(parts.filter(({ kind }) => kind === 'turn').map(({ turn: id }) => id));
    const expected = messages.filter(({ place }) => !out.has(place?.turn ?? ''));
    assert.deepEqual(
      found.messages.map(({ role, place, toolCallId }) => [role, place, toolCallId]),
      expected.map(({ role, place, toolCallId }) => [role, place, toolCallId]),
    );
    const changed = found.messages.flatMap((message, at) =>
      message.parts.filter((part, index) => part !== expected[at]?.parts[index] && typeof part === 'string'),
    );
    assert.equal(changed.length, parts.length - out.size);
    const calls = found.messages.flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id)).sort();
    assert.deepEqual(found.messages.flatMap(({ toolCallId = [] }) => toolCallId).sort(), calls);
    assert.ok(textOf(found.messages).includes('Be kind.'));
  }
});
