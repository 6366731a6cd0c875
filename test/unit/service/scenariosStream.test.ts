import assert from 'node:assert/strict';
import type { ScenarioName } from '../../service/scenarios.ts';
import { type LocalService, startService } from '../../service/service.ts';
import { chat, errorOf, streamedText } from './send.ts';

describe('local service: scenarios in an answer', () => {
  let service: LocalService;
  const text = 'a b c d e f g h';
  beforeEach(async () => {
    service = await startService({ answer: () => text, slowDelayMs: 1 });
  });
  afterEach(() => service.close());

  const broken: readonly (readonly [ScenarioName, 'whole' | 'cut'])[] = [
    ['cut-mid-stream', 'cut'],
    ['end-without-done', 'whole'],
  ];
  for (const [name, ended] of broken) {
    it(`${name}: four deltas, no finish_reason, no [DONE], ${ended}`, async () => {
      service.setScenario(name);
      const reply = await chat(service, 'hello', { stream: true });
      assert.equal(reply.ended, ended);
      assert.equal(streamedText(reply), 'a b c d');
      assert.ok(reply.chunks().every(({ choices }) => choices[0]?.finish_reason === null));
      assert.doesNotMatch(reply.text, /\[DONE\]/);
    });

    it(`${name}: half a body if no stream was requested`, async () => {
      service.setScenario(name);
      const reply = await chat(service, 'hello');
      assert.equal(reply.ended, ended);
      assert.throws(() => reply.json(), SyntaxError);
    });
  }

  it('afterDeltas sets how much is sent before the fault, but never everything', async () => {
    service.setScenario('cut-mid-stream', { afterDeltas: 2 });
    assert.equal(streamedText(await chat(service, 'hello', { stream: true })), 'a b');
    service.setScenario('cut-mid-stream', { afterDeltas: 100 });
    assert.equal(streamedText(await chat(service, 'hello', { stream: true })), 'a b c d e f g');
  });

  for (const stream of [true, false]) {
    it(`stall: a part, then nothing, and close() does not wait (stream: ${stream})`, async () => {
      service.setScenario('stall');
      const reply = chat(service, 'hello', { stream });
      const request = await service.waitFor(() => true);
      await service.close();
      assert.equal(await request.ended, 'cut');
      assert.equal(
        await reply.then(
          ({ ended }) => ended,
          () => 'cut',
        ),
        'cut',
      );
    });
  }

  it('stall: sends the deltas, and a client that disconnects frees the socket', async () => {
    service.setScenario('stall');
    const reply = await chat(service, 'hello', { stream: true }, { leaveAt: '" d"' });
    assert.equal(streamedText(reply), 'a b c d');
    await service.waitForNoSockets();
  });

  it('no-done: the whole text and finish_reason, the socket left open', async () => {
    service.setScenario('no-done');
    const reply = await chat(service, 'hello', { stream: true }, { leaveAt: '"finish_reason":"stop"' });
    assert.equal(streamedText(reply), text);
    assert.doesNotMatch(reply.text, /\[DONE\]/);
    await service.waitForNoSockets();
  });

  it('malformed-sse: an event with invalid JSON', async () => {
    service.setScenario('malformed-sse');
    const reply = await chat(service, 'hello', { stream: true });
    assert.throws(() => reply.chunks(), SyntaxError);
    assert.match(reply.text, /" d"/);
    assert.ok(reply.text.endsWith('data: [DONE]\n\n'));
  });

  it('error-in-stream: an error object in the middle', async () => {
    service.setScenario('error-in-stream');
    const reply = await chat(service, 'hello', { stream: true });
    const last = reply.chunks().at(-1) as unknown as { readonly error: { readonly code: string } };
    assert.equal(last.error.code, 'stream_error');
    assert.match(reply.text, /" d"/);
    const whole = await chat(service, 'hello');
    assert.deepEqual([whole.status, errorOf(whole).code], [200, 'stream_error']);
  });

  it('json-instead-of-stream: one whole completion', async () => {
    service.setScenario('json-instead-of-stream');
    const reply = await chat(service, 'hello', { stream: true });
    assert.match(String(reply.headers['content-type']), /^application\/json/);
    assert.equal(reply.json().object, 'chat.completion');
  });

  it('slow: the same answer, one pause per step', async () => {
    service.setScenario('slow');
    assert.equal(streamedText(await chat(service, 'hello', { stream: true })), text);
  });

  it('refuse-content: no text, a refusal, content_filter', async () => {
    service.setScenario('refuse-content');
    const reply = await chat(service, 'hello', { stream: true });
    assert.equal(streamedText(reply), '');
    assert.ok(reply.chunks().some(({ choices }) => choices[0]?.delta.refusal !== undefined));
    assert.equal(reply.chunks().at(-1)?.choices[0]?.finish_reason, 'content_filter');
    const [choice] = (await chat(service, 'hello')).json().choices as readonly { message: { content: unknown } }[];
    assert.equal(choice?.message.content, null);
  });

  it('length: half of the text, finish_reason length', async () => {
    service.setScenario('length');
    const reply = await chat(service, 'hello', { stream: true });
    assert.equal(streamedText(reply), 'a b c d');
    assert.equal(reply.chunks().at(-1)?.choices[0]?.finish_reason, 'length');
  });

  it('security-contradiction: a lower level than requested', async () => {
    service.setScenario('security-contradiction');
    for (const [asked, said] of [
      ['maximum', 'standard'],
      ['high', 'standard'],
      ['standard', 'none'],
    ] as const) {
      const reply = await chat(service, 'hello', {}, { headers: { 'Svc-Security-Level': asked } });
      assert.equal((reply.json().security as Record<string, unknown>).level, said);
    }
  });

  it('thinking: before the answer, and only with this scenario', async () => {
    const thoughts = async (): Promise<string> => {
      const reply = await chat(service, 'hello', { stream: true });
      return reply
        .chunks()
        .map((each) => each.choices[0]?.delta.reasoning_content ?? '')
        .join('');
    };
    service.setScenario('thinking');
    assert.match(await thoughts(), /^The question is about code\./);
    assert.match((await chat(service, 'hello')).text, /"reasoning_content":"The question .* can answer\."/);
    service.setScenario('thinking', { thinkingBytes: 20_001 });
    assert.equal((await thoughts()).length, 20_001);
    service.setScenario('normal');
    assert.equal(await thoughts(), '');
  });

  it('big: exactly the requested size', async () => {
    service.setScenario('big', { bigBytes: 20_001 });
    const streamed = streamedText(await chat(service, 'hello', { stream: true }));
    assert.equal(streamed.length, 20_001);
    assert.match(streamed, /^00000001 big answer .*\n00000002 /);
    const lines = streamed.split('\n');
    assert.ok(lines.slice(0, -1).every((line, index) => line.length === 63 && Number(line.slice(0, 8)) === index + 1));
  });

  it('normal: every name in the table is known', async () => {
    service.setScenario('normal');
    assert.equal(streamedText(await chat(service, 'hello', { stream: true })), text);
  });
});
