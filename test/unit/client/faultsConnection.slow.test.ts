import assert from 'node:assert/strict';
import net, { type LookupFunction } from 'node:net';
import { mock } from 'node:test';
import { type Certificate, selfSigned } from '../../tools/certificate.ts';
import {
  chunked,
  delta,
  done,
  event,
  finish,
  head,
  lastChunk,
  sseHead,
  startRawServer,
  whole,
} from '../../tools/rawServer.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { HandTimers } from './handTimers.ts';
import { apiKey, type Outcome, policyOf, prompt, Theatre } from './harness.ts';

const day = 86_400_000;
const fullAnswer = [sseHead, chunked(delta('Text')), chunked(finish()), chunked(done), lastChunk];

/** Fails as the resolver or the routing table of the machine would. */
function lookupFailingWith(code: string): LookupFunction {
  return (_host, _options, callback) => callback(Object.assign(new Error(code), { code }), '', 4);
}

describe('client faults: the connection', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());

  describe('row: connection refused; unknown host; no route', () => {
    it('connection refused: retried, then a network error', async () => {
      const server = await startRawServer(() => {});
      await server.close();
      const outcome = await theatre.stageFor(server).chat();
      assert.deepEqual([outcome.error?.kind, outcome.error?.externalCode], ['network', 'ECONNREFUSED']);
      assert.deepEqual(
        outcome.waits.map(({ attempt }) => attempt),
        [1, 2, 3],
      );
    });

    for (const [name, code, waits] of [
      ['unknown host: network, not sent again', 'ENOTFOUND', 0],
      ['no resolver for now: retried, then network', 'EAI_AGAIN', 3],
      ['no route: retried, then network', 'EHOSTUNREACH', 3],
    ] as const) {
      it(name, async () => {
        const stage = await theatre.stage(() => {}, {
          network: () => ({ lookup: lookupFailingWith(code) }),
        });
        const outcome = await stage.chat({ endpoint: { baseUrl: 'http://svc.invalid/api/v1' } });
        assert.deepEqual(
          [outcome.error?.kind, outcome.error?.externalCode, outcome.waits.length],
          ['network', code, waits],
        );
      });
    }

    it('a connection that is not established within its limit', async () => {
      const lookup: LookupFunction = () => {};
      const stage = await theatre.stage(() => {}, {
        network: () => ({ lookup }),
        limits: { connectMs: 20 },
        rules: { maxRetries: 1 },
      });
      const outcome = await stage.chat({ endpoint: { baseUrl: 'http://svc.invalid/api/v1' } });
      assert.deepEqual([outcome.error?.kind, outcome.error?.externalCode], ['network', 'UND_ERR_CONNECT_TIMEOUT']);
      assert.equal(outcome.waits.length, 1);
    });

    it('a host of which no address answered in the short time: each of them gets a longer one, within the limit', async () => {
      const { connect } = net;
      const givenUp = Object.assign(new Error('Given up'), { code: 'ETIMEDOUT' });
      const timeOuts: unknown[] = [];
      const mocked = mock.method(net, 'connect', (options: net.TcpNetConnectOpts) => {
        timeOuts.push(options.autoSelectFamilyAttemptTimeout);
        if (timeOuts.length > 1) return connect(options);
        return new net.Socket().destroy(new AggregateError([givenUp]));
      });
      try {
        const stage = await theatre.stage(({ sendEach }) => sendEach(fullAnswer), { limits: { connectMs: 2000 } });
        const outcome = await stage.chat();
        assert.deepEqual([outcome.text, outcome.waits.length, timeOuts], ['Text', 0, [undefined, 500]]);
      } finally {
        mocked.mock.restore();
      }
    });

    it('a host that becomes reachable again: the answer after one wait', async () => {
      const stage = await theatre.stage(async ({ index, reset, sendEach }) => {
        if (index === 0) reset();
        else await sendEach(fullAnswer);
      });
      const outcome = await stage.chat();
      assert.deepEqual([outcome.text, outcome.waits.length, outcome.error], ['Text', 1, undefined]);
    });
  });

  describe('row: certificate unknown, expired, for another host', () => {
    const now = Date.now();
    const files = new TemporaryFiles();
    after(() => files.remove());
    const good: Certificate = selfSigned({
      host: '127.0.0.1',
      notBefore: new Date(now - day),
      notAfter: new Date(now + day),
    });
    const expired = selfSigned({
      host: '127.0.0.1',
      notBefore: new Date(now - 2 * day),
      notAfter: new Date(now - day),
    });
    const other = selfSigned({ host: 'other.test', notBefore: new Date(now - day), notAfter: new Date(now + day) });

    async function visit(certificate: Certificate, ca?: string): Promise<Outcome> {
      const network = () => (ca === undefined ? {} : { caFile: files.write(ca) });
      const stage = await theatre.stage(({ sendEach }) => sendEach(fullAnswer), { network }, certificate);
      const outcome = await stage.chat();
      if (outcome.error !== undefined) assert.equal(stage.server.requests.length, 0, 'not a byte of the request left');
      return outcome;
    }

    for (const [name, certificate, ca, code] of [
      ['unknown', good, undefined, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
      ['expired', expired, expired.cert, 'CERT_HAS_EXPIRED'],
      ['for another host', other, other.cert, 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ] as const) {
      it(name, async () => {
        const { error, waits } = await visit(certificate, ca);
        assert.deepEqual(
          [error?.kind, error?.externalCode, error?.isRetryable, waits.length],
          ['certificate', code, false, 0],
        );
      });
    }

    it('authority in the CA setting: the answer', async () => {
      assert.equal((await visit(good, good.cert)).text, 'Text');
    });
  });

  it('row: proxy answers 407', async () => {
    const stage = await theatre.stage(({ send }) => send(whole(407, 'Sign in', { 'proxy-authenticate': 'Negotiate' })));
    const { error, waits } = await stage.chat();
    assert.deepEqual([error?.kind, error?.status, waits.length], ['proxy', 407, 0]);
  });

  describe('row: reset before headers; after headers before a token', () => {
    let timers: HandTimers;
    beforeEach(() => {
      timers = new HandTimers(54_321);
    });
    afterEach(() => timers.restore());

    for (const [name, before] of [
      ['before headers', []],
      ['in the middle of the headers', ['HTTP/1.1 200 OK\r\ncontent-']],
      ['after headers', [sseHead]],
      ['after headers and a comment', [sseHead, chunked(': wait\n\n')]],
      ['after a delta without content', [sseHead, chunked(delta(''))]],
    ] as const) {
      for (const how of ['reset', 'end'] as const) {
        it(`${how} ${name}: retried; the user sees only the countdown`, async () => {
          const stage = await theatre.stage(async (exchange) => {
            if (exchange.index > 0) return exchange.sendEach(fullAnswer);
            await exchange.sendEach(before);
            exchange[how]();
          });
          const outcome = await stage.chat();
          assert.equal(outcome.error, undefined);
          assert.equal(outcome.text, 'Text');
          assert.equal(outcome.waits.length, 1);
          assert.equal(stage.server.requests.length, 2);
        });
      }
    }

    it('no response in time: retried at most once', async () => {
      const stage = await theatre.stage(() => timers.pass(), { limits: { firstTokenMs: timers.ms } });
      const outcome = await stage.chat();
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['timeout', 'first-token']);
      assert.deepEqual([outcome.waits.length, stage.server.requests.length], [1, 2]);
    });

    it('response headers but no first token in time: the service is working, so not retried', async () => {
      const stage = await theatre.stage(({ send }) => send(sseHead), { limits: { firstTokenMs: timers.ms } });
      const outcome = await stage.chat({ onEvent: ({ type }) => type === 'response' && timers.pass() });
      assert.deepEqual([outcome.error?.kind, outcome.error?.code], ['timeout', 'first-token']);
      assert.deepEqual([outcome.waits.length, stage.server.requests.length], [0, 1]);
    });

    describe('an answer that is not streamed', () => {
      const body = '{"choices":[{"message":{"content":"Whole"}}]}';
      const json = { 'content-type': 'application/json' };
      const request = { stream: false };

      it('may take longer than the limits for a first token and for all attempts', async () => {
        const stage = await theatre.stage(({ send }) => void setTimeout(() => send(whole(200, body, json)), 40), {
          limits: { firstTokenMs: 1, attemptsMs: 2 },
        });
        const outcome = await stage.chat({ request });
        assert.deepEqual([outcome.text, stage.server.requests.length], ['Whole', 1]);
      });

      it('has its own limit and is not retried', async () => {
        for (const begun of ['', head(200, json), `${head(200, json)}   `, head(200, json) + body.slice(0, 20)]) {
          const stage = await theatre.stage(({ send }) => send(begun), { limits: { answerMs: 40 } });
          const { error, waits } = await stage.chat({ request });
          assert.deepEqual([error?.kind, error?.code, waits.length], ['timeout', 'answer', 0], begun);
          // On a busy machine the limit may pass before the request arrives.
          assert.ok(stage.server.requests.length <= 1, begun);
        }
      });

      it('is retried if it was refused, but not after the deadline for all attempts', async () => {
        const stage = await theatre.stage(({ index, send }) =>
          send(index === 0 ? whole(503, '') : whole(200, body, json)),
        );
        assert.equal((await stage.chat({ request })).text, 'Whole');
        const late = await theatre.stage(({ send }) => send(whole(503, '')), { limits: { attemptsMs: 0 } });
        const outcome = await late.chat({ request });
        assert.deepEqual([outcome.error?.status, outcome.waits.length], [503, 0]);
      });
    });

    it('the limits of a request override those of the client, including the connect limit', async () => {
      const stage = await theatre.stage(() => {}, { limits: { firstTokenMs: 60_000 }, rules: { maxRetries: 0 } });
      const outcome = await stage.chat({ limits: { firstTokenMs: 20 } });
      assert.equal(outcome.error?.code, 'first-token');
      const lookup: LookupFunction = () => {};
      const unreachable = await theatre.stage(() => {}, { network: () => ({ lookup }), rules: { maxRetries: 0 } });
      const endpoint = { baseUrl: 'http://svc.test/api/v1' };
      const { error } = await unreachable.chat({ endpoint, limits: { connectMs: 20 } });
      assert.equal(error?.externalCode, 'UND_ERR_CONNECT_TIMEOUT');
    });

    it('no answer to any attempt within the limit for all attempts', async () => {
      const stage = await theatre.stage(() => {}, { limits: { firstTokenMs: 10_000, attemptsMs: 40 } });
      const outcome = await stage.chat();
      assert.deepEqual([outcome.error?.kind, outcome.error?.code, outcome.waits.length], ['timeout', 'attempts', 0]);
    });

    it('pieces that are not shown keep an answer alive, whatever field they are in', async () => {
      const hidden = event({ choices: [{ index: 0, delta: { role: 'assistant', content: '', pondering: 'Hm' } }] });
      const stage = await theatre.stage(
        async ({ send, sendEach }) => {
          await sendEach([sseHead, chunked(hidden)]);
          for (let i = 0; i < 8; i++) {
            const { restarted } = timers;
            await send(chunked(hidden));
            await restarted;
            timers.pass(0.7 * timers.ms);
          }
          await send(chunked(delta('Text') + finish() + done));
        },
        { limits: { firstTokenMs: timers.ms, betweenBytesMs: timers.ms, attemptsMs: timers.ms } },
      );
      const outcome = await stage.chat();
      assert.deepEqual([outcome.text, outcome.error], ['Text', undefined]);
    });

    it('comments keep a started answer alive', async () => {
      const stage = await theatre.stage(
        async ({ sendEach, send }) => {
          await sendEach([sseHead, chunked(delta('Text'))]);
          for (let i = 0; i < 8; i++) {
            const { restarted } = timers;
            await send(chunked(': alive\n\n'));
            await restarted;
            timers.pass(0.7 * timers.ms);
          }
          await send(chunked(finish() + done));
        },
        { limits: { betweenBytesMs: timers.ms } },
      );
      const outcome = await stage.chat();
      assert.deepEqual([outcome.text, outcome.error], ['Text', undefined]);
    });
  });

  describe('row: redirect to another origin', () => {
    for (const status of [301, 302, 303, 307, 308]) {
      it(`${status}: names the target and sends it neither key nor prompt`, async () => {
        const other = await theatre.stage(() => {});
        const location = `${other.server.origin}/api/v1/chat/completions`;
        const stage = await theatre.stage(({ send }) => send(head(status, { location, 'content-length': '0' })));
        const { error, waits } = await stage.chat();
        assert.deepEqual([error?.kind, error?.code, error?.host], ['protocol', 'redirect', other.server.origin]);
        assert.equal(waits.length, 0);
        assert.deepEqual([stage.server.requests.length, other.server.requests.length], [1, 0]);
      });
    }
  });

  it('row: key replaced during the session: the next request uses the new key', async () => {
    const stage = await theatre.stage(({ sendEach }) => sendEach(fullAnswer));
    await stage.chat();
    await stage.chat({ endpoint: { apiKey: 'svc_ent_second' } });
    assert.deepEqual(
      stage.server.requests.map(({ headers }) => headers.authorization),
      [`Bearer ${apiKey}`, 'Bearer svc_ent_second'],
    );
  });

  it('a connection that was idle for 15 s is not used again, however long the service would keep it', async () => {
    const headers = { 'content-type': 'application/json', 'keep-alive': 'timeout=600' };
    const body = JSON.stringify({ choices: [{ message: { content: 'Text' }, finish_reason: 'stop' }] });
    const stage = await theatre.stage(({ send }) => send(whole(200, body, headers)));
    const timers = new HandTimers(15_000);
    const turn = (): Promise<unknown> => new Promise((resolve) => setImmediate(resolve));
    try {
      assert.equal((await stage.chat()).text, 'Text');
      while (timers.count === 0) await turn();
      timers.pass();
      while (stage.server.openSockets() > 0) await turn();
    } finally {
      timers.restore();
    }
  });

  it('sends only the document’s fields and the policy’s headers', async () => {
    const stage = await theatre.stage(({ sendEach }) => sendEach(fullAnswer));
    const policy = policyOf({
      'svc.compliance.securityLevel': 'maximum',
      'svc.compliance.frameworks': ['hipaa', 'gdpr'],
    });
    await stage.chat({ policy, request: { maxTokens: 9, temperature: 0 } });
    const [sent] = stage.server.requests;
    assert.equal(sent?.path, '/api/v1/chat/completions');
    assert.deepEqual(JSON.parse(sent.body), {
      model: 'svc/auto',
      messages: [{ role: 'user', content: prompt }],
      stream: true,
      max_tokens: 9,
      temperature: 0,
    });
    const { host, 'content-length': length, ...headers } = sent.headers;
    assert.ok(host?.startsWith('127.0.0.1:') && Number(length) > 0);
    assert.deepEqual(headers, {
      connection: 'keep-alive',
      authorization: `Bearer ${apiKey}`,
      'user-agent': 'svc-coder/test',
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'gzip, br',
      'svc-security-level': 'maximum',
      'svc-compliance-frameworks': 'hipaa,gdpr',
    });
  });

  it('neither log nor error contains key, prompt or answer', async () => {
    const stage = await theatre.stage(({ index, send, sendEach, reset }) => {
      if (index === 0) return send(whole(500, `{"error":{"message":"${apiKey} ${prompt}","code":"${apiKey}"}}`));
      return sendEach([sseHead, chunked(delta('the secret answer'))]).then(reset);
    });
    const outcome = await stage.chat();
    const [wait] = outcome.waits;
    const written = [
      ...stage.log,
      wait?.error.message,
      wait?.error.externalCode,
      wait?.error.stack,
      outcome.error?.stack,
    ].join('\n');
    assert.ok(stage.log.length > 0);
    for (const word of ['svc_ent_test', prompt, 'the secret answer']) assert.ok(!written.includes(word), word);
    assert.equal(wait?.error.serviceMessage, `<key> ${prompt}`, 'the service’s words are for the user only');
  });

  it('a key that cannot be sent in a header is refused before anything is sent', async () => {
    const stage = await theatre.stage(() => {});
    const { error } = await stage.chat({ endpoint: { apiKey: 'two\nlines' } });
    assert.deepEqual([error?.kind, error?.code, stage.server.requests.length], ['auth', 'malformed-key', 0]);
  });
});
