import assert from 'node:assert/strict';
import { admit, isNotAdmitted } from '../../../src/gate/admit.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { resolveConnection } from '../../../src/policy/connection.ts';
import type { ManagedPolicy, ManagedState } from '../../../src/policy/managed/managedPolicy.ts';
import { PolicyError } from '../../../src/policy/policyError.ts';
import { resolveRequestOptions } from '../../../src/policy/requestOptions.ts';
import type { Layer } from '../../../src/policy/requestPolicy.ts';
import { resolvePreview } from '../../../src/policy/resolvePreview.ts';
import { ServiceError } from '../../../src/util/errors.ts';
import { inForce } from '../../tools/managedPolicy.ts';
import { user, workspace } from '../policy/layers.ts';

const address = user({ 'svc.baseUrl': 'https://svc.example.com/api/v1' });

const at = (isTrusted: boolean, ...layers: readonly Layer[]) => under({ state: 'none' }, isTrusted, ...layers);

const under = (managed: ManagedState, isTrusted: boolean, ...layers: readonly Layer[]) => ({
  isTrusted,
  policy: resolvePolicy(layers),
  connection: resolveConnection(layers),
  options: resolveRequestOptions(layers, 'svc.model.chat'),
  managed,
  preview: resolvePreview(layers),
  settingsFiles: [] as const,
});

describe('gate: what may be sent', () => {
  it('admits a request with its policy, address and model', () => {
    const { connection, options, policy } = admit(at(true, address));
    assert.equal(connection.origin, 'https://svc.example.com');
    assert.equal(options.model, 'svc/auto');
    assert.equal(policy.audit.value, null);
  });

  it('sends nothing from an untrusted workspace, regardless of other settings', () => {
    assert.throws(() => admit(at(false, address)), { kind: 'gate', code: 'untrusted' });
  });

  it('asks for an address if none is set', () => {
    assert.throws(() => admit(at(true)), { kind: 'policy', code: 'no-base-url' });
  });

  it('names all problems together, and no value in the message for the log', () => {
    const bad = workspace({ 'svc.compliance.audit': 'sometimes', 'svc.request.maxTokens': -4 });
    assert.throws(
      () => admit(at(true, address, bad)),
      (error) =>
        error instanceof PolicyError &&
        error.problems.map(({ key }) => key).join() === 'svc.compliance.audit,svc.request.maxTokens' &&
        !error.message.includes('sometimes'),
    );
  });

  it('throws only what has words when a window opens', () => {
    const broken: ManagedState = { state: 'broken', file: 'p', problem: { reason: 'unreadable', detail: 'EACCES' } };
    const asked = at(true, address);
    const refused = [
      at(false, address),
      at(true),
      at(true, address, workspace({ 'svc.compliance.audit': 'sometimes' })),
      under(broken, true, address),
      { ...asked, settingsFiles: 'unread' as const },
    ];
    for (const one of refused) assert.throws(() => admit(one), isNotAdmitted);
    assert.ok(!isNotAdmitted(new ServiceError('gate', '', { code: 'excluded' })));
    assert.ok(!isNotAdmitted(new TypeError()));
  });
});

describe('gate: managed policy', () => {
  const problemsWith = (policy: Partial<ManagedPolicy>, ...layers: readonly Layer[]): readonly string[] => {
    try {
      admit(under(inForce(policy), true, address, ...layers));
      return [];
    } catch (error) {
      assert.ok(error instanceof PolicyError);
      return error.problems.map(
        ({ reason, key, allowed }) => `${reason} ${key}: ${allowed.kind === 'oneOf' && allowed.values.join(', ')}`,
      );
    }
  };

  it('an unusable file blocks everything', () => {
    const problem = { reason: 'unreadable', detail: 'EACCES' } as const;
    const broken: ManagedState = { state: 'broken', file: '/etc/svc/policy.json', problem };
    assert.throws(() => admit(under(broken, true, address)), {
      kind: 'policy',
      code: 'managed-broken',
      file: '/etc/svc/policy.json',
      problem,
    });
  });

  it('a disabled feature is refused by its name, others are not', () => {
    const state = inForce({ disabledFeatures: ['generate'] });
    const asking = { ...under(state, true, address), feature: 'generate' as const };
    assert.throws(() => admit(asking), { kind: 'policy', code: 'feature-disabled', details: { feature: 'generate' } });
    admit({ ...asking, feature: 'explain' });
    admit(under(state, true, address));
  });

  it('regions: one that is not allowed, and a missing one, are refused', () => {
    const allowedRegions = ['eu-west', 'us-east'] as const;
    const region = (value: string): Layer => workspace({ 'svc.compliance.dataResidency': value });
    const refused = ['not-managed svc.compliance.dataResidency: eu-west, us-east'];
    assert.deepEqual(problemsWith({ allowedRegions }, region('us-west')), refused);
    assert.deepEqual(problemsWith({ allowedRegions }), refused);
    assert.deepEqual(problemsWith({ allowedRegions }, region('us-east')), []);
  });

  it('origins and models: only those in the lists', () => {
    assert.deepEqual(problemsWith({ allowedOrigins: ['https://other.example.com'], allowedModels: ['svc/code*'] }), [
      'not-managed svc.baseUrl: https://other.example.com',
      'not-managed svc.model.chat: svc/code*',
    ]);
    assert.deepEqual(problemsWith({ allowedOrigins: ['https://svc.example.com'], allowedModels: ['svc/*'] }), []);
  });

  it('zero retention: true if one layer requires it, else false', () => {
    const asks = (value: unknown): Layer => workspace({ 'svc.compliance.zeroRetention': value });
    const admitted = (...layers: readonly Layer[]): boolean =>
      admit(under({ state: 'none' }, true, address, ...layers)).isZeroRetention;
    assert.equal(admitted(), false);
    assert.equal(admitted(asks(false), asks(null)), false);
    assert.equal(admitted(asks(true), asks(false)), true);
  });

  it('preview, audit, masking and limits: the strictest layer counts', () => {
    const rules = (state: ManagedState, ...layers: readonly Layer[]) =>
      admit(under(state, true, address, ...layers)).rules;
    const limits = { requestBytes: 4194304, fileBytes: 1048576 };
    assert.deepEqual(rules({ state: 'none' }), {
      isPreviewRequired: false,
      isAuditRequired: false,
      isDeliveryRequired: false,
      dayLimits: null,
      isRecognitionRequired: false,
      mayUnmask: true,
      limits,
    });
    const strict = inForce({
      requireAuditLog: true,
      requirePreview: true,
      forbidUnmaskedSecrets: true,
      requireRecognition: true,
      limits: { requestBytes: 10, fileBytes: 1e12 },
    });
    const off = workspace({ 'svc.gate.preview': false, 'svc.compliance.audit': false });
    assert.deepEqual(rules(strict, off), {
      isPreviewRequired: true,
      isAuditRequired: true,
      isDeliveryRequired: false,
      dayLimits: null,
      isRecognitionRequired: true,
      mayUnmask: false,
      limits: { ...limits, requestBytes: 10 },
    });
    const delivered = inForce({ evidence: { otlp: { url: 'https://logs.example.com/v1/logs' }, required: true } });
    const { isAuditRequired, isDeliveryRequired } = rules(delivered, off);
    assert.deepEqual([isAuditRequired, isDeliveryRequired], [true, true]);
    // The day is counted in the log.
    const limited = rules(inForce({ limits: { tokensPerDay: 9 } }), off);
    assert.deepEqual(limited.dayLimits, { tokens: 9, file: '/etc/svc/policy.json' });
    assert.deepEqual([limited.isAuditRequired, limited.limits], [true, limits]);
    const asked = workspace({ 'svc.gate.preview': true, 'svc.compliance.audit': true });
    assert.equal(rules({ state: 'none' }, asked).isPreviewRequired, true);
    assert.equal(rules({ state: 'none' }, asked).isAuditRequired, true);
    assert.throws(() => rules({ state: 'none' }, workspace({ 'svc.gate.preview': 'yes' })), PolicyError);
  });
});
