import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { scanText } from '../../../src/gate/secrets/scanner.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
import { validMessages } from '../../../src/send/wire/validMessages.ts';
import { isShorter, summaryRequest, turnsToSummarize } from '../../../src/session/conversation/summarize.ts';
import type { Turn } from '../../../src/session/conversation/turn.ts';
import { asOwn } from '../../../src/session/tools/ownText.ts';
import type { ToolStep } from '../../../src/session/tools/toolStep.ts';
import { type TurnFields, turnOf } from '../../tools/turns.ts';
import { attachment } from './attachment.ts';

function turn(id: string, over: TurnFields = {}): Turn {
  const words = { prompt: `question ${id}`, answer: `answer ${id}` };
  return turnOf({ id, model: 'm', ...words, ...over });
}

function step(round: number, over: Partial<ToolStep> = {}): ToolStep {
  const call = { id: `${round}.0`, callId: `call-${round}`, name: 'read_file', input: { path: 'src/a.ts' } };
  return { ...call, round, at: 0, state: 'done', output: { text: asOwn(`result ${round}`), attachments: [] }, ...over };
}

const summary = (text: string): Pick<Turn, 'summary'> => ({ summary: { text, turns: 1, model: 'm' } });
const textOf = ({ parts }: OutgoingMessage): string =>
  parts.map((part) => (typeof part === 'string' ? part : part.text)).join('\n');

function request(...before: readonly Turn[]): readonly OutgoingMessage[] {
  const place = { turn: turn('summary'), before, conversation: { id: 'c', mayLeaveOutTurns: false } };
  const { messages, offer } = summaryRequest(place);
  assert.equal(offer, undefined);
  return validMessages(messages, false).map(([first, ...more]) => ({
    ...first,
    parts: [first, ...more].flatMap(({ parts }) => parts),
  }));
}

describe('the turns that a summary replaces', () => {
  const ids = (...turns: readonly Turn[]): string =>
    turnsToSummarize(turns)
      .map(({ id }) => id)
      .join('');

  it('are all but the last two that have an answer, or all where only these are left', () => {
    assert.equal(ids(turn('a'), turn('b'), turn('c'), turn('d')), 'ab');
    assert.equal(ids(turn('a'), turn('b', { answer: '' }), turn('c'), turn('d')), 'a');
    assert.equal(ids(turn('a'), turn('b')), 'ab');
    assert.equal(ids(turn('a', summary('s')), turn('b'), turn('c'), turn('d')), 'ab');
    assert.equal(ids(turn('a', summary('s')), turn('b'), turn('c')), 'abc');
    assert.equal(ids(turn('a'), turn('b', summary('s'))), '');
    assert.equal(ids(turn('a', { answer: '' })), '');
  });
});

describe('the request for a summary', () => {
  it('has calls as text of the answers and results as text of the user, in alternating roles', () => {
    const called = turn('a', {
      answer: 'Let me see.It is fine.',
      steps: [
        step(0, { at: 11, input: { path: 'src/a.ts', lines: 3, deep: { a: 1 }, long: 'x'.repeat(201) } }),
        step(0, {
          id: '0.1',
          callId: 'b',
          at: 11,
          output: { text: asOwn(''), attachments: [attachment({ text: 'file' })] },
        }),
        step(1, { at: 11 }),
      ],
    });
    const messages = request(called, turn('b'));
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.ok(messages.every(({ toolCalls, toolCallId }) => toolCalls === undefined && toolCallId === undefined));
    assert.deepEqual(messages.slice(1, 6).map(textOf), [
      [
        'Let me see.',
        '[called read_file]\npath: src/a.ts\nlines: 3\ndeep: […]\nlong: […]',
        '[called read_file]\npath: src/a.ts',
      ].join('\n'),
      '[result of read_file]\nresult 0\n[result of read_file]\nfile',
      '[called read_file]\npath: src/a.ts',
      '[result of read_file]\nresult 1',
      'It is fine.',
    ]);
  });

  it('has long results without their middle, cut at lines, with the secrets in them marked as before', () => {
    const line = (at: number): string => `line ${at} with some words`;
    const text = Array.from({ length: 200 }, (_, at) => line(at)).join('\n');
    const start = text.indexOf(line(199));
    const marks = [
      { rule: 'word', start: 0, end: 4 },
      { rule: 'word', start: 2000, end: 2004 },
      { rule: 'word', start, end: start + 4 },
    ];
    const output = { text: asOwn(''), attachments: [attachment({ text, marks })] };
    const [, , message] = request(turn('a', { steps: [step(0, { output })] }), turn('b'));
    const file = message?.parts.find((part) => typeof part === 'object') ?? assert.fail('no file');
    const cut = file.text;
    assert.ok(cut.length < 2010 && cut.includes('\n[…]\n'));
    const kept = cut
      .replace('\n[…]\n', '')
      .split('\n')
      .filter((each) => each !== '');
    assert.ok(
      kept.every((each) => text.split('\n').includes(each)),
      cut,
    );
    assert.ok(cut.startsWith(line(0)) && cut.endsWith(line(199)));
    assert.deepEqual(
      file.marks?.map((mark) => file.text.slice(mark.start, mark.end)),
      ['line', 'line'],
    );
    // A line that is longer than all that is kept is left out.
    const oneLine = { text: asOwn(''), attachments: [attachment({ text: 'x'.repeat(3000) })] };
    const [, , minified] = request(turn('a', { steps: [step(0, { output: oneLine })] }));
    const left = minified?.parts.find((part) => typeof part === 'object') ?? assert.fail('no file');
    assert.doesNotMatch(left.text, /xx/);
  });

  it('shows no part of a private key that a cut goes through, wherever the key stands', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    const body = privateKey.split('\n').slice(1, -2);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 90 }), fc.integer({ min: 0, max: 90 }), async (before, after) => {
        const words = (count: number): string => 'some words of a file\n'.repeat(count);
        const text = `${words(before)}${privateKey}${words(after)}`;
        const marks = await scanText(text);
        const output = { text: asOwn(''), attachments: [attachment({ text, marks })] };
        const [, , message] = request(turn('a', { steps: [step(0, { output })] }), turn('b'));
        const file = message?.parts.find((part) => typeof part === 'object') ?? assert.fail('no file');
        const [result, found] = [file.text, file.marks ?? []];
        for (const line of body.filter((each) => result.includes(each))) {
          const at = result.indexOf(line);
          assert.ok(
            found.some(({ start, end }) => start <= at && end >= at + line.length),
            `${before} ${after}: ${line}`,
          );
        }
      }),
      { numRuns: 200 },
    );
  });
});

describe('a summary', () => {
  it('helps if it has at most 60 % of the answers, results and the summary that it replaces', () => {
    const turns = [turn('a', { answer: 'x'.repeat(600) }), turn('b', { answer: 'y'.repeat(400) })];
    assert.deepEqual([isShorter('z'.repeat(600), turns), isShorter('z'.repeat(601), turns)], [true, false]);
    const former = [turn('a', { answer: 'x'.repeat(9000), ...summary('s'.repeat(100)) }), turn('b', { answer: 'y' })];
    assert.deepEqual([isShorter('z'.repeat(60), former), isShorter('z'.repeat(61), former)], [true, false]);
    // Attachments are what is left out first: they are no reason for a long summary.
    const attached = [turn('a', { answer: 'x', attachments: [attachment({ text: 'x'.repeat(9000) })] })];
    assert.equal(isShorter('zz', attached), false);
  });
});
