import assert from 'node:assert/strict';
import { demoModels } from '../../service/options.ts';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf, send } from './send.ts';

describe('local service: endpoints', () => {
  let service: LocalService;
  before(async () => {
    service = await startService({ keys: ['svc_ent_second'] });
  });
  after(() => service.close());
  afterEach(() => service.clear());

  it('1 puts every endpoint under /api/v1 and answers 404 elsewhere', async () => {
    assert.match(service.baseUrl, /^http:\/\/127\.0\.0\.1:\d+\/api\/v1$/);
    for (const path of ['/nothing', '', '/models/', '/__proto__', '/../models']) {
      const reply = await send(service, path);
      assert.equal(reply.status, 404, path);
      assert.equal(errorOf(reply).code, 'unknown_path');
    }
  });

  it('4 answers 405 with Allow for another method', async () => {
    const reply = await send(service, '/chat/completions');
    assert.equal(reply.status, 405);
    assert.equal(reply.headers.allow, 'POST');
    assert.equal((await send(service, '/models', { method: 'DELETE' })).headers.allow, 'GET');
  });

  it('4 puts an x-request-id on every answer, and no id twice', async () => {
    const replies = [await send(service, '/health'), await send(service, '/nothing'), await chat(service, 'hello')];
    const ids = replies.map((reply) => String(reply.headers['x-request-id']));
    assert.equal(new Set(ids).size, 3);
    assert.ok(ids.every((id) => /^local-\d+$/.test(id)));
  });

  it('4.1 GET /health answers without a key', async () => {
    const reply = await send(service, '/health', { headers: {} });
    assert.equal(reply.status, 200);
    assert.equal(reply.json().status, 'ok');
  });

  it('4.2 GET /auth/token answers 200 for a valid key and does not repeat it', async () => {
    const reply = await send(service, '/auth/token');
    assert.equal(reply.status, 200);
    assert.equal(reply.json().valid, true);
    assert.doesNotMatch(reply.text, /svc_ent_/);
  });

  it('4.3 GET /models lists the models of 2.4', async () => {
    const reply = await send(service, '/models');
    const data = reply.json().data as readonly { readonly id: string }[];
    assert.deepEqual(
      data.map(({ id }) => id),
      demoModels,
    );
    assert.equal(data[0]?.id, 'svc/auto');
  });

  it('5 answers 401 for a key that is missing, malformed or unknown', async () => {
    const wrong: readonly Readonly<Record<string, string>>[] = [
      {},
      { authorization: 'Basic abc' },
      { authorization: 'Bearer ' },
      { authorization: 'Bearer svc_ent_unknown' },
    ];
    for (const path of ['/auth/token', '/models']) {
      for (const headers of wrong) {
        const reply = await send(service, path, { headers });
        assert.equal(reply.status, 401);
        assert.equal(reply.headers['www-authenticate'], 'Bearer');
        assert.equal(errorOf(reply).type, 'authentication_error');
        assert.doesNotMatch(reply.text, /svc_ent_unknown/);
      }
    }
    const posted = await chat(service, 'hello', {}, { headers: { authorization: 'Bearer svc_ent_unknown' } });
    assert.equal(posted.status, 401);
  });

  it('5 accepts further keys given as an option', async () => {
    const reply = await send(service, '/auth/token', { headers: { authorization: 'Bearer svc_ent_second' } });
    assert.equal(reply.status, 200);
  });

  it('5 answers 403 for a model that the key may not use', async () => {
    const reply = await chat(service, 'hello', { model: 'svc/restricted' });
    assert.equal(reply.status, 403);
    assert.equal(errorOf(reply).code, 'model_forbidden');
  });

  it('2.4 answers 404 model_not_found for a model that is not in the list', async () => {
    const reply = await chat(service, 'hello', { model: 'svc/none' });
    assert.equal(reply.status, 404);
    assert.equal(errorOf(reply).code, 'model_not_found');
  });
});
