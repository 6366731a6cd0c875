import assert from 'node:assert/strict';
import { createServiceClient } from '../../../../src/client/serviceClient.ts';
import { withCleanEnd } from '../../../../src/send/cleanEnd.ts';
import { createDispatch } from '../../../../src/send/dispatch.ts';
import type { Outgoing } from '../../../../src/send/outgoing.ts';
import type { DispatchEvent } from '../../../../src/send/withAuditOutcome.ts';
import { hasWrittenCall } from '../../../../src/session/tools/writtenCall.ts';
import { isServiceError } from '../../../../src/util/errors.ts';
import { demoKey } from '../../../service/options.ts';
import type { ScenarioName } from '../../../service/scenarios.ts';
import { type LocalService, startService } from '../../../service/service.ts';
import { toolNames } from '../../../tools/toolInventory.ts';
import { asks, nobodyAsked, outgoing, Stage } from '../dispatchStage.ts';

const plain: Outgoing = { ...outgoing(asks('Hello')), maxTokens: 4096, temperature: 0 };
const offering: Outgoing = {
  ...plain,
  offer: { tools: toolNames.map((name) => ({ name, description: 'Reads.' })), choice: 'auto' },
  withoutTools: () => plain,
};

describe('dispatch and the local service', () => {
  let service: LocalService;
  let stage: Stage;
  let client: ReturnType<typeof createServiceClient>;
  let dispatch: ReturnType<typeof createDispatch>;

  beforeEach(async () => {
    service = await startService();
    stage = new Stage();
    stage.settings['svc.baseUrl'] = service.baseUrl;
    stage.key = demoKey;
    client = createServiceClient({ logger: stage.parts.logger, userAgent: 'svc-coder/test' });
    dispatch = createDispatch({ ...stage.parts, chatClient: async () => client });
  });
  afterEach(async () => {
    await client.dispose();
    await service.close();
  });

  async function send(request: Outgoing = offering): Promise<readonly DispatchEvent[]> {
    const { events } = await dispatch.send(request, nobodyAsked, new AbortController().signal);
    const all: DispatchEvent[] = [];
    for await (const batch of withCleanEnd(events)) all.push(...batch);
    return all;
  }

  const intents = (): number => stage.audited.splice(0).filter(({ kind }) => kind === 'request-intent').length;
  const textIn = (events: readonly DispatchEvent[]): string =>
    events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('');
  const finishIn = (events: readonly DispatchEvent[]) =>
    events.map((event) => (event.type === 'finish' ? event.finishReason : '')).join('');
  const formIn = (events: readonly DispatchEvent[]) => events.find((event) => event.type === 'in-form');

  const forms: readonly (readonly [
    ScenarioName,
    requests: number,
    tools: readonly string[],
    changed: readonly string[],
  ])[] = [
    ['bad-tool', 2, ['list_files'], []],
    ['few-tools', 2, toolNames.slice(4), []],
    ['no-max-tokens', 2, [], ['max-tokens-renamed']],
    ['no-temperature', 2, [], ['temperature']],
    ['no-usage', 2, [], ['usage']],
  ];
  for (const [scenario, requests, tools, changed] of forms) {
    it(`${scenario}: costs one thing, once`, async () => {
      service.setScenario(scenario);
      const first = await send();
      assert.notEqual(textIn(first), '');
      const { requests: sent, tools: left, changed: made } = formIn(first) ?? {};
      assert.deepEqual([sent, left, made], [requests, tools, changed]);
      assert.equal(intents(), requests, 'each has its record');
      await send();
      assert.equal(intents(), 1);
    });
  }

  it('no-system-role: the rules precede the question', async () => {
    service.setScenario('no-system-role');
    const rules = { role: 'system', parts: ['Answer shortly.'], secrets: 'mask' } as const;
    assert.notEqual(textIn(await send(outgoing(rules, asks('Hello')))), '');
    assert.equal(intents(), 2);
  });

  it('bad-tool-unnamed: all the other tools are offered after some requests', async () => {
    service.setScenario('bad-tool-unnamed');
    for (let times = 0; times < 6; times += 1) {
      assert.notEqual(textIn(await send()), '');
      assert.ok(intents() <= 6);
    }
    assert.deepEqual(formIn(await send())?.tools, ['search_text']);
    assert.equal(intents(), 1);
  });

  it('no-tools: the answer comes without them', async () => {
    service.setScenario('no-tools');
    assert.ok((await send()).some(({ type }) => type === 'without-tools'));
    assert.equal(intents(), 2);
  });

  for (const [scenario, kind, code, status] of [
    ['content-filter', 'request', 'content-filter', 400],
    ['budget', 'request', 'quota', 400],
    ['quota-forbidden', 'request', 'quota', 403],
    ['page-forbidden', 'permission', 'page', 403],
    ['page-unauthorized', 'auth', 'page', 401],
  ] as const) {
    it(`${scenario}: is sent once`, async () => {
      service.setScenario(scenario);
      await assert.rejects(
        send(),
        (error) => isServiceError(error) && error.kind === kind && error.code === code && error.status === status,
      );
      assert.equal(intents(), 1);
    });
  }

  it('no-system-template: a refusal of status 500 costs one request, too', async () => {
    service.setScenario('no-system-template');
    const rules = { role: 'system', parts: ['Answer shortly.'], secrets: 'mask' } as const;
    assert.notEqual(textIn(await send(outgoing(rules, asks('Hello')))), '');
    assert.equal(intents(), 2);
  });

  for (const scenario of [
    ...([
      'early-reason',
      'null-reason',
      'heartbeats',
      'bare-lines',
      'wrong-coding',
      'coding-utf-8',
      'created',
    ] as const),
    'whole-message',
  ] as const) {
    it(`${scenario}: all of the answer, once`, async () => {
      const usual = await send();
      service.setScenario(scenario);
      const events = await send();
      assert.deepEqual([textIn(events), finishIn(events)], [textIn(usual), 'stop']);
      assert.equal(intents(), 2);
    });
  }

  const reads: Outgoing = {
    ...outgoing(asks('Please read the file src/pay.ts')),
    offer: {
      tools: [
        {
          name: 'read_file',
          description: 'Reads a file.',
          schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
        },
      ],
      choice: 'auto',
    },
  };
  for (const scenario of ['normal', 'call-second-choice', 'call-older', 'call-repeated'] as const) {
    it(`${scenario}: the call, once`, async () => {
      service.setScenario(scenario);
      const calls = (await send(reads)).flatMap((event) => (event.type === 'tool-call' ? [event.call] : []));
      assert.deepEqual(
        calls.map(({ name, input }) => [name, input]),
        [['read_file', { path: 'src/pay.ts' }]],
      );
    });
  }

  it('no-message-order: the results are text, and the tools stay', async () => {
    service.setScenario('no-message-order');
    const call = { id: 'c', name: 'read_file', input: { path: 'a.ts' } };
    const messages = [
      asks('Hello'),
      { role: 'assistant', parts: [''], secrets: 'mask', toolCalls: [call] },
      { role: 'tool', parts: ['const a = 1;'], secrets: 'mask', label: 'read_file', toolCallId: 'c' },
    ] as const;
    const events = await send({ ...reads, messages, withoutTools: () => outgoing(...messages) });
    assert.ok(events.some(({ type }) => type === 'without-tools'));
    assert.equal(intents(), 2);
    await send();
    assert.ok(service.chats.at(-1)?.body.includes('"tools"'));
  });

  it('call-as-text: no call, and text that is known as one', async () => {
    service.setScenario('call-as-text');
    const events = await send(reads);
    assert.ok(events.every(({ type }) => type !== 'tool-call'));
    assert.ok(hasWrittenCall(textIn(events)));
  });

  for (const scenario of ['error-object', 'page-mid-stream'] as const) {
    it(`${scenario}: interrupted, with what came`, async () => {
      service.setScenario(scenario);
      const words = scenario === 'error-object' ? 'The scenario says that the model failed.' : undefined;
      await assert.rejects(
        send(),
        (error) =>
          isServiceError(error) &&
          error.kind === 'interrupted' &&
          error.code === 'error-event' &&
          error.serviceMessage === words,
      );
      assert.equal(intents(), 1);
    });
  }

  for (const [scenario, tokens] of [
    ['context-excess', undefined],
    ['context-chinese', 4000],
    ['context-server-error', 4000],
  ] as const) {
    it(`${scenario}: too long for the model, and sent once`, async () => {
      service.setScenario(scenario);
      await assert.rejects(
        send(outgoing(asks('word '.repeat(9000)))),
        (error) =>
          isServiceError(error) &&
          error.code === 'context-length' &&
          error.contextTokens === tokens &&
          !error.isRetryable,
      );
      assert.equal(intents(), 1);
      assert.notEqual(textIn(await send(outgoing(asks('Hello')))), '');
    });
  }

  for (const [scenario, finishReason] of [
    ['normal', 'stop'],
    ['network-error', 'network_error'],
    ['no-reason', 'unknown'],
    ['no-reason-no-done', 'stream_end'],
    ['calls-missing', 'tool_calls_missing'],
    ['length', 'length'],
  ] as const) {
    it(`${scenario}: ends with ${finishReason}`, async () => {
      service.setScenario(scenario);
      const events = await send();
      assert.notEqual(textIn(events), '');
      assert.equal(finishIn(events), finishReason);
    });
  }

  it('cut-mid-stream: neither an interrupted connection nor half an event is an end', async () => {
    service.setScenario('cut-mid-stream');
    await assert.rejects(send(), { kind: 'interrupted' });
    for (const half of [
      'data: {"choices":[{"delta":{"content":"ha',
      'data: {"choices":[{"delta":{"content":"half"}}]',
    ]) {
      service.setScenario('normal');
      service.enqueue((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`data: {"choices":[{"delta":{"content":"text"}}]}\n\n${half}`);
      });
      await assert.rejects(send(), { kind: 'interrupted' }, half);
    }
  });

  it('thinking-only: has no text', async () => {
    service.setScenario('thinking-only');
    const events = await send();
    assert.equal(textIn(events), '');
    assert.ok(events.some(({ type }) => type === 'reasoning-delta'));
  });
});
