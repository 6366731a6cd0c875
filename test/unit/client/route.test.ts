import assert from 'node:assert/strict';
import type { NetworkOptions } from '../../../src/client/transport/network.ts';
import { proxyAuthorization } from '../../../src/client/transport/proxy.ts';
import { type Route, routeFor, routeThrough } from '../../../src/client/transport/route.ts';

const service = 'https://api.svc.test/api/v1';

/** The route as one word: direct, system, unusable, or the address of the proxy. */
function way(url: string, network: NetworkOptions): string {
  return inWords(routeFor(new URL(url), network));
}

function inWords(route: Route): string {
  return route.via === 'proxy' ? route.proxy.href : route.via;
}

describe('route', () => {
  const httpProxy = 'http://proxy.test:3128';
  const chosen = `${httpProxy}/`;

  it('http.proxy takes precedence over the environment', () => {
    assert.equal(way(service, { httpProxy, env: { HTTPS_PROXY: 'http://other.test' } }), chosen);
  });

  it('reads the environment in VS Code’s order and ignores empty values', () => {
    const env = { https_proxy: 'http://a.test', HTTPS_PROXY: 'http://b.test', HTTP_PROXY: 'http://c.test' };
    assert.equal(way(service, { env }), 'http://a.test/');
    assert.equal(way(service, { httpProxy: ' ', env: { ...env, https_proxy: '' } }), 'http://b.test/');
    assert.equal(way(service, { env: { HTTP_PROXY: 'http://c.test' } }), 'http://c.test/');
  });

  it('the system is asked if no proxy is configured', () => assert.equal(way(service, {}), 'system'));

  it('http.proxySupport off means direct', () =>
    assert.equal(way(service, { httpProxy, useProxies: false }), 'direct'));

  for (const host of [
    'localhost',
    '127.0.0.1',
    '127.8.9.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    'a.localhost',
    '2130706433',
  ]) {
    it(`${host} is the local machine: direct`, () =>
      assert.equal(way(`https://${host}:8443/`, { httpProxy }), 'direct'));
  }

  for (const host of ['localhost.test', '127.0.0.1.test', '128.0.0.1', '[::2]', 'notlocalhost']) {
    it(`${host} is not the local machine`, () => assert.equal(way(`https://${host}/`, { httpProxy }), chosen));
  }

  for (const [entry, url, isDirect] of [
    ['*', service, true],
    ['svc.test', service, true],
    ['.svc.test', service, true],
    ['*.svc.test', service, true],
    [' API.svc.TEST ', service, true],
    ['vc.test', service, false],
    ['svc.tes', service, false],
    ['api.svc.test:443', service, true],
    ['api.svc.test:8443', service, false],
    ['api.svc.test:8443', 'https://api.svc.test:8443/', true],
    ['api.svc.test:80', 'http://api.svc.test/', true],
    ['10.0.0.7', 'https://10.0.0.7/', true],
    ['0.0.7', 'https://10.0.0.7/', false],
    ['fd00::1', 'https://[fd00::1]/', true],
    ['[fd00::1]', 'https://[fd00::1]/', true],
    ['[fd00::1]:443', 'https://[fd00::1]/', true],
    ['fd00::2', 'https://[fd00::1]/', false],
    ['10.10.0.0/16', 'https://10.10.7.8:8443/', true],
    ['10.10.0.0/16', 'https://10.11.7.8/', false],
    ['10.10.0.7/32', 'https://10.10.0.7/', true],
    ['fd00::/8', 'https://[fd12::1]/', true],
    ['fd00::/8', 'https://[fe12::1]/', false],
    ['0.0.0.0/0', service, false],
    ['0.0.0.0/0', 'https://[fd12::1]/', false],
    ['10.0.0.0/33', 'https://10.0.0.1/', false],
    ['svc.test/8', service, false],
    ['10.*', 'https://10.1.2.3/', true],
    ['192.168.*', 'https://192.168.4.5/', true],
    ['1*', 'https://10.1.2.3/', true],
    ['10.*', 'https://110.1.2.3/', false],
    ['10.*', 'https://10.svc.test/', false],
    ['https://api.svc.test', service, true],
    ['', service, false],
    ['.', service, false],
  ] as const) {
    it(`noProxy ${entry} and ${url}: ${isDirect ? 'direct' : 'the proxy'}`, () => {
      assert.equal(way(url, { httpProxy, noProxy: [entry] }), isDirect ? 'direct' : chosen);
      assert.equal(way(url, { httpProxy, env: { NO_PROXY: `x.test, ${entry}` } }), isDirect ? 'direct' : chosen);
    });
  }

  it('separates the entries of NO_PROXY at blanks and semicolons too', () => {
    for (const NO_PROXY of ['x.test svc.test', 'x.test;svc.test', ' x.test ,\n svc.test ']) {
      assert.equal(way(service, { httpProxy, env: { NO_PROXY } }), 'direct', NO_PROXY);
    }
  });

  it('ignores NO_PROXY if http.noProxy has entries', () => {
    const env = { no_proxy: 'svc.test' };
    assert.equal(way(service, { httpProxy, noProxy: ['other.test'], env }), chosen);
    assert.equal(way(service, { httpProxy, noProxy: [], env }), 'direct');
  });

  it('accepts a proxy without http://', () => {
    assert.equal(inWords(routeThrough('user:pass@proxy.test:3128')), 'http://user:pass@proxy.test:3128/');
  });

  for (const [written, ...expected] of [
    ['http://me:p@ss#@proxy.test:8080', 'me', 'p@ss#'],
    ['http://me:12#ab@proxy.test:8080', 'me', '12#ab'],
    ['http://me:a/b?c@proxy.test:8080/', 'me', 'a/b?c'],
    ['http://CORP\\me:pw@proxy.test:8080', 'CORP\\me', 'pw'],
    ['CORP\\me:[pw]@proxy.test:8080', 'CORP\\me', '[pw]'],
    ['http://CORP%5Cme:p%40w%@proxy.test:8080', 'CORP\\me', 'p%40w%'],
    ['http://CORP%5Cme:p%40w@proxy.test:8080', 'CORP\\me', 'p@w'],
  ] as const) {
    it(`reads the user name and the password of ${written}`, () => {
      const route = routeThrough(written);
      assert.equal(route.via, 'proxy');
      const sent = proxyAuthorization(route.proxy)['proxy-authorization'] ?? '';
      const words = Buffer.from(sent.replace('Basic ', ''), 'base64').toString();
      assert.deepEqual([route.proxy.host, words], ['proxy.test:8080', expected.join(':')]);
    });
  }

  it('takes the user of http.proxyAuthorization if the address of the proxy has none', () => {
    const basic = (words: string): string => `Basic ${Buffer.from(words).toString('base64')}`;
    for (const [authorization, proxy, expected] of [
      [basic('CORP\\me:p:w%'), 'http://proxy.test', basic('CORP\\me:p:w%')],
      [` ${basic('me:')} `.replace('Basic', 'basic'), 'http://proxy.test', basic('me:')],
      [basic('me:pw'), 'http://other:1@proxy.test', basic('other:1')],
      ['Bearer abc', 'http://proxy.test', undefined],
      ['Basic', 'http://proxy.test', undefined],
      [basic('me'), 'http://proxy.test', undefined],
      ['', 'http://proxy.test', undefined],
    ] as const) {
      const route = routeFor(new URL(service), { httpProxy: proxy, proxyAuthorization: authorization });
      assert.equal(route.via, 'proxy');
      assert.equal(proxyAuthorization(route.proxy)['proxy-authorization'], expected, authorization);
      assert.equal(route.proxy.host, 'proxy.test');
    }
  });

  it('reports an unusable value without its password', () => {
    assert.deepEqual(routeThrough('socks5://me:secret@proxy.test:1080'), {
      via: 'unusable',
      code: 'proxy-scheme',
      host: 'proxy.test:1080',
    });
    assert.deepEqual(routeThrough('http://me:secret@'), { via: 'unusable', code: 'proxy-url', host: undefined });
  });
});
