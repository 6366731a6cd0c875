import assert from 'node:assert/strict';
import { compliance, frameworks, regions } from '../../src/policy/compliance/compliance.ts';
import { chunked, done, finish, lastChunk, type RawRequest, sseHead, whole } from '../tools/rawServer.ts';
import { policyOf, type Stage, Theatre } from '../unit/client/harness.ts';
import { type Judge, startJudge } from './prism.ts';

const signal = new AbortController().signal;

/** All subsets: the layers can result in any of them. */
const frameworkSets = Array.from({ length: 2 ** frameworks.length }, (_, bits) =>
  frameworks.filter((__, index) => (bits & (1 << index)) !== 0),
);

describe('every request that the extension can make, validated by Prism against the OpenAPI file', () => {
  const theatre = new Theatre();
  let judge: Judge;
  let stage: Stage;

  before(async () => {
    judge = await startJudge();
    stage = await theatre.stage(({ request: { path, body }, send, end }) => {
      if (path.endsWith('/models')) end(whole(200, '{"data":[]}'));
      else if (!path.endsWith('/completions')) end(whole(200, '{}'));
      else if (body.includes('"stream":true')) void send(sseHead + chunked(finish() + done) + lastChunk);
      else end(whole(200, '{"choices":[{"message":{"content":"x"}}]}'));
    });
  });
  after(async () => {
    await theatre.tearDown();
    await judge.close();
  });

  /** The only request that this makes, as raw bytes. */
  async function sentBy(act: () => Promise<unknown>): Promise<RawRequest> {
    const before = stage.server.requests.length;
    await act();
    const sent = stage.server.requests[before];
    assert.ok(sent !== undefined);
    assert.ok(sent.path.startsWith('/api/v1/'));
    return sent;
  }

  async function assertValid(act: () => Promise<unknown>): Promise<void> {
    const sent = await sentBy(act);
    assert.deepEqual(await judge.judge(sent), { status: 200, violations: '' }, `${sent.path} ${sent.body}`);
  }

  it('health, token and models', async () => {
    await assertValid(() => stage.client.health(stage.endpoint, signal));
    await assertValid(() => stage.client.validateToken(stage.endpoint, signal));
    await assertValid(() => stage.client.listModels(stage.endpoint, signal));
  });

  for (const stream of [true, false]) {
    it(`chat with stream ${stream}: each max_tokens with each temperature`, async () => {
      for (const maxTokens of [null, 1, 4096]) {
        for (const temperature of [null, 0, 0.7, 2]) {
          await assertValid(() => stage.chat({ request: { stream, maxTokens, temperature } }));
        }
      }
    });

    it(`chat with stream ${stream}: a conversation of all roles`, async () => {
      const messages = (['system', 'user', 'assistant', 'user'] as const).map((role) => ({
        role,
        content: 'Grüße 👋',
      }));
      await assertValid(() => stage.chat({ request: { stream, messages } }));
    });
  }

  it('chat with each value of each header, in all combinations of four headers', async () => {
    for (const securityLevel of [null, ...compliance.securityLevel.values]) {
      for (const dataResidency of [null, ...regions]) {
        for (const audit of [null, true, false]) {
          for (const zeroRetention of [null, true, false]) {
            await assertValid(() => chatWith({ securityLevel, dataResidency, audit, zeroRetention }));
          }
        }
      }
    }
  });

  it('chat with each set of frameworks', async () => {
    for (const set of frameworkSets) await assertValid(() => chatWith({ securityLevel: 'maximum', frameworks: set }));
  });

  function chatWith(values: Readonly<Record<string, unknown>>): Promise<unknown> {
    const keyed = Object.entries(values).map(([name, value]) => [`svc.compliance.${name}`, value]);
    return stage.chat({ request: { stream: false }, policy: policyOf(Object.fromEntries(keyed)) });
  }

  it('the validator works: it finds the errors in corrupted requests', async () => {
    const good = await sentBy(() => chatWith({ securityLevel: 'high', frameworks: ['hipaa', 'sox'] }));
    assert.equal(good.headers['svc-security-level'], 'high');
    assert.equal(good.headers['svc-compliance-frameworks'], 'hipaa,sox');
    const { authorization: _, ...anonymous } = good.headers;
    const { 'content-length': __, ...headers } = good.headers;
    const spoilt: readonly (readonly [number, RawRequest])[] = [
      [401, { ...good, headers: anonymous }],
      [422, { ...good, headers: { ...good.headers, 'svc-security-level': 'extreme' } }],
      [422, { ...good, headers: { ...good.headers, 'svc-compliance-frameworks': 'hipaa,iso' } }],
      [422, { ...good, headers, body: '{"model":"svc/auto","messages":[]}' }],
      [422, { ...good, headers, body: good.body.replace('"model"', '"max_tokens":0,"model"') }],
      [404, { ...good, path: '/api/v1/completions' }],
    ];
    for (const [status, request] of spoilt) assert.equal((await judge.judge(request)).status, status, request.body);
  });
});
