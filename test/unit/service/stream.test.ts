import assert from 'node:assert/strict';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, send, streamedText } from './send.ts';

describe('local service: answers', () => {
  let service: LocalService;
  const text = 'One  two\n\nthree **four** – fünf.\n';
  before(async () => {
    service = await startService({ answer: ({ model }) => (model === 'svc/auto' ? text : undefined) });
  });
  after(() => service.close());
  afterEach(() => service.clear());

  it('2.2 answers with a whole completion', async () => {
    const body = (await chat(service, 'hello')).json();
    assert.equal(body.object, 'chat.completion');
    assert.equal(body.model, 'svc/auto');
    assert.deepEqual(body.choices, [
      { index: 0, message: { role: 'assistant', content: text, refusal: null }, finish_reason: 'stop' },
    ]);
    const completionTokens = Math.ceil(text.length / 4);
    assert.deepEqual(body.usage, {
      prompt_tokens: 2,
      completion_tokens: completionTokens,
      total_tokens: completionTokens + 2,
    });
  });

  it('2.2 uses the rules if the answer option returns none', async () => {
    const reply = await chat(service, 'hello', { model: 'svc/compliance-assistant' });
    assert.match(reply.text, /rules of the local service/);
  });

  it('4.4 streams: role first, then the text, the finish reason, [DONE]', async () => {
    const reply = await chat(service, 'hello', { stream: true });
    assert.equal(reply.headers['content-type'], 'text/event-stream; charset=utf-8');
    const chunks = reply.chunks();
    assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '' });
    assert.equal(streamedText(reply), text);
    assert.equal(chunks.at(-1)?.choices[0]?.finish_reason, 'stop');
    assert.ok(chunks.every(({ object, id }) => object === 'chat.completion.chunk' && id === chunks[0]?.id));
    assert.ok(chunks.slice(0, -1).every(({ choices }) => choices[0]?.finish_reason === null));
    assert.ok(reply.text.endsWith('data: [DONE]\n\n'));
    assert.ok(chunks.every((chunk) => chunk.usage === undefined && chunk.security === undefined));
  });

  it('answers at the speed of a model, as a stream and as a whole', async () => {
    const paced = await startService({ firstTokenMs: 60, tokensPerSecond: 100, answer: () => 'word '.repeat(16) });
    try {
      for (const stream of [true, false]) {
        const begun = performance.now();
        const reply = await chat(paced, 'hello', { stream });
        // 20 tokens; timers may be a millisecond early.
        assert.ok(performance.now() - begun >= 258, String(performance.now() - begun));
        assert.equal(reply.ended, 'whole');
      }
    } finally {
      await paced.close();
    }
  });

  it('4.4 ends with a usage chunk if stream_options requests one', async () => {
    const reply = await chat(service, 'hello', { stream: true, stream_options: { include_usage: true } });
    const last = reply.chunks().at(-1);
    assert.deepEqual(last?.choices, []);
    assert.equal(last?.usage?.total_tokens, Math.ceil(text.length / 4) + 2);
  });

  it('2.2 puts the security object only on the last chunk', async () => {
    const headers = { 'Svc-Security-Level': 'high' };
    for (const more of [{ stream: true }, { stream: true, stream_options: { include_usage: true } }]) {
      const chunks = (await chat(service, 'hello', more, { headers })).chunks();
      assert.equal(chunks.at(-1)?.security?.level, 'high');
      assert.ok(chunks.slice(0, -1).every(({ security }) => security === undefined));
    }
  });

  it('steps a stream chunk by chunk, independent of other requests', async () => {
    const held = service.holdChunks();
    held.release(2);
    const partial = await chat(service, 'hello', { stream: true }, { leaveAt: '"  two"' });
    assert.equal(streamedText(partial), 'One  two');
    assert.equal(await service.chats[0]?.ended, 'cut');
    held.release(1);
    const next = chat(service, 'hello', { stream: true });
    await service.waitFor((request) => service.chats.indexOf(request) === 1);
    held.release();
    assert.equal(streamedText(await next), text);
    assert.equal(await service.chats[1]?.ended, 'finished');
  });

  it('holds a whole answer as one step', async () => {
    const held = service.holdChunks();
    const reply = chat(service, 'hello');
    const request = await service.waitFor(({ method }) => method === 'POST');
    // The later request is answered first.
    const first = await Promise.race([request.ended, send(service, '/health').then(() => 'health')]);
    assert.equal(first, 'health');
    held.release(1);
    assert.equal((await reply).status, 200);
  });
});
