import assert from 'node:assert/strict';
import { scenarioNames, scenarios } from '../../service/scenarios.ts';
import { startService } from '../../service/service.ts';
import { chat, send } from './send.ts';

describe('local service: choosing a scenario', () => {
  it('uses the queue first, for valid chat requests', async () => {
    const service = await startService({ scenario: 'length' });
    service.enqueue('server-error', 'normal', (response, request) => {
      response.writeHead(204, { 'x-path': request.path });
      response.end();
    });
    assert.equal((await send(service, '/models')).status, 200);
    assert.equal((await chat(service, 'hello', { model: '' })).status, 400);
    const statuses = [await chat(service, 'hello'), await chat(service, 'hello'), await chat(service, 'hello')];
    assert.deepEqual(
      statuses.map(({ status }) => status),
      [500, 200, 204],
    );
    assert.equal(statuses[2]?.headers['x-path'], '/api/v1/chat/completions');
    assert.match((await chat(service, 'hello')).text, /"finish_reason":"length"/);
    service.enqueue('server-error');
    service.clear();
    assert.match((await chat(service, 'hello')).text, /"finish_reason":"stop"/);
    await service.close();
  });

  it('a demo reads !scenario at the start of the last user message', async () => {
    const service = await startService({ demo: true, chunkDelayMs: 0 });
    assert.equal((await chat(service, '!scenario forbidden please')).status, 403);
    assert.deepEqual(
      [
        await chat(service, '!scenario rate-limit\nhello'),
        await chat(service, '!scenario rate-limit\nhello'),
        await chat(service, '!scenario rate-limit\nhello'),
      ].map(({ status }) => status),
      [429, 200, 429],
    );
    assert.equal((await chat(service, 'say !scenario forbidden')).status, 200);
    const unknown = await chat(service, '!scenario nonsense');
    assert.ok(scenarioNames.every((name) => unknown.text.includes(`\`${name}\``)));
    await service.close();
  });

  it('outside a demo, treats it as text', async () => {
    const service = await startService();
    assert.equal((await chat(service, '!scenario forbidden')).status, 200);
    await service.close();
  });

  it('describes each scenario in one sentence', () => {
    for (const name of scenarioNames) assert.match(scenarios[name].description, /^[A-Z][^\n]*\.$/, name);
  });
});
