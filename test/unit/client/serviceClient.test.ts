import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { whole } from '../../tools/rawServer.ts';
import { apiKey, Theatre } from './harness.ts';

describe('ServiceClient', () => {
  const theatre = new Theatre();
  const { signal } = new AbortController();
  afterEach(() => theatre.tearDown());

  const answering = (status: number, body: string, headers = {}) =>
    theatre.stage(({ send }) => send(whole(status, body, headers)));

  it('opens no socket before the first request', async () => {
    const { server } = await answering(200, '');
    assert.equal(server.openSockets(), 0);
  });

  it('4.1 health: status and duration, with any body, and without the header if there is no key', async () => {
    const { client, server, endpoint } = await answering(200, 'fine');
    const result = await client.health({ baseUrl: endpoint.baseUrl }, signal);
    assert.equal(result.status, 200);
    assert.ok(result.durationMs >= 0);
    const [sent] = server.requests;
    assert.deepEqual([sent?.method, sent?.path, sent?.body], ['GET', '/api/v1/health', '']);
    assert.equal(sent?.headers.authorization, undefined);
    assert.equal(sent?.headers['user-agent'], 'svc-coder/test');
  });

  it('4.2 validateToken: sends the key and reports the rejection', async () => {
    const good = await answering(200, '{}');
    await good.client.validateToken(good.endpoint, signal);
    assert.equal(good.server.requests[0]?.headers.authorization, `Bearer ${apiKey}`);
    assert.equal(good.server.requests[0]?.path, '/api/v1/auth/token');
    const bad = await answering(401, `{"error":{"message":"Unknown key ${apiKey}"}}`);
    await assert.rejects(bad.client.validateToken(bad.endpoint, signal), {
      kind: 'auth',
      status: 401,
      serviceMessage: 'Unknown key <key>',
    });
  });

  it('logs each request, without content, at the level that VS Code shows by default', async () => {
    const log: string[] = [];
    const none = (): void => {};
    const logger = { info: (line: string) => void log.push(line), debug: none, trace: none, warn: none, error: none };
    const answer = whole(503, '{"error":{"message":"Busy"}}', { 'x-request-id': 'req-1' });
    const { client, endpoint } = await theatre.stage(({ index, send }) => send(index === 0 ? answer : whole(200, '')), {
      logger,
    });
    await client.health(endpoint, signal);
    assert.deepEqual(
      log.map((line) => line.replace(/\d+ ms$/, '0 ms')),
      ['GET /health: 503, request id req-1, 0 ms', 'GET /health: 200, 0 ms'],
    );
  });

  it('retries a check once and leaves no listener', async () => {
    const { client, endpoint, server } = await answering(503, '');
    const before = getEventListeners(signal, 'abort').length;
    await assert.rejects(client.health(endpoint, signal), { kind: 'server', status: 503 });
    assert.equal(server.requests.length, 2);
    assert.equal(getEventListeners(signal, 'abort').length, before);
  });

  it('a check reports a required wait instead of waiting, because no countdown is shown', async () => {
    const { client, endpoint, server } = await answering(429, '', { 'retry-after': '5' });
    await assert.rejects(client.health(endpoint, signal), { kind: 'rateLimit', retryAfterMs: 5000 });
    assert.equal(server.requests.length, 1);
  });

  it('a check has a deadline', async () => {
    const { client, endpoint } = await theatre.stage(() => {}, { limits: { checkMs: 30 } });
    await assert.rejects(client.health(endpoint, signal), { kind: 'timeout', code: 'check' });
  });

  it('a check can be cancelled, and does not follow redirects', async () => {
    const controller = new AbortController();
    const silent = await theatre.stage(() => controller.abort());
    await assert.rejects(silent.client.listModels(silent.endpoint, controller.signal), { kind: 'aborted' });
    const moved = await answering(302, '', { location: 'https://elsewhere.test/health' });
    await assert.rejects(moved.client.health(moved.endpoint, signal), {
      kind: 'protocol',
      code: 'redirect',
      host: 'https://elsewhere.test',
    });
  });

  it('2.3 listModels: unique ids in order, without invalid ones', async () => {
    const data = [
      { id: 'svc/auto', owned_by: 'x' },
      { id: 'b' },
      { id: 'svc/auto' },
      {},
      null,
      { id: 7 },
      { id: 'l'.repeat(201) },
    ];
    const { client, endpoint } = await answering(200, JSON.stringify({ object: 'list', data }));
    assert.deepEqual(await client.listModels(endpoint, signal), [{ id: 'svc/auto' }, { id: 'b' }]);
  });

  it('listModels: a list without an object around it', async () => {
    const { client, endpoint } = await answering(200, JSON.stringify([{ id: 'a' }, { id: 'b', name: 'B' }]));
    assert.deepEqual(await client.listModels(endpoint, signal), [{ id: 'a' }, { id: 'b', name: 'B' }]);
  });

  it('listModels: an error with status 200', async () => {
    for (const body of [{ error: { message: 'No such key', code: 401 } }, { message: 'No such key', status: 401 }]) {
      const { client, endpoint } = await answering(200, JSON.stringify(body));
      await assert.rejects(client.listModels(endpoint, signal), { serviceMessage: 'No such key' });
    }
    const { client, endpoint } = await answering(200, JSON.stringify({ data: [], message: 'No models yet' }));
    assert.deepEqual(await client.listModels(endpoint, signal), []);
  });

  it('listModels: at most 1,000', async () => {
    const data = Array.from({ length: 1500 }, (_, index) => ({ id: `m${index}` }));
    const { client, endpoint } = await answering(200, JSON.stringify({ data }));
    assert.equal((await client.listModels(endpoint, signal)).length, 1000);
  });

  it('listModels: a web page is a protocol error', async () => {
    const { client, endpoint } = await answering(200, '<html></html>');
    await assert.rejects(client.listModels(endpoint, signal), { kind: 'protocol', code: 'html' });
    const other = await answering(200, 'OK');
    await assert.rejects(other.client.listModels(other.endpoint, signal), { kind: 'protocol', code: 'malformed' });
  });

  it('a web page, or an error with status 200, is neither health nor a valid key', async () => {
    for (const [body, expected] of [
      ['<!DOCTYPE html><title>Sign in</title>', { kind: 'protocol', code: 'html' }],
      ['\r\n<html>', { kind: 'protocol', code: 'html' }],
      ['{"error":{"message":"Unknown key","code":401}}', { kind: 'auth', serviceMessage: 'Unknown key' }],
      ['{"error":"Out of order"}', { kind: 'server', serviceMessage: 'Out of order' }],
    ] as const) {
      const { client, endpoint, server } = await answering(200, body);
      await assert.rejects(client.validateToken(endpoint, signal), expected);
      await assert.rejects(client.health(endpoint, signal), expected);
      assert.equal(server.requests.length, 2);
    }
    for (const body of ['', 'OK', '{"status":"ok","message":"All is well","error":null}', '{"error":{}}', '[]']) {
      const { client, endpoint } = await answering(200, body);
      await client.validateToken(endpoint, signal);
      await client.health(endpoint, signal);
    }
  });
});
