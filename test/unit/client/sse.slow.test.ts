import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { AnswerReader } from '../../../src/client/answer/answerReader.ts';
import { SseDecoder } from '../../../src/client/answer/sse.ts';
import { keyFilter } from '../../../src/client/answer/withoutKey.ts';
import type { ChatEvent } from '../../../src/client/chat.ts';
import { isServiceError } from '../../../src/util/errors.ts';

const runs = Number(process.env.FUZZ_RUNS ?? 1000);
const names = ['lf', 'cr', 'crlf', 'bom', 'comments', 'multi-line', 'no-space', 'unterminated'];
const recordings = names.map((name) => readFileSync(new URL(`../../fixtures/${name}.sse`, import.meta.url)));

/** Reads an answer from these pieces as the client does, without a socket. */
function read(pieces: readonly Uint8Array[]): { readonly events: readonly ChatEvent[]; readonly error: unknown } {
  const reader = new AnswerReader({ contentType: 'text/event-stream', filter: keyFilter(['svc_ent_key']) });
  const events: ChatEvent[] = [];
  try {
    for (const piece of pieces) {
      reader.push(piece, events);
      if (reader.isDone) return { events, error: undefined };
    }
    reader.end(events);
  } catch (error) {
    return { events, error };
  }
  return { events, error: undefined };
}

function textOf(events: readonly ChatEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
}

function split(bytes: Uint8Array, at: readonly number[]): readonly Uint8Array[] {
  const cuts = [0, ...at.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut));
}

describe('SseDecoder', () => {
  it('returns all events of one read together', () => {
    const batch = new SseDecoder().push(Buffer.from('data: 1\n\nevent: x\ndata: 2\ndata: 3\n\ndata: 4'));
    assert.deepEqual(
      batch.map(({ event, data }) => [event, data]),
      [
        [undefined, '1'],
        ['x', '2\n3'],
      ],
    );
  });

  it('returns an event at its last CR without waiting for the next byte', () => {
    for (const next of ['\n', '', 'data: 2\r']) {
      const decoder = new SseDecoder();
      assert.equal(decoder.push(Buffer.from('data: 1\r\r')).length, 1);
      decoder.push(Buffer.from(next));
      assert.deepEqual(
        decoder.end().map(({ data }) => data),
        next.startsWith('data') ? ['2'] : [],
      );
    }
  });

  it('returns what came before an oversized event, then throws', () => {
    const decoder = new SseDecoder(100);
    assert.equal(decoder.push(Buffer.from(`data: 1\n\ndata: ${'x'.repeat(200)}`)).length, 1);
    assert.throws(() => decoder.push(Buffer.from('x')), { kind: 'protocol', code: 'too-long' });
  });

  it('counts all lines of an event together', () => {
    const decoder = new SseDecoder(100);
    assert.throws(
      () => {
        for (let i = 0; i < 20; i++) decoder.push(Buffer.from(`data: ${'x'.repeat(20)}\n`));
      },
      { code: 'too-long' },
    );
  });
});

describe('AnswerReader', () => {
  it('any split of a recorded stream gives the same text', () => {
    const cuts = fc.array(fc.nat(4000), { maxLength: 60 });
    const property = fc.property(fc.constantFrom(...recordings), cuts, (recording, at) => {
      const { events, error } = read(split(recording, at));
      assert.equal(error, undefined);
      assert.equal(textOf(events), 'Grüße, 世界 👋!');
      const others = events.filter(({ type }) => type !== 'text-delta').map(({ type }) => type);
      assert.deepEqual(others.slice(-1), ['finish']);
    });
    fc.assert(property, { numRuns: runs });
  });

  it('any mutation of bytes ends in an answer or in an error of a known kind', () => {
    const mutation = fc.tuple(fc.nat(4000), fc.nat(255));
    const property = fc.property(
      fc.constantFrom(...recordings),
      fc.array(mutation, { minLength: 1, maxLength: 8 }),
      fc.array(fc.nat(4000), { maxLength: 5 }),
      (recording, mutations, at) => {
        const bytes = Uint8Array.from(recording);
        for (const [position, value] of mutations) bytes[position % bytes.length] = value;
        const { error } = read(split(bytes, at));
        if (error === undefined) return;
        assert.ok(isServiceError(error), String(error));
        assert.match(error.kind, /^(protocol|interrupted|server)$/);
      },
    );
    fc.assert(property, { numRuns: runs });
  });

  it('any JSON in an event ends in an answer or in an error of a known kind', () => {
    const property = fc.property(
      fc.jsonValue(),
      fc.constantFrom('choices', 'error', 'usage', 'security'),
      (value, key) => {
        for (const data of [value, { [key]: value }, { choices: [value] }, { choices: [{ delta: value }] }]) {
          const { error } = read([Buffer.from(`data: ${JSON.stringify(data)}\n\ndata: [DONE]\n\n`)]);
          assert.ok(error === undefined || isServiceError(error), String(error));
        }
      },
    );
    fc.assert(property, { numRuns: runs });
  });

  it('the deltas of one read become one event', () => {
    const delta = (content: string): string => `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
    const { events } = read([Buffer.from(`${delta('a')}${delta('b')}${delta('c')}data: [DONE]\n\n`)]);
    assert.deepEqual(events, [
      { type: 'text-delta', text: 'abc' },
      { type: 'finish', finishReason: 'unknown' },
    ]);
  });
});
