import assert from 'node:assert/strict';
import { demoKey } from '../../service/options.ts';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf, send, streamedText } from './send.ts';

describe('local service: in front of another server', () => {
  let upstream: LocalService;
  let service: LocalService;
  const key = 'svc_ent_upstream';
  const headers = { 'Svc-Security-Level': 'high', 'Svc-Compliance-Frameworks': 'sox', 'X-Own': 'a' };
  beforeEach(async () => {
    upstream = await startService({
      keys: [key],
      models: ['one', 'two'],
      answer: ({ model }) => `from ${model}, fünf`,
    });
    service = await startService({ upstream: { url: `${upstream.baseUrl}/`, key } });
  });
  afterEach(() => Promise.all([service.close(), upstream.close()]));

  it('adds the security object to a JSON answer', async () => {
    const reply = await chat(service, 'hello', { temperature: 0.5 }, { headers });
    assert.match(reply.text, /from one, fünf/);
    assert.equal((reply.json().security as Record<string, unknown>).level, 'high');
    assert.equal('security' in (await chat(service, 'hello')).json(), false);
    assert.match(upstream.chats[0]?.body ?? '', /"temperature":0\.5/);
  });

  it('forwards neither the Svc headers nor the key of the client', async () => {
    await chat(service, 'hello', { stream: true }, { headers });
    for (const request of upstream.received) {
      assert.equal(request.headers.authorization, `Bearer ${key}`);
      assert.ok(!JSON.stringify(request.headers).includes(demoKey));
      assert.ok(Object.keys(request.headers).every((name) => !name.startsWith('svc-') && name !== 'x-own'));
    }
    assert.equal(upstream.chats.length, 1);
  });

  it('forwards a stream, with the security object as the last chunk before [DONE]', async () => {
    const reply = await chat(service, 'hello', { stream: true }, { headers });
    assert.equal(streamedText(reply), 'from one, fünf');
    assert.equal(reply.chunks().at(-1)?.security?.level, 'high');
    assert.ok(reply.text.endsWith('data: [DONE]\n\n'));
    const plain = await chat(service, 'hello', { stream: true });
    assert.ok(plain.chunks().every(({ security }) => security === undefined));
  });

  it('requests its first model, the one given as an option, or the one the client named', async () => {
    assert.match((await chat(service, 'hello', { model: 'two' })).text, /from two/);
    assert.match((await chat(service, 'hello', { model: 'svc/enterprise-coder-v1' })).text, /from one/);
    const mapped = await startService({ upstream: { url: upstream.baseUrl, key, model: 'two' } });
    assert.match((await chat(mapped, 'hello')).text, /from two/);
    await mapped.close();
  });

  it('lists its own models and those of the upstream', async () => {
    const data = (await send(service, '/models')).json().data as readonly { readonly id: string }[];
    assert.deepEqual([data[0]?.id, data.at(-1)?.id], ['svc/auto', 'two']);
  });

  it('checks key, headers and forbidden models before it forwards a request', async () => {
    const wrong = { 'Svc-Security-Level': 'low' };
    assert.equal((await chat(service, 'hello', {}, { headers: { authorization: 'Bearer x' } })).status, 401);
    assert.equal((await chat(service, 'hello', {}, { headers: wrong })).status, 400);
    assert.equal((await chat(service, 'hello', { model: 'svc/restricted' })).status, 403);
    assert.equal(upstream.seenSockets, 0);
  });

  it('answers 502 for a failure of the upstream, and forwards client errors', async () => {
    upstream.enqueue('server-error', 'unauthorized', 'redirect', 'html-instead-of-json', 'cut-mid-stream');
    for (let time = 0; time < 5; time += 1) {
      const reply = await chat(service, 'hello', { model: 'one' });
      assert.deepEqual([reply.status, errorOf(reply).code], [502, 'upstream_failed'], `time ${time}`);
    }
    assert.equal((await chat(service, 'hello', { model: 'three' })).status, 404);
    upstream.enqueue('rate-limit');
    const limited = await chat(service, 'hello', { model: 'one' });
    assert.deepEqual([limited.status, limited.headers['retry-after']], [429, '2']);
    await upstream.close();
    const reply = await chat(service, 'hello');
    assert.equal(reply.status, 502);
    assert.match(String(errorOf(reply).message), /cannot be reached \(ECONNREFUSED\)/);
  });

  it('cuts a stream if the upstream cuts it', async () => {
    upstream.setScenario('cut-mid-stream', { afterDeltas: 2 });
    const reply = await chat(service, 'hello', { model: 'one', stream: true });
    assert.deepEqual([streamedText(reply), reply.ended], ['from one,', 'cut']);
  });

  it('disconnects from the upstream when the client disconnects', async () => {
    upstream.setScenario('stall', { afterDeltas: 1 });
    await chat(service, 'hello', { model: 'one', stream: true }, { leaveAt: '"from"' });
    assert.equal(await upstream.chats[0]?.ended, 'cut');
    await upstream.waitForNoSockets();
  });

  it('still plays scenarios itself', async () => {
    service.setScenario('length');
    assert.match((await chat(service, 'hello')).text, /"finish_reason":"length"/);
    assert.equal(upstream.seenSockets, 0);
  });
});
