import assert from 'node:assert/strict';
import { PolicyError } from '../../../src/policy/policyError.ts';
import type { ConfirmationRequest } from '../../../src/send/confirmation.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import type { OutgoingMessage } from '../../../src/send/outgoing.ts';
import { isServiceError, type RequestChange, ServiceError } from '../../../src/util/errors.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { attachment } from './attachment.ts';
import { agreed, answering, asks, nobodyAsked, outgoing, Stage } from './dispatchStage.ts';

function failsWith(kind: string, code: string) {
  return (error: unknown): boolean => isServiceError(error) && error.kind === kind && error.code === code;
}

describe('dispatch: the order of steps', () => {
  it('writes the intent before any byte is sent, and the outcome after', async () => {
    const stage = new Stage();
    stage.settings['svc.compliance.securityLevel'] = 'high';
    const events = await stage.send(outgoing(asks('Hello', attachment())));
    assert.deepEqual(stage.log, ['request-intent', 'sent', 'request-outcome']);
    const intent = stage.entry('request-intent');
    const { request } = intent;
    assert.deepEqual(intent, {
      kind: 'request-intent',
      request,
      action: 'chat',
      origin: 'http://127.0.0.1:1',
      model: 'svc/auto',
      headers: [{ name: 'Svc-Security-Level', value: 'high', setBy: [{ layer: 'user' }] }],
      files: 1,
      bytes: Buffer.byteLength(stage.sent[0]?.request.body ?? assert.fail()),
      maskings: 0,
      unmasked: 0,
      exclusions: 0,
      contentLeftOut: 0,
      recognition: 'complete',
      excludedFiles: 0,
      recognizedFiles: 0,
      previewed: false,
    });
    const { durationMs, ...outcome } = stage.entry('request-outcome');
    assert.ok(Number(durationMs) >= 0);
    assert.deepEqual(outcome, {
      kind: 'request-outcome',
      request,
      outcome: 'complete',
      status: 200,
      requestId: 'r1',
      finishReason: 'stop',
      promptTokens: 1,
      completionTokens: 2,
      totalTokens: 3,
      retries: 0,
      confirmation: 'not-confirmed',
    });
    assert.equal(events.at(-1)?.type, 'receipt');
  });

  it('names in all entries of a request who its key and its address are for, whatever applies when it ends', async () => {
    const stage = new Stage();
    const helpers = {
      helperId: () => 'helper',
      isReady: () => true,
      renew: async () => null,
      identityOf: ({ origin }: { readonly origin: string }, apiKey: string) => `user of ${apiKey} at ${origin}`,
    };
    const dispatch = createDispatch({ ...stage.parts, helpers });
    const send = async (): Promise<void> => {
      const { events } = await dispatch.send(outgoing(asks('Hello')), nobodyAsked, new AbortController().signal);
      for await (const _ of events);
    };
    stage.answer = async function* (admitAgain) {
      yield [{ type: 'text-delta', text: 'Hi' }];
      stage.settings['svc.baseUrl'] = 'http://127.0.0.1:2/api/v1';
      stage.key = 'svc_ent_other';
      await admitAgain(1);
    };
    await assert.rejects(send(), { code: 'changed' });
    stage.isTrusted = false;
    await assert.rejects(send(), { code: 'untrusted' });
    assert.deepEqual(stage.kinds, ['request-intent', 'refused', 'request-outcome', 'refused']);
    const user = 'user of svc_ent_key at http://127.0.0.1:1';
    assert.deepEqual(stage.users, [user, user, user, null]);
    const without = new Stage();
    await without.send(outgoing(asks('Hello')));
    assert.deepEqual(without.users, [undefined, undefined]);
  });

  for (const [when, next] of [
    ['that the helper makes after the service refused it', 'renewed'],
    ['of an attempt after a wait', 'current'],
  ] as const) {
    it(`sends nothing with a key for another user, ${when}`, async () => {
      const stage = new Stage();
      const users: Readonly<Record<string, string>> = { svc_ent_key: 'anna', key_2: 'anna', key_of_bob: 'bob' };
      let [made, used] = ['key_2', ''];
      const helpers = {
        helperId: () => 'helper',
        isReady: () => true,
        renew: async () => made,
        identityOf: (_: unknown, apiKey: string) => users[apiKey],
      };
      const dispatch = createDispatch({ ...stage.parts, helpers });
      stage.answer = async function* () {
        const { renewKey, currentKey } = stage.sent.at(-1)?.key ?? assert.fail();
        if (next === 'current') stage.key = made;
        used = (await (next === 'current' ? currentKey?.() : renewKey?.('svc_ent_key'))) ?? '';
        yield [{ type: 'text-delta', text: 'Hi' }];
      };
      const send = async (): Promise<void> => {
        const { events } = await dispatch.send(outgoing(asks('Hello')), nobodyAsked, new AbortController().signal);
        for await (const _ of events);
      };
      await send();
      assert.equal(used, 'key_2');
      [made, used, stage.key] = ['key_of_bob', '', 'svc_ent_key'];
      await assert.rejects(send(), { code: 'changed', details: { changes: ['key'] } });
      assert.equal(used, '');
      assert.deepEqual(stage.kinds.slice(2), ['request-intent', 'refused', 'request-outcome']);
      assert.ok(stage.users.every((user) => user === 'anna'));
    });
  }

  it('sends with each time limit that the settings have', async () => {
    const stage = new Stage();
    const seconds = { connect: 11, firstToken: 12, betweenBytes: 13, attempts: 14, answer: 15 };
    for (const [name, value] of Object.entries(seconds)) stage.settings[`svc.request.timeout.${name}`] = value;
    await stage.send(outgoing(asks('Hello')));
    assert.deepEqual(stage.sent[0]?.key.limits, {
      connectMs: 11_000,
      firstTokenMs: 12_000,
      betweenBytesMs: 13_000,
      attemptsMs: 14_000,
      answerMs: 15_000,
    });
  });

  it('5 sends nothing if the intent cannot be written and the audit is required', async () => {
    const stage = new Stage();
    stage.auditError = new ServiceError('gate', 'disk', { code: 'audit-unwritable', reason: 'ENOSPC' });
    stage.rules = { ...openPolicy, requireAuditLog: true };
    await assert.rejects(stage.send(outgoing(asks('Hello'))), failsWith('gate', 'audit-unwritable'));
    assert.deepEqual(stage.sent, []);
    stage.rules = openPolicy;
    await stage.send(outgoing(asks('Hello')));
    assert.equal(stage.sent.length, 1);
  });

  it('sends nothing, and records only the refusal, while the audit log has to be delivered first, even when a request is sent again', async () => {
    const stage = new Stage();
    const delivered = {
      ...openPolicy,
      evidence: { otlp: { url: 'https://logs.example.com/v1/logs' }, required: true },
    };
    const error = new ServiceError('gate', 'not delivered', { code: 'not-delivered' });
    stage.deliveryError = error;
    await stage.send(outgoing(asks('Hello')));
    stage.rules = delivered;
    await assert.rejects(stage.send(outgoing(asks('Hello'))), failsWith('gate', 'not-delivered'));
    assert.deepEqual([stage.sent.length, stage.kinds], [1, ['request-intent', 'request-outcome', 'refused']]);
    stage.deliveryError = null;
    stage.answer = async function* (admitAgain) {
      stage.deliveryError = error;
      await admitAgain(1);
      yield [];
    };
    await assert.rejects(stage.send(outgoing(asks('Hello'))), failsWith('gate', 'not-delivered'));
    stage.auditError = new ServiceError('gate', 'disk', { code: 'audit-unwritable' });
    stage.deliveryError = null;
    await assert.rejects(stage.send(outgoing(asks('Hello'))), failsWith('gate', 'audit-unwritable'));
    assert.equal(stage.sent.length, 2);
  });

  it('reserves a request only where the policy limits a day, and then sends nothing without a record', async () => {
    const stage = new Stage();
    await stage.send(outgoing(asks('Hello')));
    assert.ok(!stage.log.some((line) => line.startsWith('reserve')));
    stage.rules = { ...openPolicy, limits: { requestsPerDay: 5, tokensPerDay: 9 } };
    await stage.send(outgoing(asks('Hello')));
    const file = '/etc/svc/policy.json';
    const reserved = `reserve ${JSON.stringify({ requests: 5, tokens: 9, file })}`;
    assert.deepEqual(stage.log.slice(-4), [reserved, 'request-intent', 'sent', 'request-outcome']);
    stage.auditError = new ServiceError('gate', 'disk', { code: 'audit-unwritable' });
    await assert.rejects(stage.send(outgoing(asks('Hello'))), failsWith('gate', 'audit-unwritable'));
    assert.equal(stage.sent.length, 2);
  });

  it('estimates the tokens that the service did not count, only where the policy limits them', async () => {
    const stage = new Stage();
    const estimateOf = async (answer: Stage['answer']): Promise<number | undefined> => {
      stage.answer = answer;
      stage.audited.length = 0;
      await stage.send(outgoing(asks('Hello'))).catch(() => undefined);
      return stage.entry('request-outcome').estimatedTokens;
    };
    const counted = stage.answer;
    const uncounted: Stage['answer'] = async function* () {
      yield [{ type: 'text-delta', text: 'ü'.repeat(1_600) }];
      yield [{ type: 'reasoning-delta', text: 'x'.repeat(3_200) }];
    };
    const broken: Stage['answer'] = async function* () {
      yield [{ type: 'text-delta', text: 'x'.repeat(3_200) }];
      throw new ServiceError('interrupted', 'cut', { code: 'reset' });
    };
    const refused: Stage['answer'] = async function* () {
      yield [];
      throw new ServiceError('auth', 'no', { status: 401 });
    };
    assert.equal(await estimateOf(uncounted), undefined);
    stage.rules = { ...openPolicy, limits: { requestsPerDay: 5 } };
    assert.equal(await estimateOf(uncounted), undefined);
    stage.rules = { ...openPolicy, limits: { tokensPerDay: 5 } };
    assert.equal(await estimateOf(counted), undefined);
    const bytes = Buffer.byteLength(stage.sent.at(-1)?.request.body ?? '');
    assert.equal(await estimateOf(uncounted), Math.ceil((bytes + 6_400) / 3.2));
    assert.equal(await estimateOf(broken), Math.ceil((bytes + 3_200) / 3.2));
    assert.equal(await estimateOf(refused), Math.ceil(bytes / 3.2));
    const zeros: Stage['answer'] = async function* (...about) {
      yield* uncounted(...about);
      yield [{ type: 'usage', usage: { promptTokens: 0, completionTokens: 0, totalTokens: 0 } }];
    };
    assert.equal(await estimateOf(zeros), Math.ceil((bytes + 6_400) / 3.2));
    const failing = (error: ServiceError, before?: ServiceError): Stage['answer'] =>
      async function* () {
        if (before !== undefined) yield [{ type: 'retry-wait', attempt: 1, delayMs: 0, error: before, retryNow() {} }];
        throw error;
      };
    const reset = new ServiceError('network', 'reset', { externalCode: 'ECONNRESET' });
    const offline = new ServiceError('network', 'offline', { externalCode: 'ENOTFOUND' });
    const pinned = new ServiceError('certificate', 'unknown', { externalCode: 'SELF_SIGNED_CERT_IN_CHAIN' });
    assert.equal(await estimateOf(failing(reset)), Math.ceil(bytes / 3.2));
    assert.equal(await estimateOf(failing(offline, reset)), Math.ceil(bytes / 3.2), 'an attempt before has left');
    for (const unsent of [offline, pinned, new ServiceError('proxy', 'sign in', { code: 'proxy-auth', status: 407 })])
      assert.equal(await estimateOf(failing(unsent, offline)), 0);
  });

  it('says before the user has written anything what would be refused, and records only the refusal', async () => {
    const question = outgoing(asks('', attachment()));
    await new Stage().dispatch.check(question);
    const refused = async (code: string, kind: string, change: (stage: Stage) => void): Promise<void> => {
      const stage = new Stage();
      change(stage);
      await assert.rejects(stage.dispatch.check(question), failsWith(kind, code));
      assert.deepEqual([stage.sent, stage.log, stage.wanted], [[], ['refused'], []]);
    };
    await refused('untrusted', 'gate', (stage) => {
      stage.isTrusted = false;
    });
    await refused('no-key', 'auth', (stage) => {
      stage.key = undefined;
    });
    await refused('no-base-url', 'policy', (stage) => {
      stage.settings['svc.baseUrl'] = '';
    });
    await refused('excluded', 'gate', (stage) => stage.excluded.set('a.ts', '.gitignore'));
  });

  it('refuses before it asks: no trust, no key, a file that may not be sent, too large', async () => {
    const refused = async (code: string, kind: string, change: (stage: Stage) => void): Promise<void> => {
      const stage = new Stage();
      stage.rules = { ...openPolicy, requirePreview: true };
      change(stage);
      await assert.rejects(stage.send(outgoing(asks('Hello', attachment()))), failsWith(kind, code));
      assert.deepEqual([stage.sent, stage.kinds], [[], ['refused']]);
    };
    await refused('untrusted', 'gate', (stage) => {
      stage.isTrusted = false;
    });
    await refused('no-key', 'auth', (stage) => {
      stage.key = undefined;
    });
    await refused('excluded', 'gate', (stage) => stage.excluded.set('a.ts', '.gitignore'));
    await refused('too-large', 'gate', (stage) => {
      stage.rules = { ...openPolicy, limits: { requestBytes: 10_000, fileBytes: 0 } };
    });
    await refused('too-large', 'gate', (stage) => {
      stage.rules = { ...openPolicy, limits: { requestBytes: 20, fileBytes: 1000 } };
    });
  });

  it('omits a file of an earlier message that may no longer leave, and counts it', async () => {
    const stage = new Stage();
    stage.excluded.set('a.ts', '.gitignore');
    const earlier: OutgoingMessage = {
      role: 'user',
      parts: ['Look', attachment({ text: 'SECRET' })],
      secrets: agreed,
    };
    await stage.send(outgoing(earlier, { role: 'assistant', parts: ['Yes'], secrets: 'mask' }, asks('And?')));
    assert.equal(stage.sent[0]?.messages[0]?.content, 'Look\n\n[left out: a.ts]');
    const { exclusions, files, unmasked } = stage.entry('request-intent');
    assert.deepEqual([exclusions, files, unmasked], [1, 0, 0]);
  });
});

describe('dispatch: what precedes a question', () => {
  it('is omitted if it may not be sent, does not block, and is checked again', async () => {
    const stage = new Stage();
    const lead = ['These:', attachment({ label: 'AGENTS.md', text: 'Be SECRET.' })];
    const question: OutgoingMessage = { ...asks('Why?'), lead };
    assert.deepEqual((await createDispatch(stage.parts).preview(outgoing(question))).files, [
      { label: 'AGENTS.md', bytes: 10 },
    ]);
    stage.excluded.set('AGENTS.md', '.svcignore');
    await stage.send(outgoing(question));
    assert.equal(stage.sent[0]?.messages[0]?.content, 'These:\n\n[left out: AGENTS.md]\n\nWhy?');
    const { exclusions, files } = stage.entry('request-intent');
    assert.deepEqual([exclusions, files], [1, 0]);
  });

  it('brings the settings of its folder, and is never sent unmasked', async () => {
    const stage = new Stage();
    const lead = [attachment({ label: 'AGENTS.md', text: 'Be SECRET.', folder: 'file:///one' })];
    let folders: readonly string[] = [];
    const { requestContext } = stage.parts;
    const parts: typeof stage.parts = {
      ...stage.parts,
      requestContext: (asked) => {
        folders = asked.folders;
        return requestContext(asked);
      },
    };
    const { masked, unmasked } = await createDispatch(parts).preview(
      outgoing({ role: 'user', lead, parts: ['My SECRET'], secrets: agreed }),
    );
    assert.deepEqual([masked.length, unmasked.length, folders], [1, 1, ['file:///one']]);
  });
});

describe('dispatch: secrets', () => {
  it('secrets in file names are masked in the preview, both of sent and of omitted files', async () => {
    const stage = new Stage();
    stage.excluded.set('SECRET.ts', '.gitignore');
    const earlier: OutgoingMessage = { role: 'user', parts: [attachment({ label: 'SECRET.ts' })], secrets: 'mask' };
    const file = attachment({ label: 'a SECRET' });
    const { files, excluded, request } = await createDispatch(stage.parts).preview(
      outgoing(earlier, asks('And?', file)),
    );
    assert.deepEqual([files, excluded], [[{ label: 'a [masked: word]', bytes: 1 }], ['[masked: word].ts']]);
    assert.ok(!request.body.includes('SECRET'));
  });

  const question = outgoing(asks('The key:\nSECRET', attachment({ firstLine: 10, text: 'a\nSECRET' })));

  it('are masked if the user chooses so, and shown with their places', async () => {
    const stage = new Stage();
    const { confirmSend, seen } = answering('send-masked');
    await stage.send(question, confirmSend);
    assert.deepEqual(seen[0]?.found, [
      { rule: 'word', where: null, line: 2 },
      { rule: 'word', where: 'a.ts', line: 11 },
    ]);
    assert.ok(!JSON.stringify(stage.sent[0]?.request).includes('SECRET'));
    assert.ok(!JSON.stringify(stage.audited).includes('SECRET'));
    const { maskings, unmasked } = stage.entry('request-intent');
    assert.deepEqual([maskings, unmasked], [2, 0]);
  });

  it('are sent if the user chooses so', async () => {
    const stage = new Stage();
    await stage.send(question, answering('send-as-is').confirmSend);
    assert.match(stage.sent[0]?.messages[0]?.content ?? '', /The key:\nSECRET/);
    const { maskings, unmasked } = stage.entry('request-intent');
    assert.deepEqual([maskings, unmasked], [0, 2]);
  });

  it('stay masked if the policy requires it, regardless of any choice', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, forbidUnmaskedSecrets: true };
    const { confirmSend, seen } = answering('send-as-is', 'send-masked');
    const earlier: OutgoingMessage = { role: 'user', parts: ['SECRET'], secrets: agreed };
    await stage.send(outgoing(earlier, ...question.messages), confirmSend);
    assert.equal(seen[0]?.asIs, undefined);
    assert.ok(!JSON.stringify(stage.sent).includes('SECRET'));
  });

  it('secrets of earlier messages and answers are masked without a question, unless they were sent unmasked before', async () => {
    const stage = new Stage();
    await stage.send(
      outgoing(
        { role: 'user', parts: ['one SECRET'], secrets: agreed },
        { role: 'assistant', parts: ['two SECRET'], secrets: 'mask' },
        asks('three'),
      ),
    );
    assert.deepEqual(
      stage.sent[0]?.messages.map(({ content }) => content),
      ['one SECRET', 'two [masked: word]', 'three'],
    );
  });

  it('secrets of earlier messages are masked again if the address or a compliance setting has changed', async () => {
    for (const [name, value] of [
      ['svc.baseUrl', 'http://127.0.0.1:2/api/v1'],
      ['svc.compliance.securityLevel', 'maximum'],
      ['svc.compliance.zeroRetention', true],
    ] as const) {
      const stage = new Stage();
      stage.settings[name] = value;
      const earlier: OutgoingMessage = { role: 'user', parts: ['SECRET'], secrets: agreed };
      await stage.send(outgoing(earlier, asks('And?')));
      assert.ok(!JSON.stringify(stage.sent).includes('SECRET'), name);
      assert.deepEqual([stage.entry('request-intent').maskings, stage.entry('request-intent').unmasked], [1, 0]);
    }
  });

  it('secrets of the new message require a question for each new destination, but not for the destination of the choice', async () => {
    const again = outgoing({ role: 'user', parts: ['SECRET'], secrets: { ...agreed, otherwise: 'ask' } });
    const { signal } = new AbortController();
    const stage = new Stage();
    const same = await stage.dispatch.send(again, nobodyAsked, signal);
    assert.deepEqual([same.secrets, same.destination], ['as-is', agreed.asIsFor]);
    stage.settings['svc.compliance.securityLevel'] = 'high';
    const { confirmSend, seen } = answering('send-masked', 'send-as-is');
    const other = await stage.dispatch.send(again, confirmSend, signal);
    assert.deepEqual([other.secrets, seen[0]?.found.length], ['mask', 1]);
    const third = await stage.dispatch.send(again, confirmSend, signal);
    assert.deepEqual([third.secrets, third.destination], ['as-is', `${agreed.asIsFor}\nSvc-Security-Level: high`]);
    assert.deepEqual(
      stage.sent.map(({ messages }) => messages[0]?.content),
      ['SECRET', '[masked: word]', 'SECRET'],
    );
  });

  it('nothing is sent if the user cancels, and only that is written', async () => {
    const stage = new Stage();
    await assert.rejects(stage.send(question, answering('cancel').confirmSend), failsWith('aborted', 'aborted'));
    assert.deepEqual([stage.sent, stage.kinds], [[], ['refused']]);
  });
});

describe('dispatch: the preview is exactly what is sent', () => {
  it('sends exactly the body and the headers that were shown', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    stage.settings['svc.compliance.frameworks'] = ['gdpr'];
    const { confirmSend, seen } = answering('send-masked');
    const question = outgoing(asks('Hello “you”\u2028', attachment({ text: 'a\r\n\tSECRET' })));
    const before = await stage.dispatch.preview(question);
    await stage.send(question, confirmSend);
    assert.deepEqual(seen[0]?.preview, before);
    assert.deepEqual(stage.sent[0]?.request, before.request);
    assert.equal(stage.sent[0]?.key.apiKey, 'svc_ent_key');
    assert.deepEqual(before.request.headers.at(-1), ['Svc-Compliance-Frameworks', 'gdpr']);
    assert.equal(stage.entry('request-intent').previewed, true);
  });

  it('sends it masked and not recorded as shown if the user agreed to a whole run before', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    await stage.send(outgoing(asks('Hello SECRET')), async () => 'send-as-agreed');
    assert.ok(!JSON.stringify(stage.sent[0]?.request).includes('SECRET'));
    assert.equal(stage.entry('request-intent').previewed, false);
  });

  it('asks again if a setting changed while the user was reading', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    const seen: ConfirmationRequest[] = [];
    await stage.send(outgoing(asks('Hello')), async (request) => {
      seen.push(request);
      stage.settings['svc.compliance.securityLevel'] = 'maximum';
      return 'send-masked';
    });
    assert.deepEqual(
      seen.map(({ preview }) => preview.headers.length),
      [0, 1],
    );
    assert.equal(stage.sent.length, 1);
  });

  it('shows and sends nothing if the workspace loses its trust in the meantime', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    const sending = stage.send(outgoing(asks('Hello')), async () => {
      stage.isTrusted = false;
      return 'send-masked';
    });
    await assert.rejects(sending, failsWith('gate', 'untrusted'));
    assert.deepEqual(stage.sent, []);
  });
});

describe('dispatch: outcomes', () => {
  it('records a failure, a break and a stop as such', async () => {
    for (const [error, outcome, kind] of [
      [new ServiceError('server', 'x', { status: 503, requestId: 'r9' }), 'failed', 'server'],
      [new ServiceError('interrupted', 'x', { code: 'end' }), 'interrupted', 'interrupted'],
      [new ServiceError('aborted', 'x', { code: 'aborted' }), 'stopped', undefined],
      [new TypeError('x'), 'failed', undefined],
    ] as const) {
      const stage = new Stage();
      stage.answer = async function* () {
        yield [{ type: 'text-delta', text: 'Hi' }];
        throw error;
      };
      await assert.rejects(stage.send(outgoing(asks('Hello'))));
      const entry = stage.entry('request-outcome');
      assert.deepEqual([entry.outcome, entry.error], [outcome, kind]);
    }
  });

  it('a reader that ends early is treated as a stop and closes its source', async () => {
    const stage = new Stage();
    let isClosed = false;
    stage.answer = async function* () {
      try {
        yield [{ type: 'text-delta', text: 'Hi' }];
        yield [{ type: 'text-delta', text: 'there' }];
      } finally {
        isClosed = true;
      }
    };
    const { events } = await stage.dispatch.send(outgoing(asks('Hello')), nobodyAsked, new AbortController().signal);
    for await (const _ of events) break;
    assert.equal(stage.entry('request-outcome').outcome, 'stopped');
    assert.ok(isClosed);
  });

  it('records no free text of the service', async () => {
    const stage = new Stage();
    stage.answer = async function* () {
      yield [{ type: 'response', status: 200, requestId: 'your prompt was: Hello' }];
      yield [{ type: 'finish', finishReason: 'Hello, Hello' }];
    };
    await stage.send(outgoing(asks('Hello')));
    assert.ok(!JSON.stringify(stage.audited).includes('Hello'));
  });

  it('records no confirmed receipt if the receipt changes within an answer', async () => {
    const stage = new Stage();
    stage.settings['svc.compliance.securityLevel'] = 'high';
    stage.answer = async function* () {
      yield [{ type: 'security', security: { level: 'high' } }];
      yield [{ type: 'security', security: { level: 'maximum' } }];
    };
    const events = await stage.send(outgoing(asks('Hello')));
    assert.equal(stage.entry('request-outcome').confirmation, 'not-confirmed');
    assert.deepEqual(
      events.map((event) => event.type === 'receipt' && event.receipt.verdict),
      ['confirmed', 'not-confirmed'],
    );
  });

  it('records a receipt that contradicts the request', async () => {
    const stage = new Stage();
    stage.settings['svc.compliance.securityLevel'] = 'maximum';
    stage.answer = async function* () {
      yield [{ type: 'security', security: { level: 'standard' } }];
    };
    const events = await stage.send(outgoing(asks('Hello')));
    assert.equal(stage.entry('request-outcome').confirmation, 'contradicted');
    assert.deepEqual(
      events.map((event) => event.type),
      ['receipt'],
    );
  });
});

describe('dispatch: a conversation that goes to another address', () => {
  const answered: readonly OutgoingMessage[] = [
    { role: 'user', parts: ['Hello'], secrets: 'mask' },
    { role: 'assistant', parts: ['Hi'], secrets: 'mask' },
  ];
  const moved = { ...outgoing(...answered, asks('More')), cameFrom: 'https://other.test' };

  it('is asked about, with the address of its earlier messages', async () => {
    const stage = new Stage();
    const { confirmSend, seen } = answering('send-masked');
    await stage.send(moved, confirmSend);
    assert.deepEqual([seen[0]?.previousOrigin, seen[0]?.found, stage.sent.length], ['https://other.test', [], 1]);
  });

  it('is not sent if the user declines', async () => {
    const stage = new Stage();
    await assert.rejects(stage.send(moved, answering('cancel').confirmSend), failsWith('aborted', 'aborted'));
    assert.deepEqual([stage.sent, stage.kinds], [[], ['refused']]);
  });

  it('is not asked about if the address is unchanged or no earlier message is sent', async () => {
    const stage = new Stage();
    const { origin } = await stage.dispatch.send(outgoing(asks('Hello')), nobodyAsked, new AbortController().signal);
    await stage.send({ ...moved, cameFrom: origin });
    await stage.send({ ...outgoing(asks('Hello')), cameFrom: 'https://other.test' });
    assert.equal(stage.sent.length, 3);
  });
});

describe('dispatch: admission again after a wait', () => {
  const set =
    ({ settings = {}, ...others }: Partial<Pick<Stage, 'settings' | 'rules' | 'key' | 'isTrusted'>>) =>
    (stage: Stage): void => {
      Object.assign(stage, others);
      Object.assign(stage.settings, settings);
    };

  /** Waits, and something changes during the wait. */
  async function afterWait(change: (stage: Stage) => unknown, question = outgoing(asks('Hello', attachment()))) {
    const stage = new Stage();
    stage.answer = async function* (admitAgain) {
      change(stage);
      await admitAgain(1);
      stage.log.push('sent again');
      yield [{ type: 'finish', finishReason: 'stop' }];
    };
    const failure = await stage.send(question, answering('send-as-is').confirmSend).then(
      () => undefined,
      (error: unknown) => (isServiceError(error) ? error : assert.fail(String(error))),
    );
    const { outcome, error, retries } = stage.entry('request-outcome');
    return { failure, wasSentAgain: stage.log.includes('sent again'), outcome, error, retries };
  }

  /** Sends with parts of a stage, and returns the kind of the error. */
  async function kindOf(stage: Stage, parts: Partial<Stage['parts']>): Promise<string | undefined> {
    const { send } = createDispatch({ ...stage.parts, ...parts });
    try {
      const { confirmSend } = answering();
      const { events } = await send(outgoing(asks('Hello', attachment())), confirmSend, new AbortController().signal);
      for await (const _ of events);
      return undefined;
    } catch (error) {
      return isServiceError(error) ? error.kind : assert.fail(String(error));
    }
  }

  it('follows a sign-in for its key, which may take minutes', async () => {
    const stage = new Stage();
    let isReady = true;
    stage.answer = async function* (admitAgain) {
      isReady = false;
      await admitAgain(1);
      stage.log.push('sent again');
      yield [{ type: 'finish', finishReason: 'stop' }];
    };
    const kind = await kindOf(stage, {
      apiKey: async () => {
        if (!isReady) stage.excluded.set('a.ts', '.svcignore');
        return stage.key;
      },
      helpers: {
        helperId: () => 'helper',
        isReady: () => isReady,
        identityOf: () => undefined,
        renew: async () => null,
      },
    });
    assert.deepEqual([kind, stage.log.includes('sent again')], ['gate', false]);
  });

  it('follows the wait for other windows that count the requests of the day', async () => {
    const stage = new Stage();
    stage.rules = { ...stage.rules, limits: { requestsPerDay: 5 } };
    const kind = await kindOf(stage, {
      reserve: async (...about) => {
        stage.excluded.set('a.ts', '.svcignore');
        return stage.parts.reserve(...about);
      },
    });
    assert.deepEqual([kind, stage.sent.length, stage.kinds.includes('request-intent')], ['gate', 0, false]);
  });

  it('asks for no network if only the size of a request is measured', async () => {
    const stage = new Stage();
    let asked: (boolean | undefined)[] = [];
    const { requestContext } = stage.parts;
    const dispatch = createDispatch({
      ...stage.parts,
      requestContext: (given, isRequested) => {
        asked.push(isRequested);
        return requestContext(given, isRequested);
      },
    });
    await dispatch.measure(outgoing(asks('Hello')));
    assert.ok(asked.length > 0 && asked.every((each) => each === false));
    asked = [];
    await dispatch.preview(outgoing(asks('Hello')));
    assert.ok(asked.length > 0 && asked.every((each) => each === true));
  });

  it('is sent again if nothing changed that it depends on', async () => {
    for (const change of [
      () => {},
      (stage: Stage) => {
        stage.rules = { ...openPolicy, disabledFeatures: ['review'] };
      },
    ]) {
      const { failure, wasSentAgain, outcome, retries } = await afterWait(change);
      assert.deepEqual([failure, wasSentAgain, outcome, retries], [undefined, true, 'complete', 1]);
    }
  });

  for (const [changes, change] of [
    [['headers'], set({ settings: { 'svc.compliance.securityLevel': 'maximum' } })],
    [['address'], set({ settings: { 'svc.baseUrl': 'http://127.0.0.1:2/api/v1' } })],
    [['body'], set({ settings: { 'svc.model.chat': 'svc/other' } })],
    [['body'], set({ settings: { 'svc.request.maxTokens': 7 } })],
    [['key'], set({ key: 'svc_ent_next' })],
    [['rules'], set({ rules: { ...openPolicy, requirePreview: true } })],
    [['rules'], set({ rules: { ...openPolicy, requireAuditLog: true } })],
    [
      ['address', 'headers', 'key'],
      set({
        settings: { 'svc.baseUrl': 'http://127.0.0.1:2/api/v1', 'svc.compliance.frameworks': ['gdpr'] },
        key: 'svc_ent_next',
      }),
    ],
  ] as readonly (readonly [readonly RequestChange[], (stage: Stage) => unknown])[]) {
    it(`stops if something changed, and names it: ${changes.join(', ')}`, async () => {
      const { failure, wasSentAgain, ...audited } = await afterWait(change);
      assert.deepEqual(
        [failure?.kind, failure?.code, failure?.details, wasSentAgain],
        ['gate', 'changed', { changes }, false],
      );
      assert.deepEqual(audited, { outcome: 'failed', error: 'gate', retries: 0 });
    });
  }

  it('stops if it may no longer leave, with that reason', async () => {
    for (const [code, change] of [
      ['untrusted', set({ isTrusted: false })],
      ['excluded', (stage) => stage.excluded.set('a.ts', '.gitignore')],
      ['no-key', set({ key: undefined })],
      ['too-large', set({ rules: { ...openPolicy, limits: { requestBytes: 10, fileBytes: 1 } } })],
      ['no-base-url', set({ settings: { 'svc.baseUrl': '' } })],
    ] as readonly (readonly [string, (stage: Stage) => unknown])[]) {
      const { failure, wasSentAgain, retries } = await afterWait(change);
      assert.deepEqual([failure?.code, wasSentAgain, retries], [code, false, 0]);
    }
  });

  it('stops if secrets were sent unmasked and no longer may be', async () => {
    const { failure } = await afterWait(
      (stage) => {
        stage.rules = { ...openPolicy, forbidUnmaskedSecrets: true };
      },
      outgoing(asks('SECRET')),
    );
    assert.equal(failure?.code, 'changed');
  });

  it('asks again in an agreed run if something changed between the answer and the sending', async () => {
    const stage = new Stage();
    stage.rules = { ...openPolicy, requirePreview: true };
    const seen: number[] = [];
    await stage.send(outgoing(asks('Hello')), async ({ preview }) => {
      seen.push(preview.headers.length);
      stage.settings['svc.compliance.securityLevel'] = 'maximum';
      return 'send-as-agreed';
    });
    assert.deepEqual(seen, [0, 1]);
  });
});

describe('dispatch: what an error names', () => {
  const old = 'http://127.0.0.1:1';

  it('is the origin that its request was sent to, whatever address is set in the meantime', async () => {
    const kinds = ['timeout', 'network', 'certificate', 'server', 'protocol', 'interrupted', 'rateLimit'] as const;
    for (const kind of kinds) {
      const stage = new Stage();
      stage.answer = async function* () {
        stage.settings['svc.baseUrl'] = 'http://127.0.0.1:2/api/v1';
        const error = new ServiceError(kind, '', { status: 503, requestId: 'r1' });
        yield [{ type: 'retry-wait', attempt: 1, delayMs: 1, error, retryNow: () => undefined }];
        throw error;
      };
      const seen: (string | undefined)[] = [];
      const { events } = await stage.dispatch.send(outgoing(asks('Hello')), nobodyAsked, new AbortController().signal);
      await assert.rejects(
        async () => {
          for await (const batch of events)
            for (const event of batch) if (event.type === 'retry-wait') seen.push(event.error.origin);
        },
        (error: ServiceError) => {
          assert.deepEqual([error.kind, error.origin, error.status, error.requestId], [kind, old, 503, 'r1']);
          return true;
        },
      );
      assert.deepEqual(seen, [old], kind);
    }
  });

  it('is the origin whose key is missing, before anything is sent and before a further attempt', async () => {
    const stage = new Stage();
    stage.key = undefined;
    await assert.rejects(stage.send(outgoing(asks('Hello'))), { code: 'no-key', origin: old });
    const removed = new Stage();
    removed.answer = async function* (admitAgain) {
      removed.settings['svc.baseUrl'] = 'http://127.0.0.1:2/api/v1';
      removed.key = undefined;
      await admitAgain(1);
      yield [];
    };
    await assert.rejects(removed.send(outgoing(asks('Hello'))), { code: 'no-key', origin: 'http://127.0.0.1:2' });
  });

  it('has no origin if the settings forbid a further attempt, and their problems are kept', async () => {
    const stage = new Stage();
    stage.answer = async function* (admitAgain) {
      stage.settings['svc.compliance.securityLevel'] = 'highest';
      await admitAgain(1);
      yield [];
    };
    await assert.rejects(stage.send(outgoing(asks('Hello'))), (error) => {
      assert.ok(error instanceof PolicyError);
      assert.equal(error.origin, undefined);
      return true;
    });
  });
});
