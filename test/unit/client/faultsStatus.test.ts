import assert from 'node:assert/strict';
import { deflateSync, gzipSync } from 'node:zlib';
import { ServiceError } from '../../../src/util/errors.ts';
import { chunked, delta, done, finish, head, lastChunk, sseHead, whole } from '../../tools/rawServer.ts';
import { type ChatParts, type Outcome, type Stage, Theatre } from './harness.ts';

const fullAnswer = [sseHead, chunked(delta('Text') + finish() + done), lastChunk];
const errorBody = (message: string, code?: string): string => JSON.stringify({ error: { message, code } });

describe('client faults: the status', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());

  /** The first answer is this one, all others are complete. */
  const failingOnce = (status: number, headers = {}, body = ''): Promise<Stage> =>
    theatre.stage(({ index, send, sendEach }) =>
      index === 0 ? send(whole(status, body, headers)) : sendEach(fullAnswer),
    );

  const failing = (status: number, headers = {}, body = ''): Promise<Stage> =>
    theatre.stage(({ send }) => send(whole(status, body, headers)));

  /** A second chat begins while the first one waits; then neither waits any longer. */
  async function two(
    stage: Stage,
    parts: ChatParts = {},
  ): Promise<{ readonly first: Outcome; readonly second: Outcome }> {
    let begun: Promise<Outcome> | undefined;
    const first = await stage.chat({
      onEvent: (event) => {
        if (event.type !== 'retry-wait') return;
        begun = stage.chat({
          ...parts,
          onEvent: (other) => {
            if (other.type !== 'retry-wait') return;
            other.retryNow();
            event.retryNow();
          },
        });
      },
    });
    return { first, second: (await begun) ?? assert.fail('no second chat') };
  }

  function assertFinal(outcome: Outcome, kind: string, status: number): void {
    assert.deepEqual([outcome.error?.kind, outcome.error?.status, outcome.waits.length], [kind, status, 0]);
  }

  describe('row: 401 / 403 / 404 / 413 / 422', () => {
    for (const [status, kind] of [
      [400, 'request'],
      [401, 'auth'],
      [403, 'permission'],
      [404, 'request'],
      [409, 'request'],
      [413, 'request'],
      [422, 'request'],
    ] as const) {
      it(`${status}: ${kind}, not retried, with the service's own message`, async () => {
        const stage = await failing(status, { 'x-request-id': 'req-1' }, errorBody('Its own words', 'some_code'));
        const outcome = await stage.chat();
        assertFinal(outcome, kind, status);
        const { error } = outcome;
        assert.deepEqual(
          [error?.serviceMessage, error?.externalCode, error?.requestId],
          ['Its own words', 'some_code', 'req-1'],
        );
        assert.equal(stage.server.requests.length, 1);
      });
    }

    it('other formats of the error body', async () => {
      for (const [body, words] of [
        ['{"detail":"Not here"}', 'Not here'],
        ['{"detail":[{"msg":"field required"},{"msg":"too long"}]}', 'field required; too long'],
        ['{"message":"Plain"}', 'Plain'],
        ['{"error":"Text"}', 'Text'],
        ['Just text\r\n', 'Just text'],
        ['<html>nothing</html>', undefined],
        ['', undefined],
        ['[gateway] No room', '[gateway] No room'],
        // JSON in another format, or truncated JSON, is not a message of the service.
        ['null', undefined],
        ['true', undefined],
        ['7', undefined],
        ['[]', undefined],
        ['["text"]', undefined],
        ['{"error":{"message":"The pro', undefined],
        ['[{"message":"The pro', undefined],
        ['"The pro', undefined],
      ] as const) {
        const { error } = await (await failing(422, {}, body)).chat();
        assert.equal(error?.serviceMessage, words);
      }
    });

    for (const [body, words] of [
      ['"only words"', 'only words'],
      [{ message: ['one', 'two'] }, 'one; two'],
      [{ error: ['one', 'two'] }, 'one; two'],
      [{ Message: 'as AWS writes it' }, 'as AWS writes it'],
      [{ error: 'invalid_token', error_description: 'expired' }, 'invalid_token: expired'],
      [{ fault: { faultstring: 'Policy failed', detail: { errorcode: 'x' } } }, 'Policy failed'],
      [{ status: 'error', reason: 'Because' }, 'Because'],
      [{ response: { error: { message: 'deep' } } }, 'deep'],
      [{ data: { error: 'deep' } }, 'deep'],
      [{ a: { b: { c: { d: { e: { message: 'too deep' } } } } } }, undefined],
      [{ message: { a: 1 }, code: 7 }, undefined],
      ['null', undefined],
      ['bytes\0', undefined],
    ] as const) {
      it(`the words in ${JSON.stringify(body)}`, async () => {
        const text = typeof body === 'string' ? body : JSON.stringify(body);
        const stage = await theatre.stage(({ send }) => send(whole(400, text)));
        const { error } = await stage.chat();
        assert.deepEqual([error?.kind, error?.serviceMessage], ['request', words]);
      });
    }

    for (const [coding, bytes] of [
      ['gzip', gzipSync('{"error":"no"}')],
      ['deflate', deflateSync('{"error":"no"}')],
      ['zstd', Buffer.from('{"error":"no"}')],
      ['gzip', Buffer.from('{"error":"no"}')],
    ] as const) {
      it(`the status decides for a body in ${coding}, whether it can be read or not`, async () => {
        const stage = await theatre.stage(async ({ sendEach, end }) => {
          await sendEach([head(401, { 'content-encoding': coding, connection: 'close' }), bytes]);
          end();
        });
        const { error } = await stage.chat();
        assert.deepEqual([error?.kind, error?.status], ['auth', 401]);
        assert.equal(error?.serviceMessage, coding === 'gzip' ? 'no' : undefined);
      });
    }

    it('a redirect to something other than a web address', async () => {
      for (const [location, code, host] of [
        ['javascript:alert(1)', 'status', undefined],
        ['data:text/html,x', 'status', undefined],
        ['//evil.test/x', 'redirect', 'http://evil.test'],
        ['https://user:secret@evil.test/x', 'redirect', 'https://evil.test'],
      ] as const) {
        const stage = await theatre.stage(({ send }) => send(whole(302, '', { location })));
        const { error } = await stage.chat();
        assert.deepEqual([error?.kind, error?.code, error?.host], ['protocol', code, host]);
        assert.equal(stage.server.requests.length, 1);
      }
    });

    it('an endless error body is read up to 64 KiB, and a stalled one is not awaited', async () => {
      const endless = await theatre.stage(async ({ send, socket }) => {
        await send('HTTP/1.1 422 No\r\n\r\n');
        while (!socket.destroyed) await send('x'.repeat(4096));
      });
      const { error } = await endless.chat();
      assert.equal(error?.serviceMessage?.length, 500);
      const stalled = await theatre.stage(({ send }) => send('HTTP/1.1 403 No\r\ncontent-length: 100\r\n\r\nhalf'), {
        limits: { errorBodyMs: 30 },
      });
      assertFinal(await stalled.chat(), 'permission', 403);
    });
  });

  describe('row: 429 with seconds, with a date, without, of 90 s', () => {
    /** The wait that the user would see. It is cut short so that the test takes no time. */
    async function waitAfter(headers: Record<string, string>): Promise<number> {
      const stage = await failingOnce(429, headers);
      const outcome = await stage.chat({ onEvent: (event) => event.type === 'retry-wait' && event.retryNow() });
      assert.equal(outcome.text, 'Text');
      const [wait, ...others] = outcome.waits;
      assert.deepEqual([wait?.attempt, wait?.error.kind, others.length], [1, 'rateLimit', 0]);
      return wait?.delayMs ?? Number.NaN;
    }

    it('seconds', async () => assert.equal(await waitAfter({ 'retry-after': '7' }), 7000));
    it('decimal seconds', async () => assert.equal(await waitAfter({ 'retry-after': '1.5' }), 1500));
    it('milliseconds take precedence', async () =>
      assert.equal(await waitAfter({ 'retry-after': '9', 'retry-after-ms': '1234.5' }), 1234.5));
    it('doubled, as undici returns it', async () => {
      const stage = await theatre.stage(({ index, send, sendEach }) =>
        index === 0
          ? send('HTTP/1.1 429 Later\r\nretry-after: 7\r\nretry-after: 7\r\ncontent-length: 0\r\n\r\n')
          : sendEach(fullAnswer),
      );
      const outcome = await stage.chat({ onEvent: (event) => event.type === 'retry-wait' && event.retryNow() });
      assert.deepEqual([outcome.waits[0]?.delayMs, outcome.text], [7000, 'Text']);
    });
    it('listed', async () => assert.equal(await waitAfter({ 'retry-after': '1,1' }), 1000));
    it('negative: backoff', async () => assert.ok((await waitAfter({ 'retry-after': '-1' })) >= 1));
    it('a date, measured against the service’s own clock', async () => {
      const headers = { date: 'Wed, 21 Oct 2015 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:20 GMT' };
      assert.equal(await waitAfter(headers), 20_000);
    });
    it('without: backoff', async () => {
      const delayMs = await waitAfter({});
      assert.ok(delayMs >= 1 && delayMs <= 2);
    });

    it('90 s: does not wait, and reports how long the service asks for', async () => {
      const stage = await failing(429, { 'retry-after': '90' });
      const outcome = await stage.chat();
      assertFinal(outcome, 'rateLimit', 429);
      assert.equal(outcome.error?.retryAfterMs, 90_000);
    });

    it('past the deadline for all attempts: does not wait', async () => {
      const stage = await theatre.stage(({ send }) => send(whole(429, '', { 'retry-after': '2' })), {
        limits: { attemptsMs: 1000 },
      });
      const outcome = await stage.chat();
      assertFinal(outcome, 'rateLimit', 429);
      assert.equal(outcome.error?.retryAfterMs, 2000);
    });

    it('quota used up: not retried', async () => {
      const outcome = await (await failing(429, {}, errorBody('Pay', 'insufficient_quota'))).chat();
      assertFinal(outcome, 'rateLimit', 429);
      assert.equal(outcome.error?.externalCode, 'insufficient_quota');
    });

    it('the countdown starts when it is shown, and ends without further action', async () => {
      const stage = await failingOnce(429, { 'retry-after-ms': '40' });
      const startedAt = performance.now();
      const outcome = await stage.chat();
      assert.deepEqual([outcome.text, outcome.waits.length], ['Text', 1]);
      assert.ok(performance.now() - startedAt >= 39);
    });

    it('an answer after "Retry now" ends the cooldown: the next request does not wait', async () => {
      const stage = await failingOnce(429, { 'retry-after': '30' });
      const first = await stage.chat({ onEvent: (event) => event.type === 'retry-wait' && event.retryNow() });
      const next = await stage.chat();
      assert.deepEqual([first.waits.length, next.waits.length, next.text], [1, 0, 'Text']);
    });

    it('a parallel request to the same origin shares the cooldown', async () => {
      const stage = await failingOnce(429, { 'retry-after': '30' });
      const { first, second: outcome } = await two(stage);
      assert.deepEqual([first.text, outcome?.text], ['Text', 'Text']);
      assert.deepEqual([outcome?.waits[0]?.attempt, outcome?.waits[0]?.error.kind], [0, 'rateLimit']);
      assert.equal(stage.server.requests.length, 3);
    });
  });

  describe('admission after a wait', () => {
    const quick = { 'retry-after-ms': '1' };

    it('runs before each attempt except a first one that did not wait', async () => {
      const stage = await failing(503, quick);
      const asked: [number, number][] = [];
      await stage.chat({ admitAgain: async (attempt) => void asked.push([attempt, stage.server.requests.length]) });
      assert.deepEqual(asked, [
        [1, 1],
        [2, 2],
        [3, 3],
      ]);
    });

    it('runs before the first attempt if it waited for the cooldown of a parallel request', async () => {
      const stage = await failingOnce(429, { 'retry-after': '30' });
      const asked: number[] = [];
      const { second } = await two(stage, { admitAgain: async (attempt) => void asked.push(attempt) });
      assert.deepEqual([second.text, asked], ['Text', [0]]);
    });

    it('a refused admission sends nothing and ends the answer with the reason', async () => {
      const stage = await failingOnce(429, quick);
      const outcome = await stage.chat({
        admitAgain: async () => {
          throw new ServiceError('gate', 'no', { code: 'changed', details: { changes: ['headers'] } });
        },
      });
      const { error, waits, text } = outcome;
      assert.deepEqual(
        [error?.kind, error?.code, error?.status, waits.length, text],
        ['gate', 'changed', undefined, 1, ''],
      );
      assert.equal(stage.server.requests.length, 1);
    });

    it('sends nothing if the request was cancelled in the meantime', async () => {
      const stage = await failingOnce(429, quick);
      const controller = new AbortController();
      const { signal } = controller;
      const outcome = await stage.chat({ signal, admitAgain: async () => controller.abort() });
      assert.deepEqual([outcome.error?.kind, stage.server.requests.length], ['aborted', 1]);
    });
  });

  describe('row: 500, 502 with HTML, 503, 529, 501', () => {
    const html = { 'content-type': 'text/html', 'x-request-id': 'gateway-3' };
    for (const status of [408, 425, 500, 501, 502, 503, 529]) {
      it(`${status}: retried, then the status and request id`, async () => {
        const stage = await failing(status, html, '<html><body>Bad gateway</body></html>');
        const { error, waits } = await stage.chat();
        assert.deepEqual([error?.kind, error?.status, error?.requestId], ['server', status, 'gateway-3']);
        assert.equal(error?.serviceMessage, undefined);
        assert.equal(waits.length, 3);
        assert.equal(stage.server.requests.length, 4);
      });
    }

    it('503 once: the answer', async () => {
      const outcome = await (await failingOnce(503)).chat();
      assert.deepEqual([outcome.text, outcome.waits.length, outcome.error], ['Text', 1, undefined]);
    });

    it('x-should-retry overrides both ways', async () => {
      assertFinal(await (await failing(503, { 'x-should-retry': 'false' })).chat(), 'server', 503);
      const outcome = await (await failingOnce(409, { 'x-should-retry': 'true' })).chat();
      assert.deepEqual([outcome.text, outcome.waits.length], ['Text', 1]);
    });
  });
});
