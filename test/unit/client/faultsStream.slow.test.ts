import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliCompressSync, constants, createBrotliCompress, createGzip, gzipSync } from 'node:zlib';
import {
  chunked,
  delta,
  done,
  event,
  finish,
  head,
  lastChunk,
  openSseHead,
  type RawExchange,
  sseHead,
  whole,
} from '../../tools/rawServer.ts';
import { HandTimers } from './handTimers.ts';
import { apiKey, type ChatParts, type Outcome, prompt, type StageOptions, Theatre } from './harness.ts';

const json = { 'content-type': 'application/json' };

const recording = (name: string): Buffer => readFileSync(new URL(`../../fixtures/${name}.sse`, import.meta.url));
/** The text of all recordings. */
const recordedText = 'Grüße, 世界 👋!';

describe('client faults: the answer', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());

  /** One server, one chat: every request gets these parts, one packet each, and then FIN. */
  async function answer(
    parts: readonly (string | Uint8Array)[],
    chat: ChatParts = {},
    options: StageOptions = {},
  ): Promise<Outcome> {
    const stage = await theatre.stage(async ({ sendEach, end }) => {
      await sendEach(parts);
      end();
    }, options);
    return stage.chat(chat);
  }

  function assertComplete(outcome: Outcome, text: string, finishReason = 'stop'): void {
    assert.equal(outcome.error, undefined);
    assert.equal(outcome.text, text);
    assert.equal(outcome.finishReason, finishReason);
    assert.equal(outcome.waits.length, 0);
  }

  function assertInterrupted(outcome: Outcome, text: string, code: string): void {
    assert.equal(outcome.text, text);
    assert.equal(outcome.error?.kind, 'interrupted');
    assert.equal(outcome.error.code, code);
    assert.equal(outcome.error.isRetryable, false);
    assert.equal(outcome.waits.length, 0);
  }

  describe('row: reset, FIN, stall, error event after the first token', () => {
    const begin = [sseHead, chunked(delta('Half an ans'))];

    /** The server breaks off only after the client has shown the first delta. */
    async function breakOff(how: (exchange: RawExchange) => void, options = {}): Promise<Outcome> {
      const shown = Promise.withResolvers<void>();
      const stage = await theatre.stage(async (exchange) => {
        await exchange.sendEach(begin);
        await shown.promise;
        how(exchange);
      }, options);
      const outcome = await stage.chat({ onEvent: ({ type }) => type === 'text-delta' && shown.resolve() });
      assert.equal(stage.server.requests.length, 1, 'a shown answer is not asked for again');
      return outcome;
    }

    it('reset', async () => assertInterrupted(await breakOff(({ reset }) => reset()), 'Half an ans', 'reset'));

    it('FIN in the middle of the chunked coding', async () =>
      assertInterrupted(await breakOff(({ end }) => end()), 'Half an ans', 'end'));

    it('a clean end without [DONE] or finish_reason', async () =>
      assertInterrupted(await breakOff(({ end }) => end(lastChunk)), 'Half an ans', 'end'));

    for (const [name, limit, code] of [
      ['stall', 'betweenBytesMs', 'stall'],
      ['the limit for a whole stream', 'answerMs', 'answer'],
    ] as const) {
      it(name, async () => {
        const timers = new HandTimers(54_321);
        try {
          // The client is waiting for more by then.
          const pass = () => void setImmediate(() => timers.pass());
          assertInterrupted(await breakOff(pass, { limits: { [limit]: timers.ms } }), 'Half an ans', code);
        } finally {
          timers.restore();
        }
      });
    }

    it('error event: the service’s message without the key', async () => {
      const words = `The model\u0007 crashed for ${apiKey}`;
      const outcome = await breakOff(({ send }) => void send(chunked(event({ error: { message: words } }))));
      assertInterrupted(outcome, 'Half an ans', 'error-event');
      assert.equal(outcome.error?.serviceMessage, 'The model crashed for <key>');
    });

    it('event: error', async () => {
      const outcome = await breakOff(
        ({ send }) => void send(chunked('event: error\ndata: {"message":"Overloaded"}\n\n')),
      );
      assertInterrupted(outcome, 'Half an ans', 'error-event');
      assert.equal(outcome.error?.serviceMessage, 'Overloaded');
    });
  });

  describe('a body that ends inside an event', () => {
    const cut = delta('Text').slice(0, 20);
    const bodies: Readonly<Record<string, readonly (string | Uint8Array)[]>> = {
      'of a stream that lasts until the socket ends': [openSseHead, cut],
      'of the chunked coding, ended as it should be': [sseHead, chunked(cut), lastChunk],
      'of the chunked coding, broken off': [sseHead, chunked(cut)],
      'of the chunked coding on a socket that closes': [
        head(200, { 'content-type': 'text/event-stream', 'transfer-encoding': 'chunked', connection: 'close' }),
        chunked(cut),
      ],
      'after an event without text': [openSseHead, event({ choices: [{ delta: { role: 'assistant' } }] }), cut],
      'of a gzip stream': [
        head(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip', connection: 'close' }),
        gzipSync(delta('Text')).subarray(0, 20),
      ],
      'of a whole completion': [head(200, { ...json, connection: 'close' }), '{"choices":[{"message":{"content":"Te'],
    };
    for (const [name, body] of Object.entries(bodies)) {
      it(`${name}: retried`, async () => {
        const stage = await theatre.stage(async ({ index, sendEach, end }) => {
          await sendEach(index === 0 ? body : [openSseHead, delta('Text') + finish() + done]);
          end();
        });
        const outcome = await stage.chat();
        assert.deepEqual([outcome.error, outcome.text, outcome.waits.length], [undefined, 'Text', 1]);
      });
    }

    it('a body that ends inside an event after text is an early end', async () =>
      assertInterrupted(await answer([openSseHead, delta('Text'), cut]), 'Text', 'end'));

    it('complete events with invalid JSON are still malformed', async () => {
      const outcome = await answer([openSseHead, 'data: {"choices":[}']);
      assert.equal(outcome.error?.code, 'end');
      const other = await answer([openSseHead, 'data: {"choices":nothing}']);
      assert.deepEqual([other.error?.kind, other.error?.code, other.waits.length], ['protocol', 'malformed', 0]);
    });
  });

  it('a head of 100 kB, as gateways with large cookies send it', async () => {
    const cookies = Object.fromEntries(Array.from({ length: 25 }, (_, at) => [`set-cookie-${at}`, 'c'.repeat(4000)]));
    const large = head(200, { 'content-type': 'text/event-stream', connection: 'close', ...cookies });
    assertComplete(await answer([large, delta('Text'), finish(), done]), 'Text');
    const { error, waits } = await answer([head(200, { ...cookies, 'x-more': 'c'.repeat(300_000) }), delta('Text')]);
    assert.deepEqual([error?.kind, error?.externalCode, waits.length], ['protocol', 'UND_ERR_HEADERS_OVERFLOW', 0]);
  });

  describe('a response that is not HTTP is a protocol error and is not retried', () => {
    for (const [name, parts] of Object.entries({
      'a status line of something else': ['HTTQ/1.1 200 OK\r\n\r\n'],
      'a header with a blank in its name': ['HTTP/1.1 200 OK\r\nmy name: x\r\n\r\n'],
      'the size of a chunk': [sseHead, 'zz\r\nText\r\n'],
    })) {
      it(name, async () => {
        const outcome = await answer(parts);
        assert.deepEqual(
          [outcome.error?.kind, outcome.error?.externalCode, outcome.waits.length],
          ['protocol', 'HPE_UNKNOWN', 0],
        );
      });
    }

    for (const [name, headers] of Object.entries({
      'a length that is said twice': 'content-length: 5\r\ncontent-length: 6\r\n',
      'a length beside the chunked coding': 'content-length: 5\r\ntransfer-encoding: chunked\r\n',
    })) {
      it(name, async () => {
        const outcome = await answer([`HTTP/1.1 200 OK\r\n${headers}\r\nhello`]);
        assert.deepEqual([outcome.error?.kind, outcome.waits.length], ['protocol', 0]);
      });
    }
  });

  describe('row: LF, CR, CRLF, CRLF split, BOM, comments, multi-line data, one byte a packet, 8 MiB line', () => {
    for (const name of [
      ...['lf', 'cr', 'crlf', 'bom', 'comments', 'multi-line', 'no-space', 'unterminated'],
      // Not by the book, but sent by gateways.
      ...['bare-lines', 'joined'],
    ]) {
      it(name, async () => assertComplete(await answer([openSseHead, recording(name)]), recordedText));
    }

    it('CRLF split between packets', async () => {
      const parts = recording('crlf')
        .toString()
        .split(/(?<=\r)(?=\n)/);
      assertComplete(await answer([openSseHead, ...parts]), recordedText);
    });

    it('one byte a packet', async () => {
      const bytes = Array.from(recording('bom'), (byte) => Uint8Array.of(byte));
      assertComplete(await answer([openSseHead, ...bytes]), recordedText);
    });

    it('bare CR with the socket left open', async () => {
      const stage = await theatre.stage(({ send }) => send(Buffer.concat([Buffer.from(openSseHead), recording('cr')])));
      assertComplete(await stage.chat(), recordedText);
    });

    it('8 MiB line', async () => {
      const text = 'x'.repeat(8 * 1024 * 1024);
      assertComplete(await answer([openSseHead, delta(text), finish(), done]), text);
    });

    it('an endless line is a protocol error', async () => {
      const piece = 'x'.repeat(1024 * 1024);
      const outcome = await answer([openSseHead, 'data: ', ...Array.from({ length: 18 }, () => piece)]);
      assert.equal(outcome.error?.kind, 'protocol');
      assert.equal(outcome.error.code, 'too-long');
    });
  });

  describe('row: no [DONE]; events after [DONE]; socket left open', () => {
    it('no [DONE], after a finish_reason', async () =>
      assertComplete(await answer([openSseHead, delta('Text'), finish()]), 'Text'));

    it('no finish_reason, but [DONE]', async () =>
      assertComplete(await answer([openSseHead, delta('Text'), done]), 'Text', 'unknown'));

    it('events after [DONE], in the same packet and in another', async () =>
      assertComplete(
        await answer([openSseHead, delta('Text') + finish() + done + delta(' again'), delta('!')]),
        'Text',
      ));

    it('socket left open after [DONE]: it is closed', async () => {
      const closed = Promise.withResolvers<void>();
      const stage = await theatre.stage((exchange) => {
        void exchange.closed.then(() => closed.resolve());
        return exchange.send(openSseHead + delta('Text') + finish() + done);
      });
      assertComplete(await stage.chat(), 'Text');
      await closed.promise;
    });

    it('a socket that stays open after a finish_reason may deliver late usage, and silence ends the answer', async () => {
      const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 };
      const stage = await theatre.stage(
        (exchange) => exchange.sendEach([openSseHead, delta('Text') + finish(), event({ choices: [], usage })]),
        { limits: { trailingMs: 200 } },
      );
      const outcome = await stage.chat();
      assertComplete(outcome, 'Text');
      assert.deepEqual(outcome.events.at(-2), {
        type: 'usage',
        usage: { promptTokens: 3, completionTokens: 4, totalTokens: 7 },
      });
    });

    it('reset after a finish_reason', async () => {
      const shown = Promise.withResolvers<void>();
      const stage = await theatre.stage(async ({ sendEach, reset }) => {
        await sendEach([sseHead, chunked(delta('Text') + finish())]);
        await shown.promise;
        reset();
      });
      assertComplete(await stage.chat({ onEvent: ({ type }) => type === 'text-delta' && shown.resolve() }), 'Text');
    });
  });

  describe('row: finish_reason before the end of the text', () => {
    const early = (content: string, reason: string | null = 'stop'): string =>
      event({ choices: [{ index: 0, delta: { content }, finish_reason: reason }] });
    const call = { index: 0, id: 'a', function: { name: 'read', arguments: '{"path":"a.ts"}' } };

    for (const [name, parts, text] of [
      ['on each chunk', [early('One '), early('two '), early('three')], 'One two three'],
      ['in an empty first chunk', [early(''), delta('One '), delta('two')], 'One two'],
      ['in the middle, and at the end', [delta('One '), early('two '), delta('three'), finish()], 'One two three'],
      ['in the middle, and again without text', [early('One '), finish(), finish(), delta('two')], 'One two'],
    ] as const) {
      it(`${name}: the text continues`, async () => {
        assertComplete(await answer([openSseHead, ...parts, done]), text);
        // Without [DONE]: the clean end of the body is used.
        assertComplete(await answer([openSseHead, ...parts]), text);
      });

      it(`${name}: a reset is an interruption`, async () => {
        const seen = Promise.withResolvers<void>();
        const stage = await theatre.stage(async ({ sendEach, reset }) => {
          await sendEach([sseHead, ...parts.map((part) => chunked(part))]);
          await seen.promise;
          reset();
        });
        let shown = '';
        const outcome = await stage.chat({
          onEvent: (one) => {
            if (one.type === 'text-delta') shown += one.text;
            if (shown === text) seen.resolve();
          },
        });
        assertInterrupted(outcome, text, 'reset');
      });
    }

    it('a tool call after it counts', async () => {
      const outcome = await answer([
        openSseHead,
        early('I look.'),
        event({ choices: [{ delta: { tool_calls: [call] } }] }),
        done,
      ]);
      assertComplete(outcome, 'I look.');
      assert.deepEqual(
        outcome.events.filter(({ type }) => type === 'tool-call').map((one) => 'call' in one && one.call.name),
        ['read'],
      );
    });

    for (const reason of ['null', 'normal', 'None', '', 'undefined']) {
      it(`${JSON.stringify(reason)} is not a finish reason`, async () => {
        assertComplete(
          await answer([openSseHead, early('One ', reason), early('two', reason), finish(), done]),
          'One two',
        );
        assertComplete(await answer([openSseHead, early('One', reason), done]), 'One', 'unknown');
        assertInterrupted(await answer([openSseHead, early('One', reason)]), 'One', 'end');
      });
    }

    it('the last reason counts', async () => {
      assertComplete(await answer([openSseHead, early('One'), early(' two', 'length'), done]), 'One two', 'length');
    });

    it('the wait for more starts again with each piece; silence then is an interruption', async () => {
      const timers = new HandTimers(54_321);
      try {
        const asked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const stage = await theatre.stage(async ({ send }) => {
          await send(openSseHead + early('One '));
          await asked[0]?.promise;
          await send(early('two '));
          await asked[1]?.promise;
          await send(early('three'));
        });
        let pieces = 0;
        const outcome = await stage.chat({
          limits: { trailingMs: timers.ms, unclearEndMs: timers.ms },
          onEvent: ({ type }) => {
            if (type !== 'text-delta') return;
            pieces += 1;
            const next = asked[pieces - 1];
            // The client is waiting for more by then.
            setImmediate(() => {
              timers.pass(next === undefined ? timers.ms : timers.ms * 0.6);
              next?.resolve();
            });
          },
        });
        assertInterrupted(outcome, 'One two three', 'trailing');
      } finally {
        timers.restore();
      }
    });
  });

  describe('row: what gateways put into a stream', () => {
    for (const data of [
      'ping',
      '[KEEPALIVE]',
      '""',
      'null',
      '0',
      '.',
      '[]',
      'keep-alive 12',
      ': ping - 2026-11-26',
      'true',
    ]) {
      it(`${data} keeps the connection alive`, async () => {
        const beat = `data: ${data}\n\n`;
        assertComplete(
          await answer([openSseHead, beat, delta('Te'), beat, delta('xt'), beat, finish(), beat, done]),
          'Text',
        );
      });
    }

    for (const beat of [
      { type: 'ping' },
      { object: 'heartbeat', message: 'alive' },
      {},
      { event: 'keep-alive' },
      { status: 'queued', detail: 'position 3' },
      { object: 'chat.completion.chunk', choices: [], message: 'warming up' },
      { choices: null, base_resp: { status_code: 0, status_msg: '' } },
    ]) {
      it(`${JSON.stringify(beat)} does as well`, async () =>
        assertComplete(await answer([openSseHead, event(beat), delta('Text'), event(beat), finish(), done]), 'Text'));
    }

    for (const data of ['{"choices":', 'lta":{"content":"x"}}]}', `${'x'.repeat(41)}`, 'Internal error']) {
      it(`${data.slice(0, 24)} is not JSON of the interface`, async () =>
        assertInterrupted(
          await answer([openSseHead, delta('Half'), `data: ${data}\n\n`, finish(), done]),
          'Half',
          'malformed',
        ));
    }

    for (const [said, words] of [
      [{ object: 'error', message: 'Overloaded' }, 'Overloaded'],
      [{ object: 'error' }, undefined],
      [{ type: 'error', error_message: 'Overloaded' }, 'Overloaded'],
      [{ detail: 'Overloaded' }, 'Overloaded'],
      [{ detail: { message: 'Overloaded' } }, 'Overloaded'],
      [{ detail: [{ msg: 'field required' }] }, 'field required'],
      [{ code: 50_505, message: 'Overloaded', data: null }, 'Overloaded'],
      [{ code: 'busy', msg: 'Overloaded' }, 'Overloaded'],
      [{ error_code: 17, error_msg: 'Overloaded' }, 'Overloaded'],
      [{ errors: [{ message: 'Overloaded' }] }, 'Overloaded'],
      [{ errors: ['Overloaded'] }, 'Overloaded'],
      [{ message: 'Internal Server Error' }, 'Internal Server Error'],
      [{ id: '1', choices: [], error: { message: 'Overloaded' } }, 'Overloaded'],
      [{ choices: [{ delta: {}, error: { code: 502, message: 'Overloaded' }, finish_reason: 'error' }] }, 'Overloaded'],
      [{ choices: [{ delta: { content: '' }, error: { message: 'Overloaded' } }] }, 'Overloaded'],
      [{ id: '1', choices: null, base_resp: { status_code: 1002, status_msg: 'Overloaded' } }, 'Overloaded'],
      [[{ error: { code: 'busy', message: 'Overloaded' } }], 'Overloaded'],
      [{ object: 'error', message: 'Overloaded', type: 'InternalServerError', code: 503 }, 'Overloaded'],
    ] as const) {
      it(`the error ${JSON.stringify(said)}`, async () => {
        const after = await answer([openSseHead, delta('Half'), event(said), done]);
        assertInterrupted(after, 'Half', 'error-event');
        assert.equal(after.error?.serviceMessage, words);
        const { error } = await answer([openSseHead, event(said), done]);
        assert.deepEqual([error?.kind, error?.serviceMessage], ['server', words]);
      });
    }

    it('the status of an error that has no object around it', async () => {
      for (const [code, kind] of [
        [400, 'request'],
        [429, 'rateLimit'],
        [1400, 'server'],
      ] as const) {
        const { error } = await answer([openSseHead, event({ object: 'error', message: 'No', type: 'x', code })]);
        assert.deepEqual([error?.kind, error?.serviceMessage], [kind, 'No']);
      }
    });

    it('text before an error in the same choice is kept', async () => {
      const last = event({ choices: [{ delta: { content: ' text' }, error: { message: 'Overloaded' } }] });
      assertInterrupted(await answer([openSseHead, delta('Half'), last, done]), 'Half text', 'error-event');
    });

    it('events with one line ending instead of two after them', async () => {
      const oneEnd = (...parts: readonly string[]): string => parts.join('').replaceAll('\n\n', '\n');
      assertComplete(await answer([openSseHead, oneEnd(delta('Te'), delta('xt'), finish(), done), '\n']), 'Text');
      assertComplete(
        await answer([openSseHead, delta('T'), `${oneEnd(delta('e'), delta('xt'))}\n`, finish(), done]),
        'Text',
      );
      // One JSON text over several lines of data is one event.
      const [before, after] = ['{"choices":[{"delta":{"content":', '"Text"}}]}'];
      assertComplete(await answer([openSseHead, `data: ${before}\ndata: ${after}\n\n`, finish(), done]), 'Text');
    });

    const chunk = (content: string, rest: object = {}) => ({ choices: [{ delta: { content }, ...rest }] });
    const [one, last] = [chunk('Te'), chunk('xt', { finish_reason: 'stop' })].map((part) => JSON.stringify(part));
    for (const [name, ...parts] of [
      ['one JSON text a line, after an event', delta('T'), `${JSON.stringify(chunk('e'))}\n`, `${last}\n`],
      ['one JSON text a line', `${one}\n`, `${last}\n`],
      ['a list of chunks', `[${one},${last}]`],
      ['JSON, then events', `${one}\n\n`, `data: ${last}\n\n`, done],
      ['a prefix within the data', `data: data: ${one}\n\n`, `data: data: ${last}\n\n`, 'data: data: [DONE]\n\n'],
      ['JSON as a JSON text', `data: ${JSON.stringify(one)}\n\n`, `data: ${last}\n\n`, done],
      ['a byte order mark between events', delta('Te'), `\ufeffdata: ${last}\n\n`, done],
      [
        'the field of the older interface',
        event({ choices: [{ text: 'Te' }] }),
        event({ choices: [{ text: 'xt', finish_reason: 'stop' }] }),
      ],
    ] as const) {
      it(`${name}: the same text, however it is cut`, async () => {
        assertComplete(await answer([openSseHead, ...parts]), 'Text');
        const bytes = Array.from(Buffer.from(parts.join('')), (byte) => Uint8Array.of(byte));
        assertComplete(await answer([openSseHead, ...bytes]), 'Text');
      });
    }

    for (const [said, words] of [
      ['error: {"error":"Out of memory"}\n\n', 'Out of memory'],
      ['{"error":{"message":"Overloaded"}}', 'Overloaded'],
      ['{"detail":"Overloaded"}\n', 'Overloaded'],
      ['<html>\n<head><title>504 Gateway Time-out</title></head>\n</html>\n', undefined],
      ['\n\n<!DOCTYPE html><h1>502</h1>', undefined],
    ] as const) {
      it(`${JSON.stringify(said.slice(0, 30))} between events is an error`, async () => {
        const bytes = Array.from(Buffer.from(said), (byte) => Uint8Array.of(byte));
        for (const parts of [[said], bytes]) {
          const outcome = await answer([openSseHead, delta('Half'), ...parts]);
          assertInterrupted(outcome, 'Half', 'error-event');
          assert.equal(outcome.error?.serviceMessage, words);
        }
        assertComplete(await answer([openSseHead, delta('Text'), finish(), done, said]), 'Text');
      });
    }

    for (const [name, ...parts] of [
      ['Anthropic', 'event: message_start\n', event({ type: 'message_start', message: { content: [] } })],
      ['Gemini', event({ candidates: [{ content: { parts: [{ text: 'Text' }] } }] })],
      ['the Responses API', event({ type: 'response.output_text.delta', delta: 'Text' })],
      ['Ollama', event({ message: { content: 'Text' }, done: true })],
    ] as const) {
      it(`the interface of ${name}: an unexpected response, and not asked for again`, async () => {
        const { error, waits } = await answer([openSseHead, ...parts]);
        assert.deepEqual([error?.kind, error?.code, waits.length], ['protocol', 'malformed', 0]);
      });
    }

    it('an event stream that calls itself a web page', async () => {
      const htmlHead = head(200, { 'content-type': 'text/html; charset=utf-8', connection: 'close' });
      assertComplete(await answer([htmlHead, delta('Text'), finish(), done]), 'Text');
      for (const page of ['<p>Sign in</p>', 'error 404', 'data', 'Sign in']) {
        assert.equal((await answer([htmlHead, page])).error?.code, 'html', page);
      }
    });

    it('thoughts among the parts of a content', async () => {
      const parts = (...content: object[]): string => event({ choices: [{ delta: { content } }] });
      const text = { type: 'text', text: 'Text' };
      for (const thought of [
        { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
        { type: 'thinking', thinking: 'Hm' },
        { type: 'reasoning', text: 'Hm' },
      ]) {
        const outcome = await answer([openSseHead, parts(thought, text), finish(), done]);
        assertComplete(outcome, 'Text');
        const thoughts = outcome.events.filter(({ type }) => type === 'reasoning-delta');
        assert.deepEqual(thoughts, [{ type: 'reasoning-delta', text: 'Hm' }]);
      }
    });

    it('a content that is one part, not in a list', async () => {
      const content = { type: 'text', text: 'Text' };
      assertComplete(await answer([openSseHead, event({ choices: [{ delta: { content } }] }), finish(), done]), 'Text');
      const thought = { type: 'thinking', thinking: 'Hm' };
      const outcome = await answer([
        openSseHead,
        event({ choices: [{ delta: { content: thought } }] }),
        delta('Text'),
        finish(),
        done,
      ]);
      assertComplete(outcome, 'Text');
      assert.deepEqual(outcome.events[1], { type: 'reasoning-delta', text: 'Hm' });
    });

    it('thoughts in details only; those that are also in a field of their own, once', async () => {
      const reasoning_details = [
        { type: 'reasoning.text', text: 'Hm' },
        { type: 'reasoning.encrypted', data: 'AAAA' },
      ];
      for (const part of [{ reasoning_details }, { reasoning_details, reasoning: 'Hm' }]) {
        const outcome = await answer([
          openSseHead,
          event({ choices: [{ delta: part }] }),
          delta('Text'),
          finish(),
          done,
        ]);
        assertComplete(outcome, 'Text');
        const thoughts = outcome.events.filter(({ type }) => type === 'reasoning-delta');
        assert.deepEqual(thoughts, [{ type: 'reasoning-delta', text: 'Hm' }]);
      }
    });

    it('numbers that JSON has not, beside a text that names them', async () => {
      for (const odd of ['NaN', 'Infinity', '-Infinity']) {
        const chunk = `data: {"choices":[{"delta":{"content":"is ${odd} \\" {"},"logprobs":[${odd},{"a":${odd}}]}]}\n\n`;
        assertComplete(await answer([openSseHead, chunk, finish(), done]), `is ${odd} " {`);
      }
      const { error } = await answer([openSseHead, 'data: {"choices":[{"delta":{"content":NaN"}}]}\n\n']);
      assert.equal(error?.code, 'malformed');
    });

    it('calls in the whole message at the end, or in both forms: once', async () => {
      const read = { name: 'read', arguments: '{"path":"a.ts"}' };
      const tool_calls = [{ index: 0, id: 'a', function: read }];
      for (const choice of [
        { delta: {}, message: { content: 'I look.', tool_calls } },
        { message: { content: 'I look.', tool_calls } },
        { delta: { tool_calls, function_call: read } },
        { delta: { tool_calls: tool_calls[0] } },
      ]) {
        const { events, text, error } = await answer([
          openSseHead,
          delta('I look.'),
          event({ choices: [choice] }),
          finish('tool_calls'),
          done,
        ]);
        assert.deepEqual([text, error], ['I look.', undefined]);
        const calls = events.flatMap((each) => (each.type === 'tool-call' ? [each.call.input] : []));
        assert.deepEqual(calls, [{ path: 'a.ts' }]);
      }
    });

    it('numbers of tokens that are none', async () => {
      const usage = { prompt_tokens: -1, completion_tokens: 1.5, total_tokens: 7 };
      const { events } = await answer([openSseHead, delta('Text'), event({ choices: [], usage }), finish(), done]);
      assert.deepEqual(
        events.find(({ type }) => type === 'usage'),
        { type: 'usage', usage: { totalTokens: 7 } },
      );
    });

    for (const mark of ['"[DONE]"', '[done]', ' [DONE] ', '[DONE]']) {
      it(`${mark} is the end`, async () => {
        const { text, finishReason } = await answer([openSseHead, delta('Text'), `data: ${mark}\n\n`, delta(' more')]);
        assert.deepEqual([text, finishReason], ['Text', 'unknown']);
      });
    }

    it('the number of tokens in a choice', async () => {
      const choices = [{ delta: {}, finish_reason: 'stop', usage: { prompt_tokens: 3, completion_tokens: 4 } }];
      const { events } = await answer([openSseHead, delta('Text'), event({ choices }), done]);
      const counted = events.find(({ type }) => type === 'usage');
      assert.deepEqual(counted, { type: 'usage', usage: { promptTokens: 3, completionTokens: 4 } });
    });

    it('the text of a message that is repeated at the end is used once', async () => {
      const message = { role: 'assistant', content: 'One two' };
      for (const last of [
        { message, finish_reason: 'stop' },
        { delta: {}, message, finish_reason: 'stop' },
      ]) {
        assertComplete(
          await answer([openSseHead, delta('One '), delta('two'), event({ choices: [last] }), done]),
          'One two',
        );
      }
      // Others stream in `message`.
      const piece = (content: string): string => event({ choices: [{ message: { content } }] });
      assertComplete(await answer([openSseHead, piece('One '), piece('two'), finish(), done]), 'One two');
    });

    it('a call in a second choice, or of the older interface', async () => {
      const read = { name: 'read', arguments: '{"path":"a.ts"}' };
      for (const choices of [
        [{ index: 1, delta: { tool_calls: [{ index: 0, id: 'a', function: read }] }, finish_reason: 'tool_calls' }],
        [{ index: 0, delta: { function_call: read }, finish_reason: 'function_call' }],
      ]) {
        const { events, error, text } = await answer([openSseHead, delta('I look.'), event({ choices }), done]);
        assert.deepEqual([error, text], [undefined, 'I look.']);
        const calls = events.flatMap((one) => (one.type === 'tool-call' ? [one.call] : []));
        assert.deepEqual(
          calls.map(({ name, input }) => [name, input]),
          [['read', { path: 'a.ts' }]],
        );
      }
    });

    it('a second choice with text or with calls of its own is ignored', async () => {
      const calls = (index: number, name: string): string =>
        event({
          choices: [{ index, delta: { tool_calls: [{ index: 0, id: name, function: { name, arguments: '{}' } }] } }],
        });
      const other = event({ choices: [{ index: 1, delta: { content: 'Other' }, finish_reason: 'length' }] });
      const { events, text, finishReason } = await answer([
        openSseHead,
        delta('Text'),
        other,
        calls(0, 'a'),
        calls(1, 'b'),
        finish(),
        done,
      ]);
      assert.deepEqual([text, finishReason], ['Text', 'stop']);
      assert.deepEqual(
        events.flatMap((one) => (one.type === 'tool-call' ? [one.call.name] : [])),
        ['a'],
      );
    });

    for (const first of [0, 1]) {
      it(`an index that counts the chunks from ${first} on: the whole text`, async () => {
        for (const words of [
          ['One ', ''],
          ['One ', 'two'],
          ['One ', 'two ', 'three'],
          ['', 'One ', 'two ', 'three ', 'four'],
        ]) {
          const chunks = words.map((content, at) => ({
            index: first + at,
            delta: { content },
            finish_reason: at === words.length - 1 ? 'stop' : null,
          }));
          const parts = chunks.map((choice) => event({ choices: [choice] }));
          assertComplete(await answer([openSseHead, ...parts, done]), words.join(''));
          assertComplete(await answer([openSseHead, ...parts]), words.join(''));
        }
      });
    }

    for (const coding of ['utf-8', 'none', 'identity', '', 'UTF-8, none', 'binary']) {
      it(`Content-Encoding: ${coding}`, async () => {
        const body = JSON.stringify({ choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }] });
        assertComplete(await answer([whole(200, body, { ...json, 'content-encoding': coding })]), 'Whole');
      });
    }

    it('Content-Encoding: gzip, utf-8', async () => {
      const body = gzipSync(JSON.stringify({ choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }] }));
      assertComplete(await answer([head(200, { ...json, 'content-encoding': 'gzip, utf-8' }), body]), 'Whole');
    });
  });

  describe('row: 200 with a JSON error; with a whole completion; with HTML; empty; 204', () => {
    it('JSON error: the error, not retried', async () => {
      const body = JSON.stringify({ error: { message: 'No such model', code: 'model_not_found', status: 404 } });
      const outcome = await answer([whole(200, body, { ...json, 'x-request-id': 'req-7' })]);
      const { error } = outcome;
      assert.deepEqual(
        [error?.kind, error?.externalCode, error?.serviceMessage, error?.requestId, outcome.waits.length],
        ['request', 'model_not_found', 'No such model', 'req-7', 0],
      );
      // The status of the error, not that of the response.
      assert.equal(error?.status, 404);
    });

    it('JSON error sent as an event stream', async () => {
      const outcome = await answer([whole(200, '{"error":"Out of order"}', { 'content-type': 'text/event-stream' })]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.serviceMessage], ['server', 'Out of order']);
    });

    it('a whole completion, with its security object', async () => {
      const choices = [{ index: 0, message: { role: 'assistant', content: 'Whole' }, finish_reason: 'stop' }];
      const body = JSON.stringify({ choices, usage: { total_tokens: 5 }, security: { level: 'high' } });
      const outcome = await answer([whole(200, body, json)]);
      assertComplete(outcome, 'Whole');
      assert.deepEqual(
        outcome.events.filter(({ type }) => type === 'security' || type === 'usage'),
        [
          { type: 'usage', usage: { totalTokens: 5 } },
          { type: 'security', security: { level: 'high' } },
        ],
      );
    });

    describe('a whole completion without a length', () => {
      const completion = JSON.stringify({ choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }] });
      for (const isReset of [true, false]) {
        const visit = async (body: string): Promise<Outcome> => {
          const arrived = Promise.withResolvers<void>();
          const stage = await theatre.stage(
            async ({ send, reset }) => {
              await send(head(200, json) + body);
              await arrived.promise;
              if (isReset) reset();
            },
            { limits: { betweenBytesMs: 50 } },
          );
          const outcome = await stage.chat({ onEvent: ({ type }) => type === 'response' && arrived.resolve() });
          assert.equal(stage.server.requests.length, 1 + outcome.waits.length);
          return outcome;
        };

        it(`on a connection that ${isReset ? 'is reset' : 'stays open'}: the text, or its error`, async () => {
          assertComplete(await visit(completion), 'Whole');
          assert.equal((await visit('{"error":{"message":"Overloaded"}}')).error?.serviceMessage, 'Overloaded');
          const { text, error } = await visit(completion.slice(0, -4));
          assert.deepEqual([text, error?.kind], ['', isReset ? 'interrupted' : 'timeout']);
        });
      }
    });

    it('a whole completion with only the fields of the interface document', async () => {
      const body = '{"choices":[{"message":{"content":"Just this"}}]}';
      assertComplete(await answer([whole(200, body)], { request: { stream: false } }), 'Just this', 'unknown');
    });

    it('a whole completion without choices: protocol error', async () => {
      const outcome = await answer([whole(200, '{"choices":[]}', json)]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['protocol', 'no-choices']);
    });

    it('HTML: a protocol error that shows none of it', async () => {
      const outcome = await answer([whole(200, '<!doctype html><h1>Sign in</h1>', { 'content-type': 'text/html' })]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['protocol', 'html']);
      assert.equal(outcome.error?.serviceMessage, undefined);
    });

    it('something else: protocol error', async () => {
      const outcome = await answer([whole(200, 'OK', { 'content-type': 'text/plain' })]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['protocol', 'content-type']);
    });

    for (const type of ['text/event-stream', 'application/json']) {
      it(`empty ${type}: retried, then interrupted`, async () => {
        const outcome = await answer([whole(200, '', { 'content-type': type })]);
        assert.deepEqual([outcome.error?.kind, outcome.error?.code, outcome.text], ['interrupted', 'end', '']);
        assert.equal(outcome.waits.length, 3);
      });
    }

    for (const status of [204, 205]) {
      it(`${status}: protocol error`, async () => {
        const outcome = await answer([head(status, { 'content-length': '0' })]);
        assert.deepEqual(
          [outcome.error?.kind, outcome.error?.code, outcome.error?.status],
          ['protocol', 'no-content', status],
        );
      });
    }

    for (const status of [201, 202, 203, 206]) {
      it(`${status}, as some gateways and proxies answer: the text`, async () => {
        const body = { choices: [{ message: { content: 'Whole' }, finish_reason: 'stop' }] };
        assertComplete(await answer([whole(status, JSON.stringify(body), json)]), 'Whole');
        const stream = head(status, { 'content-type': 'text/event-stream', connection: 'close' });
        assertComplete(await answer([stream, delta('Text'), finish(), done]), 'Text');
        assertInterrupted(await answer([stream, delta('Half')]), 'Half', 'end');
      });
    }
  });

  describe('row: chunk without choices, with empty choices, null content, refusal, finish length / content_filter', () => {
    const around = (...parts: unknown[]): Promise<Outcome> =>
      answer([openSseHead, delta('A'), ...parts.map(event), delta('B'), finish(), done]);

    for (const [name, chunk] of Object.entries({
      'without choices': { id: 'x' },
      'empty choices': { choices: [] },
      'null choices': { choices: null },
      'null content': { choices: [{ index: 0, delta: { content: null } }] },
      'null delta': { choices: [{ index: 0, delta: null }] },
      'content of another type': { choices: [{ index: 0, delta: { content: 7 } }] },
      'another choice': { choices: [{ index: 1, delta: { content: 'other' } }] },
      'null error': { error: null, choices: [] },
    })) {
      it(name, async () => assertComplete(await around(chunk), 'AB'));
    }

    it('content in a list of texts', async () =>
      assertComplete(await around({ choices: [{ delta: { content: ['+', '+'] } }] }), 'A++B'));

    it('content in parts', async () =>
      assertComplete(await around({ choices: [{ delta: { content: [{ type: 'text', text: '+' }] } }] }), 'A+B'));

    it('refusal', async () => {
      const refusal = event({ choices: [{ index: 0, delta: { refusal: 'I cannot do that.' } }] });
      assertComplete(await answer([openSseHead, refusal, done]), 'I cannot do that.', 'content_filter');
    });

    for (const reason of ['length', 'content_filter', 'something_new']) {
      it(`finish ${reason}`, async () =>
        assertComplete(await answer([openSseHead, delta('A'), finish(reason), done]), 'A', reason));
    }

    it('reasoning, under any field name, once', async () => {
      const reasoning = [
        { reasoning: 'Let ' },
        { reasoning_content: 'me ', thinking_blocks: [{ type: 'thinking', thinking: 'me ' }] },
        { reasoning_text: 'th', reasoning_opaque: 'AAAA' },
        { thinking: 'in' },
        { cot_summary: 'k' },
      ];
      const outcome = await around(...reasoning.map((part) => ({ choices: [{ index: 0, delta: part }] })));
      assertComplete(outcome, 'AB');
      const thoughts = outcome.events.map((one) => (one.type === 'reasoning-delta' ? one.text : ''));
      assert.equal(thoughts.join(''), 'Let me think');
    });
  });

  describe('row: gzip or br coded body', () => {
    const stream = delta('Coded ') + delta('text') + finish() + done;
    const codings = { gzip: gzipSync(stream), br: brotliCompressSync(stream) };
    for (const [coding, body] of Object.entries(codings)) {
      const coded = head(200, { 'content-type': 'text/event-stream', 'content-encoding': coding, connection: 'close' });

      it(`${coding}, in two packets`, async () =>
        assertComplete(await answer([coded, body.subarray(0, 20), body.subarray(20)]), 'Coded text'));

      it(`${coding}: each delta is passed on as it arrives`, async () => {
        const shown = Promise.withResolvers<void>();
        const stage = await theatre.stage(async ({ send, socket }) => {
          await send(coded);
          const coder =
            coding === 'gzip'
              ? createGzip({ flush: constants.Z_SYNC_FLUSH })
              : createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH });
          coder.pipe(socket);
          coder.write(delta('First'));
          await shown.promise;
          coder.end(delta(' second') + finish() + done);
        });
        assertComplete(
          await stage.chat({ onEvent: ({ type }) => type === 'text-delta' && shown.resolve() }),
          'First second',
        );
      });

      it(`${coding}, truncated: keeps what arrived`, async () => {
        const long = Buffer.from(Array.from({ length: 2000 }, (_, i) => delta(`${i} `)).join(''));
        const whole = coding === 'gzip' ? gzipSync(long) : brotliCompressSync(long);
        const outcome = await answer([coded, whole.subarray(0, -10)]);
        assert.equal(outcome.error?.kind, 'interrupted');
        assert.match(outcome.text, /^0 1 2 3 /);
      });
    }

    for (const coding of ['gzip', 'br', 'gzip, br', 'deflate']) {
      it(`${coding} in the header of a plain body: the text`, async () => {
        const type = { 'content-encoding': coding, connection: 'close' };
        const completion = { choices: [{ message: { content: 'Coded text' }, finish_reason: 'stop' }] };
        for (const body of [
          stream,
          `\n: ping\n\n${stream}`,
          JSON.stringify(completion),
          JSON.stringify(completion, null, 2),
        ]) {
          const outcome = await answer([head(200, { 'content-type': 'text/event-stream', ...type }), body]);
          if (coding.length < 5) assertComplete(outcome, 'Coded text');
          else assert.equal(outcome.error?.code, 'content-coding');
        }
      });
    }

    it('a coded body without the header: not asked for again', async () => {
      const outcome = await answer([
        head(200, { 'content-type': 'text/event-stream', connection: 'close' }),
        codings.gzip,
      ]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['protocol', 'content-coding']);
      assert.equal(outcome.waits.length, 0);
    });

    it('any coded body is taken for one, whatever its text', () => {
      // Their first bytes are never those of a plain one.
      const texts = [
        '',
        'a',
        '{"',
        'data: ',
        stream,
        'x'.repeat(70_000),
        JSON.stringify(Array.from({ length: 9000 }, (_, i) => i)),
      ];
      for (const text of texts) {
        for (const quality of [0, 1, 5, 11]) {
          for (const window of [10, 16, 22, 24]) {
            const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: window };
            const first = brotliCompressSync(text, { params }).subarray(0, 32).toString('latin1');
            assert.doesNotMatch(first, /^\s*(?:data:|event:|id:|retry:|: |\{["\s]|<!|<h)/);
          }
        }
      }
    });

    it('invalid gzip: protocol error', async () => {
      const outcome = await answer([whole(200, '\x1f\x00data: {}', { 'content-encoding': 'gzip' })]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.externalCode], ['protocol', 'Z_DATA_ERROR']);
    });

    it('a coding that the client did not offer: protocol error', async () => {
      const outcome = await answer([whole(200, 'data: {}', { 'content-encoding': 'zstd' })]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['protocol', 'content-coding']);
    });
  });

  describe('row: invalid UTF-8; malformed JSON in data', () => {
    it('invalid UTF-8: U+FFFD in the text', async () => {
      const [before = '', after = ''] = delta('a|b').split('|');
      const bytes = Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]);
      assertComplete(await answer([openSseHead, bytes, finish(), done]), 'a\uFFFDb');
    });

    it('malformed JSON: a protocol error that keeps the partial text', async () => {
      const outcome = await answer([openSseHead, `${delta('Kept')}data: {"choices":[{\n\n${delta('lost')}`]);
      assertInterrupted(outcome, 'Kept', 'malformed');
      const cause = outcome.error?.cause;
      assert.equal(cause instanceof Error && 'kind' in cause ? cause.kind : '', 'protocol');
    });

    it('malformed JSON before the first delta: a protocol error, not retried', async () => {
      const outcome = await answer([openSseHead, `data: ${prompt}\n\n`]);
      assert.deepEqual([outcome.error?.kind, outcome.error?.code, outcome.waits.length], ['protocol', 'malformed', 0]);
      assert.ok(!JSON.stringify(outcome.error).includes(prompt));
      assert.ok(!String(outcome.error?.stack).includes(prompt));
    });
  });

  describe('row: answer of 100 MB', () => {
    it('stops at the maximum, reports it and keeps what arrived', async () => {
      const piece = chunked(delta('y'.repeat(256 * 1024)));
      let sent = 0;
      const closed = Promise.withResolvers<void>();
      const stage = await theatre.stage(
        async ({ send, socket }) => {
          await send(sseHead);
          while (sent < 100e6 && !socket.destroyed) {
            await send(piece);
            sent += piece.length;
          }
          closed.resolve();
        },
        { maxAnswerBytes: 4 * 1024 * 1024 },
      );
      const outcome = await stage.chat();
      assert.equal(outcome.error?.kind, 'interrupted');
      assert.equal(outcome.error.code, 'too-long');
      assert.ok(outcome.text.length > 3 * 1024 * 1024 && outcome.text.length <= 4 * 1024 * 1024);
      await closed.promise;
      assert.ok(sent < 100e6, 'the server was stopped');
    });
  });
});
