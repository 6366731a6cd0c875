import assert from 'node:assert/strict';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf, send } from './send.ts';

describe('local service: scenarios instead of an answer', () => {
  let service: LocalService;
  beforeEach(async () => {
    service = await startService();
  });
  afterEach(() => service.close());

  it('7 rate-limit: 429 with Retry-After: 2 once, then normal', async () => {
    service.setScenario('rate-limit');
    const reply = await chat(service, 'hello', { stream: true });
    assert.equal(reply.status, 429);
    assert.equal(reply.headers['retry-after'], '2');
    assert.equal(errorOf(reply).code, 'rate_limit_exceeded');
    assert.equal((await chat(service, 'hello')).status, 200);
  });

  it('7 rate-limit: as often and for as long as the settings specify', async () => {
    service.setScenario('rate-limit', { times: 2, retryAfterSeconds: 0.05 });
    assert.equal((await chat(service, 'hello')).headers['retry-after'], '0.05');
    assert.deepEqual([(await chat(service, 'hello')).status, (await chat(service, 'hello')).status], [429, 200]);
  });

  it('7 rate-limit-date: a date exactly 2 s after Date', async () => {
    service.setScenario('rate-limit-date');
    const { status, headers } = await chat(service, 'hello');
    assert.equal(status, 429);
    assert.equal(Date.parse(String(headers['retry-after'])) - Date.parse(String(headers.date)), 2000);
    assert.equal((await chat(service, 'hello')).status, 200);
  });

  it('7 rate-limit-long: Retry-After: 90 every time', async () => {
    service.setScenario('rate-limit-long');
    for (let time = 0; time < 2; time += 1) assert.equal((await chat(service, 'hello')).headers['retry-after'], '90');
  });

  it('answers 429 to one request more than its number of simultaneous requests, until one of them has ended', async () => {
    const crowded = await startService({ maxAtOnce: 1 });
    try {
      const held = crowded.holdChunks();
      const first = chat(crowded, 'hello');
      await crowded.waitFor(() => crowded.chats.length === 1);
      const second = await chat(crowded, 'hello');
      assert.deepEqual([second.status, second.headers['retry-after']], [429, '1']);
      held.release();
      assert.equal((await first).status, 200);
      assert.equal((await chat(crowded, 'hello')).status, 200);
    } finally {
      await crowded.close();
    }
  });

  const refused: readonly (readonly [
    'quota' | 'server-error' | 'unauthorized' | 'forbidden' | 'too-large',
    number,
    string,
  ])[] = [
    ['quota', 429, 'insufficient_quota'],
    ['server-error', 500, 'internal_error'],
    ['unauthorized', 401, 'invalid_api_key'],
    ['forbidden', 403, 'model_forbidden'],
    ['too-large', 413, 'request_too_large'],
  ];
  for (const [name, status, code] of refused) {
    it(`7 ${name}: ${status} ${code} every time`, async () => {
      service.setScenario(name);
      for (let time = 0; time < 2; time += 1) {
        const reply = await chat(service, 'hello');
        assert.deepEqual([reply.status, errorOf(reply).code], [status, code]);
      }
    });
  }

  it('no-tools, no-usage, no-extras: 400 for each request with the field, and for no other', async () => {
    const tools = [{ type: 'function', function: { name: 'look', description: 'Looks.', parameters: {} } }];
    const usage = { stream: true, stream_options: { include_usage: true } };
    const statuses = async (): Promise<readonly number[]> => {
      const found: number[] = [];
      for (const body of [{}, { tools }, usage, { tools, ...usage }]) {
        found.push((await chat(service, 'hello', body)).status);
      }
      return found;
    };
    service.setScenario('no-tools');
    assert.deepEqual(await statuses(), [200, 400, 200, 400]);
    service.setScenario('no-usage');
    assert.deepEqual(await statuses(), [200, 200, 400, 400]);
    service.setScenario('no-extras');
    assert.deepEqual(await statuses(), [200, 400, 400, 400]);
  });

  it('7 server-error-once: 500 once, then normal', async () => {
    service.setScenario('server-error-once');
    assert.deepEqual([(await chat(service, 'hello')).status, (await chat(service, 'hello')).status], [500, 200]);
  });

  it('context-limit: refuses a request with more tokens than the settings allow, in four wordings', async () => {
    for (const [contextWording, status, words] of [
      ['openai', 400, /maximum context length is 1000 tokens/],
      ['anthropic', 400, /prompt is too long: 1250 tokens > 1000 maximum/],
      ['tgi', 422, /must have less than 1000 tokens/],
      ['unnumbered', 413, /exceeds the context window/],
    ] as const) {
      service.setScenario('context-limit', { contextTokens: 1000, contextWording });
      const reply = await chat(service, 'a'.repeat(5000));
      assert.equal(reply.status, status);
      assert.match(reply.text, words);
      assert.equal((await chat(service, 'a'.repeat(4000))).status, 200);
    }
    const tools = [{ type: 'function', function: { name: 'look', description: 'x'.repeat(4000) } }];
    assert.equal((await chat(service, 'hello', { tools })).status, 413, 'the tools count');
    service.setScenario('context-limit');
    assert.equal((await chat(service, 'a'.repeat(131_072))).status, 200);
    assert.equal((await chat(service, 'a'.repeat(131_073))).status, 400);
  });

  it('silent-cut: counts 4,096 tokens of any request', async () => {
    service.setScenario('silent-cut');
    for (const text of ['hello', 'a'.repeat(90_000)]) {
      const { usage } = JSON.parse((await chat(service, text, { stream: false })).text);
      assert.equal(usage.prompt_tokens, 4096);
    }
  });

  it('7 bad-gateway-html: 502 with HTML', async () => {
    service.setScenario('bad-gateway-html');
    const reply = await chat(service, 'hello');
    assert.equal(reply.status, 502);
    assert.match(String(reply.headers['content-type']), /^text\/html/);
    assert.match(reply.text, /<h1>502 Bad Gateway<\/h1>/);
  });

  it('html-instead-of-json: 200 with HTML', async () => {
    service.setScenario('html-instead-of-json');
    const reply = await chat(service, 'hello');
    assert.equal(reply.status, 200);
    assert.match(reply.text, /^<!doctype html>/);
  });

  it('empty: 200 with an empty body', async () => {
    service.setScenario('empty');
    const reply = await chat(service, 'hello', { stream: true });
    assert.deepEqual([reply.status, reply.text, reply.ended], [200, '', 'whole']);
  });

  it('reset: the connection breaks before any header', async () => {
    service.setScenario('reset');
    await assert.rejects(chat(service, 'hello', { stream: true }), { code: 'ECONNRESET' });
    assert.equal(await service.chats[0]?.ended, 'cut');
  });

  it('cut-before-token: headers, then a broken connection', async () => {
    service.setScenario('cut-before-token');
    const reply = await chat(service, 'hello', { stream: true });
    assert.deepEqual([reply.status, reply.ended], [200, 'cut']);
    assert.deepEqual(reply.chunks(), []);
  });

  it('hang: sends no header until the service closes', async () => {
    service.setScenario('hang');
    const reply = chat(service, 'hello');
    await service.waitFor(() => true);
    await Promise.all([service.close(), assert.rejects(reply, { code: 'ECONNRESET' })]);
  });

  it('redirect: 307 to the origin in the settings, otherwise to localhost', async () => {
    service.setScenario('redirect', { redirectTo: 'http://127.0.0.1:9999' });
    const reply = await chat(service, 'hello');
    assert.equal(reply.status, 307);
    assert.equal(reply.headers.location, 'http://127.0.0.1:9999/api/v1/chat/completions');
    service.setScenario('redirect');
    const other = await chat(service, 'hello');
    assert.equal(other.headers.location, `http://localhost:${service.port}/api/v1/chat/completions`);
  });

  it('applies to other endpoints only if the settings name them', async () => {
    service.setScenario('server-error');
    assert.equal((await send(service, '/models')).status, 200);
    service.setScenario('server-error', { endpoints: ['/models', '/health'] });
    assert.equal((await send(service, '/models')).status, 500);
    assert.equal((await send(service, '/health')).status, 500);
    assert.equal((await send(service, '/auth/token')).status, 200);
    assert.equal((await chat(service, 'hello')).status, 200);
  });
});
