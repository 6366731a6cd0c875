import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { gzipSync } from 'node:zlib';
import type { NetworkOptions } from '../../../src/client/transport/network.ts';
import { type ProxyServer, startProxy } from '../../tools/proxyServer.ts';
import {
  chunked,
  delta,
  done,
  finish,
  head,
  lastChunk,
  openSseHead,
  type RawHandler,
  sseHead,
  whole,
} from '../../tools/rawServer.ts';
import { apiKey, Theatre } from './harness.ts';

const fullAnswer = [sseHead, chunked(delta('Text')), chunked(finish()), chunked(done), lastChunk];

describe('client: the fetch of the host', () => {
  const theatre = new Theatre();
  afterEach(() => theatre.tearDown());
  const vscode = { network: (): NetworkOptions => ({ stack: 'vscode' }) };
  const open = (handler: RawHandler, rest = {}) => theatre.stage(handler, { ...vscode, ...rest });

  it('carries a chat, with the same headers and body', async () => {
    const { chat, server } = await open(({ sendEach }) => sendEach(fullAnswer));
    const { text, finishReason, error } = await chat();
    assert.deepEqual([text, finishReason, error], ['Text', 'stop', undefined]);
    const [sent] = server.requests;
    assert.deepEqual([sent?.method, sent?.path], ['POST', '/api/v1/chat/completions']);
    assert.equal(sent?.headers.authorization, `Bearer ${apiKey}`);
    assert.equal(JSON.parse(sent?.body ?? '').model, 'svc/auto');
  });

  it('reads a compressed body', async () => {
    const body = gzipSync(delta('Text') + finish() + done);
    const { chat } = await open(async ({ send, end }) => {
      await send(head(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip', connection: 'close' }));
      end(body);
    });
    assert.equal((await chat()).text, 'Text');
  });

  it('does not follow a redirect', async () => {
    const other = await open(() => {});
    const { chat } = await open(({ send }) =>
      send(head(307, { location: `${other.server.origin}/x`, 'content-length': '0' })),
    );
    const { error } = await chat();
    assert.deepEqual([error?.code, error?.host, other.server.requests.length], ['redirect', other.server.origin, 0]);
  });

  it('reports statuses and connection faults', async () => {
    const { client, endpoint, server } = await open(({ send }) => send(whole(401, '{"error":{"message":"No"}}')));
    const { signal } = new AbortController();
    await assert.rejects(client.validateToken(endpoint, signal), { kind: 'auth', status: 401, serviceMessage: 'No' });
    await server.close();
    await assert.rejects(client.health(endpoint, signal), { kind: 'network', externalCode: 'ECONNREFUSED' });
  });

  it('keeps the text of an answer that is interrupted', async () => {
    const { chat } = await open(async ({ sendEach, reset }) => {
      await sendEach([sseHead, chunked(delta('Half'))]);
      setImmediate(reset);
    });
    const { text, error } = await chat();
    assert.deepEqual([text, error?.kind], ['Half', 'interrupted']);
  });

  it('applies the client’s time limits', async () => {
    const { chat } = await open(() => {}, { limits: { firstTokenMs: 30 }, rules: { maxRetries: 0 } });
    assert.equal((await chat()).error?.code, 'first-token');
  });

  it('cancel closes the socket and leaves no listener, before headers and mid-answer', async () => {
    for (const bytes of [[], [sseHead, chunked(delta('Half'))]]) {
      const controller = new AbortController();
      let closed: Promise<unknown> | undefined;
      const { chat } = await open(async (exchange) => {
        ({ closed } = exchange);
        await exchange.sendEach(bytes);
        if (bytes.length === 0) controller.abort();
      });
      const { error } = await chat({
        signal: controller.signal,
        onEvent: ({ type }) => type === 'text-delta' && controller.abort(),
      });
      assert.equal(error?.kind, 'aborted');
      await closed;
      assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    }
  });

  it('closes the socket of an answer that is abandoned at [DONE]', async () => {
    let closed: Promise<unknown> | undefined;
    const { chat } = await open(async (exchange) => {
      ({ closed } = exchange);
      await exchange.send(openSseHead + delta('Text') + finish() + done);
    });
    assert.equal((await chat()).text, 'Text');
    await closed;
  });

  describe('that gives up after its own time limit', () => {
    const realFetch = globalThis.fetch;
    afterEach(() => {
      globalThis.fetch = realFetch;
    });
    const limit = (name: string): TypeError =>
      new TypeError('fetch failed', {
        cause: Object.assign(new Error('Timeout'), { code: `UND_ERR_${name}_TIMEOUT` }),
      });

    it('a host that gives up before the headers fails as a time limit, and is not asked again', async () => {
      const { chat } = await open(() => {});
      let count = 0;
      globalThis.fetch = () => {
        count += 1;
        return Promise.reject(limit('HEADERS'));
      };
      const { error, waits } = await chat();
      assert.deepEqual([error?.kind, error?.code, count, waits.length], ['timeout', 'host-stack', 1, 0]);
    });

    it('within the body: an empty answer fails as a time limit, and text is kept', async () => {
      const { chat } = await open(() => {});
      for (const text of ['', 'Half']) {
        let count = 0;
        globalThis.fetch = async () => {
          count += 1;
          const parts = [...(text === '' ? [] : [delta(text)]), null];
          const body = new ReadableStream({
            pull(controller) {
              const part = parts.shift() ?? null;
              if (part === null) controller.error(limit('BODY'));
              else controller.enqueue(new TextEncoder().encode(part));
            },
          });
          return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
        };
        const outcome = await chat();
        const { error, waits } = outcome;
        const kind = text === '' ? 'timeout' : 'interrupted';
        assert.deepEqual([outcome.text, error?.kind, error?.code, waits.length], [text, kind, 'host-stack', 0]);
        assert.equal(count, 1);
      }
    });
  });

  it('dispose ends running requests', async () => {
    const { promise: arrived, resolve } = Promise.withResolvers<void>();
    const { client, chat } = await open(() => resolve(), { rules: { maxRetries: 0 } });
    const outcome = chat();
    await arrived;
    await client.dispose();
    assert.equal((await outcome).error?.kind, 'aborted');
  });

  it('logs once that it does not use the certificate settings', async () => {
    const network = (): NetworkOptions => ({ stack: 'vscode', caFile: '/ca.pem' });
    const { chat, log } = await theatre.stage(({ sendEach }) => sendEach(fullAnswer), { network });
    await chat();
    await chat();
    assert.equal(log.filter((line) => line.includes('svc.network.caFile')).length, 1);
  });
});

describe('client: svc.network.stack auto', () => {
  const theatre = new Theatre();
  const open: ProxyServer[] = [];
  const realFetch = globalThis.fetch;
  const fetched: string[] = [];
  afterEach(async () => {
    globalThis.fetch = realFetch;
    fetched.length = 0;
    await theatre.tearDown();
    await Promise.all(open.splice(0).map((proxy) => proxy.close()));
  });

  /**
   * A proxy that offers these authentication schemes, and a host whose fetch either gets through or fails like this.
   */
  const behind = async (offers: readonly string[], stack: NetworkOptions['stack'], failure?: Error) => {
    const proxy = await startProxy({ offers, names: ['api.svc.test'] });
    open.push(proxy);
    const stage = await theatre.stage(({ sendEach }) => sendEach(fullAnswer), {
      network: () => ({ ...(stack === undefined ? {} : { stack }), httpProxy: proxy.url }),
    });
    globalThis.fetch = (input, init) => {
      fetched.push(String(input));
      if (failure !== undefined) return Promise.reject(new TypeError('fetch failed', { cause: failure }));
      return realFetch(String(input).replace('api.svc.test', '127.0.0.1'), init);
    };
    const endpoint = { baseUrl: `http://api.svc.test:${stage.server.port}/api/v1` };
    return { ...stage, proxy, ask: () => stage.chat({ endpoint }) };
  };

  for (const offers of [['Negotiate'], ['NTLM'], ['Negotiate', 'NTLM', 'Basic realm="x"'], ['Kerberos']]) {
    it(`a proxy that offers ${offers.join(', ')}: uses the host’s fetch from then on, and logs it once`, async () => {
      const { ask, proxy, log, server } = await behind(offers, undefined);
      assert.equal((await ask()).text, 'Text');
      assert.equal((await ask()).text, 'Text');
      assert.deepEqual([proxy.asked.length, fetched.length, server.requests.length], [1, 2, 2]);
      assert.equal(log.filter((line) => line.includes("VS Code's own network stack")).length, 1);
    });
  }

  it('a proxy that offers only Basic: reports the client’s own error', async () => {
    const { error } = await (await behind(['Basic realm="Negotiate, NTLM"'], 'auto')).ask();
    assert.deepEqual([error?.code, error?.details, fetched.length], ['proxy-auth', { schemes: ['Basic'] }, 0]);
  });

  it('the setting undici never uses the host’s fetch', async () => {
    const { error } = await (await behind(['Negotiate'], 'undici')).ask();
    assert.deepEqual([error?.code, fetched.length], ['proxy-auth', 0]);
  });

  it('the error names the proxy and its schemes, and is not a cancel, if the host cannot authenticate either', async () => {
    const refused = Object.assign(new Error('Proxy response (407)'), { code: 'UND_ERR_ABORTED' });
    const { ask, proxy } = await behind(['Negotiate'], 'auto', refused);
    for (const { error, waits } of [await ask(), await ask()]) {
      assert.deepEqual([error?.kind, error?.code, error?.host, waits.length], ['proxy', 'proxy-auth', proxy.host, 0]);
    }
  });

  it('a tunnel refused to the host’s fetch is not a cancel', async () => {
    const refused = Object.assign(new Error('Proxy response (407)'), { code: 'UND_ERR_ABORTED' });
    const { ask, proxy } = await behind(['Negotiate'], 'vscode', refused);
    const { error } = await ask();
    assert.deepEqual([error?.kind, error?.code, error?.host], ['proxy', 'proxy-refused', proxy.host]);
  });
});
