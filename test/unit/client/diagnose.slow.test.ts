import assert from 'node:assert/strict';
import { userInfo } from 'node:os';
import type { TlsOptions } from 'node:tls';
import type { Diagnosis } from '../../../src/client/diagnosis/diagnose.ts';
import { likelyCause, type Step, type StepName } from '../../../src/client/diagnosis/likelyCause.ts';
import type { NetworkOptions } from '../../../src/client/transport/network.ts';
import { PolicyError } from '../../../src/policy/policyError.ts';
import { isServiceError } from '../../../src/util/errors.ts';
import { redactor } from '../../../src/util/text/redact.ts';
import { createAuthority, selfSigned, today } from '../../tools/certificate.ts';
import { type ProxyOptions, type ProxyServer, startProxy } from '../../tools/proxyServer.ts';
import type { RawExchange, RawHandler } from '../../tools/rawServer.ts';
import { TemporaryFiles } from '../../tools/temporaryFiles.ts';
import { apiKey, Theatre } from './harness.ts';

const day = 86_400_000;
const never = new AbortController().signal;
const allSteps: readonly StepName[] = ['route', 'names', 'connection', 'health', 'token', 'models', 'clock'];

function answer({ end }: RawExchange, status: number, headers: Readonly<Record<string, string>> = {}): void {
  const body = '{"data":[{"id":"svc/auto"},{"id":"svc/other"}]}';
  const all = {
    date: new Date().toUTCString(),
    'content-length': String(body.length),
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  end(`HTTP/1.1 ${status} Status\r\n${lines.join('')}\r\n${body}`);
}

const well: RawHandler = (exchange) => answer(exchange, 200);

function at({ steps }: Diagnosis, name: StepName): Step {
  const found = steps.find(({ step }) => step === name);
  assert.ok(found, name);
  return found;
}

describe('client: diagnosis', () => {
  const theatre = new Theatre();
  const files = new TemporaryFiles();
  const authority = createAuthority();
  const caFile = files.write(authority.cert);
  const name = 'api.svc.test';
  const open: ProxyServer[] = [];
  after(() => files.remove());
  afterEach(async () => {
    await theatre.tearDown();
    await Promise.all(open.splice(0).map((proxy) => proxy.close()));
  });

  const diagnoseAt = async (
    handler: RawHandler,
    {
      tls,
      host = '127.0.0.1',
      key = apiKey,
      ...network
    }: NetworkOptions & { tls?: TlsOptions; host?: string; key?: string } = {},
  ) => {
    const options = { caFile, stack: 'undici' as const, ...network };
    const { client, server } = await theatre.stage(handler, { network: () => options }, tls);
    const baseUrl = `${tls === undefined ? 'http' : 'https'}://${host}:${server.port}/api/v1`;
    return { server, diagnosis: await client.diagnose({ baseUrl, apiKey: key }, never) };
  };

  const proxyWith = async (options: ProxyOptions = {}): Promise<ProxyServer> => {
    const proxy = await startProxy({ names: [name], ...options });
    open.push(proxy);
    return proxy;
  };

  it('no fault: reports all steps in order, the certificate and the number of models', async () => {
    const tls = authority.issue({ host: '127.0.0.1', ...today });
    const { diagnosis, server } = await diagnoseAt(well, { tls });
    assert.equal(diagnosis.cause, 'none');
    assert.deepEqual(
      diagnosis.steps.map(({ step, state }) => [step, state]),
      allSteps.map((step) => [step, 'ok']),
    );
    const { facts } = at(diagnosis, 'connection');
    assert.deepEqual(facts.verdict, { is: 'trusted' });
    assert.deepEqual(facts.subject, { is: 'names', names: ['127.0.0.1'] });
    assert.deepEqual(facts.issuer, { is: 'names', names: ['test authority'] });
    assert.match(String(facts.protocol), /^TLSv1\.[23]$/);
    assert.match(String(facts.fingerprint), /^([\dA-F]{2}:){31}[\dA-F]{2}$/);
    assert.deepEqual([facts['days-left'], facts['alternative-names']], ['0', '1']);
    assert.equal(facts['valid-to'], new Date(Math.floor(today.notAfter.getTime() / 1000) * 1000).toISOString());
    assert.deepEqual(at(diagnosis, 'names').facts, { service: '127.0.0.1', ipv4: '127.0.0.1', ipv6: { is: 'none' } });
    assert.equal(at(diagnosis, 'models').facts.models, '2');
    assert.deepEqual(
      server.requests.map(({ path }) => path),
      ['/api/v1/health', '/api/v1/auth/token', '/api/v1/models'],
    );
    assert.deepEqual(
      diagnosis.headers.map(([name]) => name),
      ['Authorization', 'User-Agent', 'Accept', 'Accept-Encoding', 'Content-Type'],
    );
    assert.deepEqual(diagnosis.headers[0], ['Authorization', { is: 'stored-key' }]);
  });

  it('an unknown host', async () => {
    const lookup: NonNullable<NetworkOptions['lookup']> = (_name, _options, callback) =>
      callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    const { diagnosis } = await diagnoseAt(well, { host: name, lookup });
    assert.equal(diagnosis.cause, 'unknown-host');
    assert.equal(at(diagnosis, 'names').error?.code, 'ENOTFOUND');
    assert.equal(at(diagnosis, 'token').why, 'no-answer');
  });

  it('an unreachable service', async () => {
    const { client, server, endpoint } = await theatre.stage(well);
    await server.close();
    const diagnosis = await client.diagnose(endpoint, never);
    assert.equal(diagnosis.cause, 'refused');
    assert.deepEqual(
      diagnosis.steps.map(({ step }) => step),
      allSteps,
    );
  });

  it('a proxy that requires authentication: its password appears nowhere', async () => {
    const proxy = await proxyWith({ credentials: 'me:right' });
    const httpProxy = proxy.url.replace('://', '://someone:canary-password@');
    const tls = authority.issue({ host: name, ...today });
    const { diagnosis, server } = await diagnoseAt(well, { tls, host: name, httpProxy });
    assert.equal(diagnosis.cause, 'proxy-auth');
    assert.equal(at(diagnosis, 'route').facts.via, `http://${proxy.host}`);
    assert.equal(at(diagnosis, 'connection').error?.status, 407);
    assert.equal(server.requests.length, 0);
    assert.doesNotMatch(JSON.stringify(diagnosis), /someone|canary|c29tZW9uZTpj/);
  });

  it('through a proxy: reports the certificate of the service, and accepts a host name unknown locally', async () => {
    const proxy = await proxyWith();
    const tls = authority.issue({ host: name, ...today });
    const lookup: NonNullable<NetworkOptions['lookup']> = (asked, _options, callback) =>
      asked === '127.0.0.1'
        ? callback(null, [{ address: asked, family: 4 }])
        : callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }), []);
    const { diagnosis } = await diagnoseAt(well, { tls, host: name, lookup, env: { HTTPS_PROXY: proxy.url } });
    assert.equal(diagnosis.cause, 'none');
    assert.deepEqual(at(diagnosis, 'names').facts.ipv4, { is: 'none', code: 'ENOTFOUND' });
    assert.deepEqual(at(diagnosis, 'route').facts['named-by'], { is: 'named-by-environment' });
    assert.deepEqual(at(diagnosis, 'connection').facts.subject, { is: 'names', names: [name] });
  });

  const past = { notBefore: new Date(Date.now() - 9 * day), notAfter: new Date(Date.now() - 2 * day) };
  const soon = { notBefore: new Date(Date.now() + 2 * day), notAfter: new Date(Date.now() + 9 * day) };
  for (const [title, tls, cause, verdict] of [
    [
      'an expired certificate',
      authority.issue({ host: '127.0.0.1', ...past }),
      'certificate-expired',
      'CERT_HAS_EXPIRED',
    ],
    [
      'one from the future',
      authority.issue({ host: '127.0.0.1', ...soon }),
      'certificate-not-yet-valid',
      'CERT_NOT_YET_VALID',
    ],
    [
      'an unknown authority',
      selfSigned({ host: '127.0.0.1', ...today }),
      'certificate-authority',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
    ],
    [
      'another host',
      authority.issue({ host: 'other.test', ...today }),
      'certificate-name',
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
  ] as const) {
    it(`${title}: reports the issuer and sends nothing`, async () => {
      const { diagnosis, server } = await diagnoseAt(well, { tls });
      assert.equal(diagnosis.cause, cause);
      const { facts, error } = at(diagnosis, 'connection');
      assert.deepEqual([facts.verdict, error?.code], [verdict, verdict]);
      assert.ok(facts.issuer);
      assert.equal(server.requests.length, 0);
    });
  }

  it('a rejected key', async () => {
    const { diagnosis } = await diagnoseAt((exchange) => answer(exchange, exchange.index === 0 ? 200 : 401));
    assert.equal(diagnosis.cause, 'key-refused');
    assert.equal(at(diagnosis, 'token').error?.status, 401);
    assert.equal(at(diagnosis, 'clock').state, 'ok');
  });

  it('no key: requests only the health of the service', async () => {
    const { diagnosis, server } = await diagnoseAt(well, { key: '' });
    assert.equal(diagnosis.cause, 'key-missing');
    assert.equal(server.requests.length, 1);
    assert.deepEqual(diagnosis.headers[0], ['Authorization', { is: 'no-key' }]);
  });

  it('a clock ten minutes ahead, and one four minutes ahead', async () => {
    const behind =
      (minutes: number): RawHandler =>
      (exchange) =>
        answer(exchange, 200, { date: new Date(Date.now() - minutes * 60_000).toUTCString() });
    const { diagnosis } = await diagnoseAt(behind(10));
    assert.equal(diagnosis.cause, 'clock');
    const ahead = at(diagnosis, 'clock').facts['clock-ahead'];
    assert.ok(typeof ahead === 'object' && ahead.is === 'seconds' && Math.abs(Number(ahead.count) - 600) < 5);
    assert.equal((await diagnoseAt(behind(4))).diagnosis.cause, 'none');
  });

  it('a sign-in page, and a failing service', async () => {
    const page: RawHandler = (exchange) => answer(exchange, 302, { location: 'https://login.example/' });
    assert.equal((await diagnoseAt(page)).diagnosis.cause, 'wrong-address');
    const failing: RawHandler = (exchange) => answer(exchange, 500, { 'x-request-id': 'req-7' });
    const { diagnosis } = await diagnoseAt(failing);
    assert.equal(diagnosis.cause, 'service-error');
    assert.equal(at(diagnosis, 'models').error?.requestId, 'req-7');
  });

  it('a setting that is not allowed', async () => {
    const network = (): never => {
      throw new PolicyError([]);
    };
    const { client, endpoint, server } = await theatre.stage(well, { network });
    const diagnosis = await client.diagnose(endpoint, never);
    assert.deepEqual([diagnosis.cause, diagnosis.steps.length], ['settings', allSteps.length]);
    assert.equal(server.requests.length, 0);
  });

  it('stops immediately on cancel', async () => {
    const controller = new AbortController();
    const { client, endpoint } = await theatre.stage(() => controller.abort());
    await assert.rejects(
      client.diagnose(endpoint, controller.signal),
      (error) => isServiceError(error) && error.kind === 'aborted',
    );
  });

  it('removes the key that a service echoes, the home folder and line breaks', async () => {
    const home = process.env.HOME;
    process.env.HOME = '/home/canary-person';
    try {
      const echo: RawHandler = (exchange) => answer(exchange, 500, { 'x-request-id': `a/${apiKey}` });
      const { diagnosis } = await diagnoseAt(echo);
      assert.equal(at(diagnosis, 'token').error?.requestId, undefined);
      assert.ok(!JSON.stringify(diagnosis).includes(apiKey));
      const tls = createAuthority('evil\n# title').issue({ host: '127.0.0.1', ...today });
      const lost = await diagnoseAt(well, { tls, caFile: '~/no-such.pem', clientCertificate: '' });
      assert.equal(lost.diagnosis.cause, 'certificate-file');
      const named = await diagnoseAt(well, { tls, caFile: '/home/canary-person/no-such.pem' });
      assert.equal(at(named.diagnosis, 'connection').facts.file, '~/no-such.pem');
      const shown = await diagnoseAt(well, { tls });
      assert.deepEqual(at(shown.diagnosis, 'connection').facts.issuer, { is: 'names', names: ['evil # title'] });
      for (const one of [diagnosis, lost.diagnosis, named.diagnosis, shown.diagnosis]) {
        assert.doesNotMatch(JSON.stringify(one), new RegExp(`canary-person|${apiKey}|evil\\\\n`));
      }
    } finally {
      if (home === undefined) delete process.env.HOME;
      else process.env.HOME = home;
    }
  });
});

describe('likely cause', () => {
  const failed = (step: StepName, error: Partial<NonNullable<Step['error']>>): Step => ({
    step,
    state: 'failed',
    durationMs: 1,
    facts: {},
    error: { kind: 'network', code: undefined, status: undefined, requestId: undefined, ...error },
  });

  it('requests outrank probes: a failed probe is not the cause if requests succeed', () => {
    const probe = failed('connection', { kind: 'proxy', code: 'proxy-auth', status: 407 });
    assert.equal(likelyCause([failed('names', { code: 'ENOTFOUND' }), probe]), 'none');
  });

  it('a wrong clock is not the cause if the key is rejected', () => {
    const steps = [failed('token', { kind: 'auth', status: 401 }), failed('clock', { kind: 'clock' })];
    assert.equal(likelyCause(steps), 'key-refused');
    assert.equal(likelyCause(steps.slice(1)), 'clock');
  });

  for (const [error, cause] of [
    [{ code: 'EAI_AGAIN' }, 'unknown-host'],
    [{ code: 'UND_ERR_CONNECT_TIMEOUT' }, 'timeout'],
    [{ code: 'ECONNRESET' }, 'broken'],
    [{ kind: 'proxy', status: 407 }, 'proxy-auth'],
    [{ kind: 'proxy', code: 'proxy-refused', status: 403 }, 'proxy-refused'],
    [{ kind: 'proxy', code: 'ECONNREFUSED' }, 'proxy-unreachable'],
    [{ kind: 'certificate', code: 'tls-check-off' }, 'tls-check-off'],
    [{ kind: 'certificate', code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' }, 'client-certificate'],
    [{ kind: 'certificate', code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY' }, 'certificate-authority'],
    [{ kind: 'permission', status: 403 }, 'permission'],
    [{ kind: 'rateLimit', status: 429 }, 'rate-limit'],
    [{ kind: 'request', status: 404 }, 'wrong-address'],
    [{ kind: 'request', status: 422 }, 'not-accepted'],
  ] as const) {
    it(`${JSON.stringify(error)}: ${cause}`, () => assert.equal(likelyCause([failed('health', error)]), cause));
  }
});

describe('redaction', () => {
  it('removes keys, home folders and names, and keeps similar text', () => {
    const clean = redactor({ secrets: ['k.y+1', ''], home: 'C:\\Users\\Ann', user: 'Ann' });
    assert.equal(clean('k.y+1 kxy+1'), '<key> kxy+1');
    assert.equal(clean('c:\\users\\ann\\ca.pem'), '~\\ca.pem');
    assert.equal(clean('/mnt/home/bob/ca.pem, D:\\Users\\bob\\x'), '/mnt/home/…/ca.pem, D:\\Users\\…\\x');
    assert.equal(clean('folder Ann, Anna'), 'folder <user>, Anna');
    assert.equal(redactor({ secrets: [], home: '/home/al', user: 'root' })('/home/al/x /root al'), '~/x /root al');
  });

  it('removes the name of the current user', () => {
    const { username } = userInfo();
    const clean = redactor({ secrets: [], home: '', user: username });
    assert.equal(clean(`/home/${username}/ca.pem`), '/home/…/ca.pem');
  });
});
