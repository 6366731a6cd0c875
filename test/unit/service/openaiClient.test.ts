import assert from 'node:assert/strict';
import OpenAI, { AuthenticationError, PermissionDeniedError, RateLimitError } from 'openai';
import { demoKey, demoModels } from '../../service/options.ts';
import { type LocalService, startService } from '../../service/service.ts';

describe('local service: the official OpenAI client', () => {
  let service: LocalService;
  let client: OpenAI;
  const messages = [{ role: 'user' as const, content: 'Write a function isPrime in Python' }];
  before(async () => {
    service = await startService();
    client = new OpenAI({ baseURL: service.baseUrl, apiKey: demoKey, maxRetries: 0 });
  });
  after(() => service.close());
  afterEach(() => service.clear());

  it('lists models', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) ids.push(model.id);
    assert.deepEqual(ids, demoModels);
  });

  it('chats', async () => {
    const answer = await client.chat.completions.create({ model: 'svc/auto', messages });
    assert.match(answer.choices[0]?.message.content ?? '', /def is_prime\(n\):/);
    assert.equal(answer._request_id, service.chats[0]?.requestId);
  });

  it('streams the same text, with usage', async () => {
    const whole = await client.chat.completions.create({ model: 'svc/auto', messages });
    const stream = await client.chat.completions.create({
      model: 'svc/auto',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let total = 0;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      total = chunk.usage?.total_tokens ?? total;
    }
    assert.equal(text, whole.choices[0]?.message.content);
    assert.equal(total, whole.usage?.total_tokens);
  });

  it('distinguishes the errors', async () => {
    const stranger = new OpenAI({ baseURL: service.baseUrl, apiKey: 'svc_ent_unknown', maxRetries: 0 });
    await assert.rejects(async () => await stranger.models.list(), AuthenticationError);
    await assert.rejects(
      async () => await client.chat.completions.create({ model: 'svc/restricted', messages }),
      PermissionDeniedError,
    );
    service.setScenario('rate-limit');
    await assert.rejects(
      async () => await client.chat.completions.create({ model: 'svc/auto', messages }),
      RateLimitError,
    );
  });
});
