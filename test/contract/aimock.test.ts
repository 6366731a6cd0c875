import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { ChatEvent } from '../../src/client/chat.ts';
import { createServiceClient } from '../../src/client/serviceClient.ts';
import { isServiceError, type ServiceError } from '../../src/util/errors.ts';
import { apiKey, wireChat } from '../unit/client/harness.ts';

/** The part of aimock's types that is used. Only this ring installs it, and the type check runs without it. */
interface Aimock {
  readonly url: string;
  start(): Promise<string>;
  stop(): Promise<void>;
  onMessage(pattern: string, response: object, options?: object): void;
}
interface AimockModule {
  readonly LLMock: new (options: object) => Aimock;
}

interface Answer {
  readonly events: readonly ChatEvent[];
  readonly text: string;
  readonly error: ServiceError | undefined;
}

const long = Array.from({ length: 500 }, (_, i) => `Zeile ${i}: Grüße, 世界 👋!`).join('\n');

describe('streams of a third-party server (aimock)', () => {
  let mock: Aimock;
  let client: ReturnType<typeof createServiceClient>;

  before(async () => {
    const entry = createRequire(import.meta.url).resolve('@copilotkit/aimock');
    const { LLMock }: AimockModule = await import(pathToFileURL(entry).href);
    mock = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent' });
    mock.onMessage('hello', { content: 'Hi there, how are you?' });
    mock.onMessage('small pieces', { content: long }, { chunkSize: 3 });
    mock.onMessage('reasoning', { content: 'Forty-two.', reasoning: 'Six by nine.' });
    mock.onMessage('cut', { content: long }, { truncateAfterChunks: 3, latency: 5 });
    mock.onMessage('limit', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429 });
    mock.onMessage('forbidden', { error: { message: 'Not this model', type: 'permission' }, status: 403 });
    await mock.start();
    const silent = (): void => {};
    client = createServiceClient({
      logger: { info: silent, debug: silent, trace: silent, warn: silent, error: silent },
      userAgent: 'svc-coder/test',
      rules: { baseMs: 1, maxMs: 2, jitterMs: 0, longestWaitMs: 0 },
    });
  });
  after(async () => {
    await client.dispose();
    await mock.stop();
  });

  async function ask(content: string, stream = true): Promise<Answer> {
    const events: ChatEvent[] = [];
    let error: ServiceError | undefined;
    const asked = wireChat(`${mock.url}/v1`, { stream, messages: [{ role: 'user', content }] });
    try {
      for await (const batch of client.streamChat(asked, { apiKey }, async () => {}, new AbortController().signal)) {
        events.push(...batch);
      }
    } catch (thrown) {
      if (!isServiceError(thrown)) throw thrown;
      error = thrown;
    }
    const text = events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
    return { events, text, error };
  }

  for (const stream of [true, false]) {
    it(`an answer, stream ${stream}`, async () => {
      const { events, text, error } = await ask('hello', stream);
      assert.equal(error, undefined);
      assert.equal(text, 'Hi there, how are you?');
      assert.deepEqual(
        events.filter(({ type }) => type === 'finish'),
        [{ type: 'finish', finishReason: 'stop' }],
      );
    });
  }

  it('a long answer in pieces that split characters', async () => {
    const { text, error } = await ask('small pieces');
    assert.equal(error, undefined);
    assert.equal(text, long);
  });

  it('reasoning separate from the text', async () => {
    const { events, text } = await ask('reasoning');
    assert.equal(text, 'Forty-two.');
    const thoughts = events.map((event) => (event.type === 'reasoning-delta' ? event.text : ''));
    assert.equal(thoughts.join(''), 'Six by nine.');
  });

  it('a truncated answer keeps what arrived, and is interrupted', async () => {
    const { text, error } = await ask('cut');
    assert.equal(error?.kind, 'interrupted');
    assert.ok(text.length > 0 && long.startsWith(text));
  });

  for (const [word, kind] of [
    ['limit', 'rateLimit'],
    ['forbidden', 'permission'],
  ] as const) {
    it(`an error answer: ${kind}`, async () => {
      const { text, error } = await ask(word);
      assert.equal(error?.kind, kind);
      assert.equal(text, '');
      assert.ok(error?.serviceMessage);
    });
  }

  it('a request without a prepared answer is an error of a known kind', async () => {
    assert.equal((await ask('something else')).error?.kind, 'request');
  });
});
