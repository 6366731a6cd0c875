import assert from 'node:assert/strict';
import { startService } from '../../service/service.ts';
import { chat, send } from './send.ts';

describe('local service: recorded requests', () => {
  it('records requests as received, before validation', async () => {
    const service = await startService();
    await send(service, '/models?x=1', { headers: { 'X-Own': 'a' } });
    await chat(service, 'hello');
    const [first, second] = service.received;
    assert.deepEqual(
      [first?.method, first?.path, first?.headers['x-own'], first?.body, first?.json],
      ['GET', '/api/v1/models?x=1', 'a', '', undefined],
    );
    assert.deepEqual(second?.json, { model: 'svc/auto', messages: [{ role: 'user', content: 'hello' }] });
    assert.equal(second?.body, JSON.stringify(second?.json));
    assert.deepEqual(service.chats, [second]);
    service.clear();
    assert.equal(service.received.length, 0);
    await service.close();
  });

  it('joins repeated headers, so that a duplicated Svc header is an invalid value', async () => {
    const service = await startService();
    const response = await fetch(`${service.baseUrl}/health`, {
      headers: [
        ['Svc-Security-Level', 'high'],
        ['Svc-Security-Level', 'standard'],
      ],
    });
    assert.equal(response.status, 200);
    assert.equal(service.received[0]?.headers['svc-security-level'], 'high, standard');
    await service.close();
  });

  it('waits for a past or future request, and rejects when it closes', async () => {
    const service = await startService();
    const coming = service.waitFor(({ path }) => path.endsWith('/health'));
    await send(service, '/health');
    assert.equal((await coming).method, 'GET');
    assert.equal(await service.waitFor(({ path }) => path.endsWith('/health')), await coming);
    const never = service.waitFor(() => false);
    await service.close();
    await assert.rejects(never, /closed/);
  });

  it('counts connections', async () => {
    const service = await startService();
    assert.equal(service.seenSockets, 0);
    service.setScenario('hang');
    const broken = assert.rejects(chat(service, 'hello'), { code: 'ECONNRESET' });
    await service.waitFor(() => true);
    assert.equal(service.openSockets, 1);
    await service.close();
    await broken;
    await service.waitForNoSockets();
    assert.deepEqual([service.openSockets, service.seenSockets], [0, 1]);
  });

  it('binds to loopback only, and reports a port in use', async () => {
    for (const host of ['0.0.0.0', '::', '192.168.1.1', 'example.com'])
      await assert.rejects(startService({ host }), /loopback only/);
    const service = await startService();
    await assert.rejects(startService({ port: service.port }), /EADDRINUSE/);
    await service.close();
  });
});
