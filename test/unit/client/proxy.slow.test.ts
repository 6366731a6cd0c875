import assert from 'node:assert/strict';
import type { NetworkOptions } from '../../../src/client/transport/network.ts';
import { createAuthority, today } from '../../tools/certificate.ts';
import { type ProxyOptions, type ProxyServer, startProxy } from '../../tools/proxyServer.ts';
import { chunked, delta, done, finish, lastChunk, sseHead, startRawServer } from '../../tools/rawServer.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { apiKey, prompt, type Stage, Theatre } from './harness.ts';

const fullAnswer = [sseHead, chunked(delta('Text')), chunked(finish()), chunked(done), lastChunk];
const names = ['api.svc.test'];

describe('client: proxies', () => {
  const theatre = new Theatre();
  const files = new TemporaryFiles();
  const authority = createAuthority();
  const caFile = files.write(authority.cert);
  const certificate = authority.issue({ host: 'api.svc.test', ...today });
  const open: ProxyServer[] = [];
  after(() => files.remove());
  afterEach(async () => {
    await theatre.tearDown();
    await Promise.all(open.splice(0).map((proxy) => proxy.close()));
  });

  const proxyWith = async (options: ProxyOptions = {}): Promise<ProxyServer> => {
    const proxy = await startProxy({ names, ...options });
    open.push(proxy);
    return proxy;
  };

  /** A service under a name that only the proxy can resolve. */
  const behind = async (network: NetworkOptions, scheme: 'http' | 'https' = 'https', connectMs = 10_000) => {
    const tls = scheme === 'https' ? certificate : undefined;
    const stage = await theatre.stage(
      ({ sendEach }) => sendEach(fullAnswer),
      { network: () => ({ caFile, stack: 'undici', ...network }), limits: { connectMs } },
      tls,
    );
    const origin = `${scheme}://api.svc.test:${stage.server.port}`;
    return { ...stage, ask: () => stage.chat({ endpoint: { baseUrl: `${origin}/api/v1` } }) };
  };

  const withUser = (proxy: ProxyServer, user: string): string => proxy.url.replace('://', `://${user}@`);

  it('a tunnel: the proxy sees only the name of the service', async () => {
    const proxy = await proxyWith();
    const { ask, server } = await behind({ httpProxy: proxy.url });
    assert.equal((await ask()).text, 'Text');
    assert.deepEqual(proxy.asked, [{ line: `CONNECT api.svc.test:${server.port}`, hasPassed: true }]);
    assert.equal(server.requests[0]?.path, '/api/v1/chat/completions');
    assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
  });

  it('reuses a tunnel', async () => {
    const proxy = await proxyWith();
    const { client, server } = await behind({ httpProxy: proxy.url });
    const baseUrl = `https://api.svc.test:${server.port}/api/v1`;
    for (let i = 0; i < 4; i++) await client.health({ baseUrl }, new AbortController().signal);
    assert.equal(server.requests.length, 4);
    // A request that follows immediately may find the first connection still busy.
    assert.ok(proxy.asked.length <= 2, `${proxy.asked.length} tunnels`);
  });

  it('a tunnel through a proxy with its own TLS', async () => {
    const proxy = await proxyWith({ tls: authority.issue({ host: '127.0.0.1', ...today }) });
    const { ask } = await behind({ httpProxy: proxy.url });
    assert.equal((await ask()).text, 'Text');
    assert.equal(proxy.asked.length, 1);
  });

  it('does not trust a proxy with a certificate of an unknown authority', async () => {
    const proxy = await proxyWith({ tls: createAuthority().issue({ host: '127.0.0.1', ...today }) });
    const { error } = await (await behind({ httpProxy: proxy.url })).ask();
    assert.deepEqual([error?.kind, error?.host, proxy.asked.length], ['certificate', proxy.host, 0]);
  });

  it('sends absolute URLs to a forward proxy', async () => {
    const proxy = await proxyWith({ credentials: 'me:secret' });
    const { ask, server } = await behind({ httpProxy: withUser(proxy, 'me:secret') }, 'http');
    assert.equal((await ask()).text, 'Text');
    const line = `POST http://api.svc.test:${server.port}/api/v1/chat/completions`;
    assert.deepEqual(proxy.asked, [{ line, hasPassed: true }]);
    assert.equal(server.requests[0]?.headers.host, `api.svc.test:${server.port}`);
    assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
  });

  it('decodes credentials, even if a character in them was not encoded', async () => {
    for (const [credentials, written] of [
      ['me@corp:p:w/d', 'me%40corp:p%3Aw%2Fd'],
      ['me:100%', 'me:100%'],
    ] as const) {
      const proxy = await proxyWith({ credentials });
      const { ask } = await behind({ httpProxy: withUser(proxy, written) });
      assert.equal((await ask()).text, 'Text');
    }
  });

  it('signs in with http.proxyAuthorization, also to a proxy of the system', async () => {
    const proxy = await proxyWith({ credentials: 'me:secret' });
    const proxyAuthorization = `Basic ${Buffer.from('me:secret').toString('base64')}`;
    for (const network of [{ httpProxy: proxy.url }, { resolveProxy: async () => proxy.url }]) {
      const { ask, server } = await behind({ ...network, proxyAuthorization });
      assert.equal((await ask()).text, 'Text');
      assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
    }
  });

  for (const scheme of ['https', 'http'] as const) {
    it(`row: proxy answers 407 (${scheme}): names it and its schemes, is not retried, is not a cancel`, async () => {
      const proxy = await proxyWith({
        credentials: 'me:secret',
        offers: ['Basic realm="a, b", charset="UTF-8"', 'Digest nonce=abc'],
      });
      const { ask, log, server } = await behind({ httpProxy: withUser(proxy, 'me:wrong') }, scheme);
      const { error, waits } = await ask();
      assert.deepEqual(
        [error?.kind, error?.code, error?.status, error?.host, error?.details, waits.length],
        ['proxy', 'proxy-auth', 407, proxy.host, { schemes: ['Basic', 'Digest'] }, 0],
      );
      assert.deepEqual([proxy.asked.length, server.requests.length], [1, 0]);
      assert.doesNotMatch([...log, error?.stack].join('\n'), /wrong|bWU6|Proxy-Auth/);
    });
  }

  it('row: proxy down: retried, then named', async () => {
    const proxy = await startProxy();
    await proxy.close();
    const { error, waits } = await (await behind({ httpProxy: withUser(proxy, 'me:hunter2') })).ask();
    assert.deepEqual(
      [error?.kind, error?.externalCode, error?.host, waits.length],
      ['proxy', 'ECONNREFUSED', proxy.host, 3],
    );
    assert.doesNotMatch(`${error?.stack}`, /hunter2/);
  });

  it('a proxy that closes the connection without a response is retried and named', async () => {
    const closing = await startRawServer(({ end }) => end());
    const { ask } = await behind({ httpProxy: closing.origin });
    const { error, waits } = await ask();
    await closing.close();
    assert.deepEqual([error?.kind, error?.externalCode, waits.length], ['proxy', 'ECONNRESET', 3]);
  });

  it('a proxy that never responds fails within the connect limit', async () => {
    const proxy = await proxyWith({ isSilent: true });
    const { error } = await (await behind({ httpProxy: proxy.url }, 'https', 20)).ask();
    assert.deepEqual([error?.kind, error?.externalCode, error?.host], ['proxy', 'UND_ERR_CONNECT_TIMEOUT', proxy.host]);
  });

  for (const [status, waits] of [
    [403, 0],
    [503, 3],
  ] as const) {
    it(`a proxy that answers ${status} to CONNECT: reported as the proxy’s answer, not the service’s`, async () => {
      const proxy = await proxyWith({ refuseWith: status });
      const outcome = await (await behind({ httpProxy: proxy.url })).ask();
      const { error } = outcome;
      assert.deepEqual(
        [error?.kind, error?.code, error?.status, error?.host, outcome.waits.length],
        ['proxy', 'proxy-refused', status, proxy.host, waits],
      );
    });
  }

  it('an unsupported kind of proxy is refused before anything is sent', async () => {
    const { error } = await (await behind({ httpProxy: 'socks5://me:secret@proxy.test:1080' })).ask();
    assert.deepEqual([error?.kind, error?.code, error?.host], ['proxy', 'proxy-scheme', 'proxy.test:1080']);
  });

  it('checks the certificate behind a tunnel against the name of the service', async () => {
    const proxy = await proxyWith({ names: ['other.svc.test'] });
    const stage: Stage & { ask: unknown } = await behind({ httpProxy: proxy.url });
    const baseUrl = `https://other.svc.test:${stage.server.port}/api/v1`;
    const { error } = await stage.chat({ endpoint: { baseUrl } });
    assert.deepEqual([error?.kind, error?.externalCode], ['certificate', 'ERR_TLS_CERT_ALTNAME_INVALID']);
    assert.equal(stage.server.requests.length, 0);
  });

  it('the resolver of the host decides if no proxy is configured; if it fails, the connection is direct', async () => {
    const proxy = await proxyWith();
    const urls: string[] = [];
    const found = await behind({
      resolveProxy: async (url) => {
        urls.push(url);
        return proxy.url;
      },
    });
    assert.equal((await found.ask()).text, 'Text');
    assert.deepEqual(urls, [`https://api.svc.test:${found.server.port}`]);
    const failing = await behind({
      resolveProxy: () => Promise.reject(new Error('no script')),
      lookup: (_host, _options, callback) => callback(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    assert.equal((await failing.ask()).text, 'Text');
  });

  it('cancel ends the wait for a resolver that never answers', async () => {
    const controller = new AbortController();
    const resolveProxy = () => {
      controller.abort();
      return new Promise<undefined>(() => {});
    };
    const { client } = await behind({ resolveProxy });
    await assert.rejects(client.health({ baseUrl: 'https://api.svc.test/api/v1' }, controller.signal), {
      kind: 'aborted',
    });
  });

  it('a changed setting applies to the next request', async () => {
    const first = await proxyWith();
    const second = await proxyWith();
    let httpProxy = first.url;
    const stage = await theatre.stage(
      ({ sendEach }) => sendEach(fullAnswer),
      { network: () => ({ caFile, httpProxy }) },
      certificate,
    );
    const endpoint = { baseUrl: `https://api.svc.test:${stage.server.port}/api/v1` };
    assert.equal((await stage.chat({ endpoint })).text, 'Text');
    httpProxy = second.url;
    assert.equal((await stage.chat({ endpoint })).text, 'Text');
    assert.deepEqual([first.asked.length, second.asked.length], [1, 1]);
  });

  it('connects to the local machine directly, and logs neither key nor prompt nor password', async () => {
    const proxy = await proxyWith();
    const stage = await theatre.stage(({ sendEach }) => sendEach(fullAnswer), {
      network: () => ({ httpProxy: withUser(proxy, 'me:secret') }),
    });
    assert.equal((await stage.chat()).text, 'Text');
    assert.equal(proxy.asked.length, 0);
    const log = stage.log.join('\n');
    assert.ok(log.length > 0 && ![apiKey, prompt, 'secret'].some((word) => log.includes(word)));
  });
});
