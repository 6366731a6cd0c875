import assert from 'node:assert/strict';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf } from './send.ts';

describe('local service: request body', () => {
  let service: LocalService;
  before(async () => {
    service = await startService({ maxBodyBytes: 100_000 });
  });
  after(() => service.close());

  const wrong: readonly (readonly [field: string, body: Readonly<Record<string, unknown>>])[] = [
    ['model', { model: undefined }],
    ['model', { model: '' }],
    ['model', { model: 5 }],
    ['messages', { messages: undefined }],
    ['messages', { messages: [] }],
    ['messages', { messages: 'hello' }],
    ['messages[1]', { messages: [{ role: 'user', content: 'a' }, 'b'] }],
    ['messages[0].role', { messages: [{ content: 'a' }] }],
    ['messages[0].role', { messages: [{ role: 'wizard', content: 'a' }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: null }] }],
    ['messages[0].content', { messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] }],
    ['max_tokens', { max_tokens: 0 }],
    ['max_tokens', { max_tokens: 1.5 }],
    ['max_tokens', { max_tokens: '10' }],
    ['temperature', { temperature: 'warm' }],
    ['stream', { stream: 'yes' }],
  ];
  for (const [field, body] of wrong) {
    it(`2.1 answers 400 and names ${field} for ${JSON.stringify(body)}`, async () => {
      const reply = await chat(service, 'hello', body);
      assert.equal(reply.status, 400);
      assert.equal(errorOf(reply).param, field);
      assert.match(String(errorOf(reply).message), /expected/);
    });
  }

  it('2.1 answers 400 for a body that is not JSON, or not an object', async () => {
    for (const body of ['', '{"model":', '[]', 'null', '"text"']) {
      const reply = await chat(service, '', {}, { body });
      assert.equal(reply.status, 400, body);
      assert.equal(errorOf(reply).param, 'body');
    }
  });

  it('2.1 ignores unknown fields, and treats null as absent', async () => {
    const reply = await chat(service, 'hello', {
      top_p: 1,
      tools: [],
      max_tokens: null,
      temperature: null,
      stream: null,
    });
    assert.equal(reply.status, 200);
  });

  it('2.1 applies max_tokens at four characters per token, with finish reason length', async () => {
    const reply = await chat(service, 'hello', { max_tokens: 3 });
    const [choice] = reply.json().choices as readonly { message: { content: string }; finish_reason: string }[];
    assert.ok((choice?.message.content.length ?? 99) <= 12);
    assert.equal(choice?.finish_reason, 'length');
  });

  it('4 answers 415 for a body with a content type other than JSON', async () => {
    const reply = await chat(service, 'hello', {}, { headers: { 'content-type': 'text/plain' } });
    assert.equal(reply.status, 415);
  });

  it('8 answers 413 above the size option, after it received the whole body', async () => {
    assert.equal((await chat(service, 'x'.repeat(90_000))).status, 200);
    const reply = await chat(service, 'x'.repeat(3_000_000));
    assert.equal(reply.status, 413);
    assert.equal(errorOf(reply).code, 'request_too_large');
  });
});
