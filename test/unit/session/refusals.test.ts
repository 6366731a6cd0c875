import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { auditRefusals } from '../../../src/protocol/audit/auditValues.ts';
import type { AuditEntryOf } from '../../../src/send/audit.ts';
import type { ConfirmSend } from '../../../src/send/confirmation.ts';
import { createDispatch } from '../../../src/send/dispatch.ts';
import type { DispatchParts } from '../../../src/send/dispatchParts.ts';
import type { Outgoing } from '../../../src/send/outgoing.ts';
import { Refusals } from '../../../src/send/refusals.ts';
import { errorKinds } from '../../../src/util/errorKinds.ts';
import { abortedError, type ErrorCode, ServiceError } from '../../../src/util/errors.ts';
import { openPolicy } from '../../tools/managedPolicy.ts';
import { attachment } from './attachment.ts';
import { asks, nobodyAsked, outgoing, Stage } from './dispatchStage.ts';

type Refused = AuditEntryOf<'refused'>;

const refusedIn = (stage: Stage): Refused[] => stage.audited.filter((entry) => entry.kind === 'refused');

/** What makes the gate refuse, the reason in the record, and more of the record. */
interface Case {
  readonly reason: Refused['reason'];
  readonly because: string;
  readonly stage?: (stage: Stage) => void;
  readonly ask?: ConfirmSend;
  readonly outgoing?: Outgoing;
  readonly more?: Partial<Refused>;
}

const declines: ConfirmSend = async () => 'cancel';
const hello = outgoing(asks('Hello, PRIVATE'));

const cases: readonly Case[] = [
  { reason: 'untrusted', because: 'the workspace is not trusted', stage: (stage) => (stage.isTrusted = false) },
  {
    reason: 'policy',
    because: 'the administrator allows another address',
    stage: (stage) => (stage.rules = { ...openPolicy, allowedOrigins: ['https://svc.example.com'] }),
    more: { settings: ['svc.baseUrl'] },
  },
  {
    reason: 'feature-disabled',
    because: 'the administrator has disabled the feature',
    stage: (stage) => (stage.rules = { ...openPolicy, disabledFeatures: ['explain'] }),
    outgoing: { ...hello, action: 'explain' },
    more: { action: 'explain' },
  },
  {
    reason: 'settings-invalid',
    because: 'a setting has a value that is not allowed',
    stage: (stage) => (stage.settings['svc.compliance.securityLevel'] = 'PRIVATE'),
    more: { settings: ['svc.compliance.securityLevel'] },
  },
  { reason: 'no-address', because: 'no address is set', stage: (stage) => delete stage.settings['svc.baseUrl'] },
  { reason: 'no-key', because: 'no key is stored', stage: (stage) => (stage.key = undefined) },
  {
    reason: 'excluded',
    because: 'a file may not be sent',
    stage: (stage) => stage.excluded.set('secret/PRIVATE.ts', '.gitignore:1 PRIVATE'),
    outgoing: outgoing(asks('Look', attachment({ label: 'secret/PRIVATE.ts' }))),
  },
  {
    reason: 'too-large',
    because: 'the request has too many bytes',
    stage: (stage) => (stage.rules = { ...openPolicy, limits: { requestBytes: 10 } }),
  },
  {
    reason: 'declined',
    because: 'the user declines to send a secret',
    outgoing: outgoing(asks('This is a SECRET')),
    ask: declines,
    more: { asked: ['secrets'] },
  },
  {
    reason: 'declined',
    because: 'the user declines in the preview',
    stage: (stage) => (stage.settings['svc.gate.preview'] = true),
    ask: declines,
    more: { asked: ['preview'] },
  },
  {
    reason: 'declined',
    because: 'the user declines another address',
    outgoing: { ...outgoing(asks('One'), asks('Two')), cameFrom: 'https://elsewhere.example' },
    ask: declines,
    more: { asked: ['address'] },
  },
  {
    reason: 'declined',
    because: 'the question is stopped while the user is asked',
    stage: (stage) => (stage.settings['svc.gate.preview'] = true),
    ask: () => Promise.reject(abortedError()),
    more: { asked: ['preview'] },
  },
  {
    reason: 'preview-required',
    because: 'nobody can be asked',
    stage: (stage) => (stage.settings['svc.gate.preview'] = true),
    ask: () => Promise.reject(new ServiceError('policy', 'Nobody is asked.', { code: 'preview-required' })),
    outgoing: { ...hello, action: 'inlineCompletions' },
    more: { action: 'inlineCompletions' },
  },
  {
    reason: 'not-delivered',
    because: 'the required collector cannot be reached',
    stage: (stage) => {
      stage.rules = { ...openPolicy, evidence: { required: true } };
      stage.deliveryError = new ServiceError('gate', 'Not delivered.', { code: 'not-delivered' });
    },
  },
  {
    reason: 'day-limit',
    because: 'a daily limit is reached',
    stage: (stage) => {
      stage.rules = { ...openPolicy, limits: { requestsPerDay: 1 } };
      stage.limitError = new ServiceError('gate', 'Reached.', { code: 'day-limit' });
    },
  },
  {
    reason: 'fault',
    because: 'a check fails with a fault of its own',
    stage: (stage) => {
      const get = (): never => {
        throw new TypeError('PRIVATE');
      };
      Object.defineProperty(stage, 'recognition', { get });
    },
  },
];

describe('send: refusals', () => {
  for (const { reason, because, stage: prepare, ask = nobodyAsked, outgoing: asked = hello, more } of cases) {
    it(`records ${reason} if ${because}, without content`, async () => {
      const stage = new Stage();
      prepare?.(stage);
      await assert.rejects(stage.send(asked, ask));
      assert.deepEqual(stage.audited, [{ kind: 'refused', reason, action: 'chat', count: 1, ...more }]);
      assert.deepEqual(stage.sent, []);
      assert.doesNotMatch(JSON.stringify(stage.audited), /PRIVATE|secret\//);
    });
  }

  it('gives every error of the gate and of the policy its reason, and every reason has an error', async () => {
    const reasons = new Set<string>(['declined', 'stopped', 'policy', 'settings-conflict', 'fault', 'no-key']);
    const noteOf = async (error: ServiceError): Promise<void> => {
      const stage = new Stage();
      await new Refusals(stage.parts).note('chat', error);
      for (const { reason } of refusedIn(stage)) reasons.add(reason);
    };
    for (const code of errorKinds.gate.codes) await noteOf(new ServiceError('gate', '', { code }));
    for (const code of errorKinds.policy.codes) await noteOf(new ServiceError('policy', '', { code }));
    assert.deepEqual([...reasons].sort(), [...auditRefusals].sort());
  });

  it('records nothing for what was never to be sent, or was sent and failed', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    for (const code of ['gone', 'not-text', 'nothing-there'] as const satisfies readonly ErrorCode<'gate'>[])
      await refusals.note('chat', new ServiceError('gate', '', { code }));
    await refusals.note('chat', abortedError());
    await refusals.note('chat', new ServiceError('network', '', {}));
    assert.deepEqual(stage.audited, []);
  });

  it('records a request that is stopped at any step before it is sent, without content', async () => {
    const { parts } = new Stage();
    /** Stops, and goes on as if nothing had been stopped. */
    const steps: Readonly<Record<string, (stop: () => void) => Partial<DispatchParts>>> = {
      before: (stop) => {
        stop();
        return {};
      },
      delivery: (stop) => ({
        requireDelivery: async () => {
          stop();
          throw abortedError();
        },
      }),
      exclusions: (stop) => ({ exclusion: async () => stop() ?? null }),
      scanner: (stop) => ({ scanner: () => Promise.resolve(stop()).then(parts.scanner) }),
      key: (stop) => ({ apiKey: async () => stop() ?? 'svc_ent_key' }),
      client: (stop) => ({ chatClient: () => Promise.resolve(stop()).then(parts.chatClient) }),
    };
    for (const [step, change] of Object.entries(steps)) {
      const stage = new Stage();
      stage.rules = { ...openPolicy, evidence: { required: true } };
      const controller = new AbortController();
      const dispatch = createDispatch({ ...stage.parts, ...change(() => controller.abort()) });
      const asked = outgoing(asks('Look, PRIVATE', attachment({ label: 'secret/PRIVATE.ts' })));
      await assert.rejects(dispatch.send(asked, nobodyAsked, controller.signal), { kind: 'aborted' }, step);
      assert.deepEqual(stage.audited, [{ kind: 'refused', reason: 'stopped', action: 'chat', count: 1 }], step);
      assert.deepEqual(stage.sent, [], step);
    }
  });

  it('records nothing if VS Code cancels an inline suggestion, or if a request is only previewed', async () => {
    const stage = new Stage();
    const inline: Outgoing = { ...hello, action: 'inlineCompletions' };
    await assert.rejects(stage.dispatch.send(inline, nobodyAsked, AbortSignal.abort()), { kind: 'aborted' });
    stage.isTrusted = false;
    await assert.rejects(stage.dispatch.preview(hello), { code: 'untrusted' });
    await assert.rejects(stage.dispatch.measure(hello), { code: 'untrusted' });
    assert.deepEqual(stage.audited, []);
  });

  it('a retry that may no longer leave is recorded with its request, beside the outcome', async () => {
    const stage = new Stage();
    stage.answer = async function* (admitAgain) {
      yield [];
      stage.key = undefined;
      await admitAgain(1);
    };
    await assert.rejects(stage.send(hello), { code: 'no-key' });
    const { request } = stage.entry('request-intent');
    assert.deepEqual(refusedIn(stage), [{ kind: 'refused', reason: 'no-key', action: 'chat', count: 1, request }]);
    assert.equal(stage.entry('request-outcome').outcome, 'failed');
  });

  it('an error that passes two places is recorded once, a second error again', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    const error = new ServiceError('gate', '', { code: 'excluded' });
    await assert.rejects(refusals.watch('chat', () => refusals.watch('chat', () => Promise.reject(error))));
    await refusals.close();
    assert.equal(stage.audited.length, 1);
  });

  it('a log that cannot be written does not hide the reason', async () => {
    const stage = new Stage();
    stage.isTrusted = false;
    stage.auditError = new ServiceError('gate', 'Full.', { code: 'audit-unwritable' });
    await assert.rejects(stage.send(hello), { code: 'untrusted' });
    assert.deepEqual(stage.log, ['A refused request could not be written to the audit log.']);
  });
});

describe('send: repeated refusals', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  const error = (code: ErrorCode<'gate'>) => new ServiceError('gate', '', { code });
  const counts = (stage: Stage): string[] => refusedIn(stage).map(({ reason, count }) => `${reason} ${count}`);

  async function repeat(refusals: Refusals, times: number, code: ErrorCode<'gate'> = 'excluded'): Promise<void> {
    for (let time = 0; time < times; time += 1) await refusals.note('inlineCompletions', error(code));
  }

  it('the first is recorded immediately, those of the next minute as one record', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    await repeat(refusals, 500);
    assert.deepEqual(counts(stage), ['excluded 1']);
    mock.timers.tick(60_000);
    assert.deepEqual(counts(stage), ['excluded 1', 'excluded 499']);
  });

  it('while they go on, each minute has one record; after a quiet minute, the next is recorded immediately', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    await repeat(refusals, 2);
    mock.timers.tick(60_000);
    await repeat(refusals, 3);
    assert.deepEqual(counts(stage), ['excluded 1', 'excluded 1']);
    mock.timers.tick(60_000);
    mock.timers.tick(60_000);
    await repeat(refusals, 1);
    assert.deepEqual(counts(stage), ['excluded 1', 'excluded 1', 'excluded 3', 'excluded 1']);
  });

  it('another reason, or another action, is recorded immediately and counted on its own', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    await repeat(refusals, 3);
    await repeat(refusals, 2, 'too-large');
    await refusals.note('chat', error('excluded'));
    assert.deepEqual(counts(stage), ['excluded 1', 'too-large 1', 'excluded 1']);
    mock.timers.tick(60_000);
    assert.deepEqual(counts(stage).slice(3).sort(), ['excluded 2', 'too-large 1']);
  });

  it('what is counted is recorded when the window closes, once', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    await repeat(refusals, 7);
    await refusals.close();
    mock.timers.tick(120_000);
    await refusals.close();
    assert.deepEqual(counts(stage), ['excluded 1', 'excluded 6']);
  });

  it('every one of any number is in exactly one record', async () => {
    const stage = new Stage();
    const refusals = new Refusals(stage.parts);
    let seed = 7;
    for (let at = 0; at < 2_000; at += 1) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      await repeat(refusals, 1, (['excluded', 'too-large', 'untrusted'] as const)[seed % 3]);
      mock.timers.tick(seed % 11 === 0 ? seed % 70_000 : seed % 50);
    }
    await refusals.close();
    assert.equal(
      refusedIn(stage).reduce((sum, { count }) => sum + count, 0),
      2_000,
    );
    assert.ok(stage.audited.length < 1_000, String(stage.audited.length));
  });
});
