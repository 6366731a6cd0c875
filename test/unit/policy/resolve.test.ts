import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type ComplianceKey, compliance } from '../../../src/policy/compliance/compliance.ts';
import { policyHeaders } from '../../../src/policy/compliance/headers.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import type { Layer, RequestPolicy } from '../../../src/policy/requestPolicy.ts';
import { anyLayer, folder, policyOf, user, workspace } from './layers.ts';

const valuesOf = (policy: RequestPolicy): unknown => ({
  securityLevel: policy.securityLevel.value,
  dataResidency: policy.dataResidency.value,
  audit: policy.audit.value,
  zeroRetention: policy.zeroRetention.value,
  frameworks: policy.frameworks.value,
});

describe('policy: layers only tighten', () => {
  it('4.5 sends no header that no layer requires', () => {
    assert.deepEqual(policyHeaders(policyOf(user({}), workspace({}))), []);
  });

  it('4.5 formats every header as in the interface document', () => {
    const all = workspace({
      'svc.compliance.securityLevel': 'maximum',
      'svc.compliance.dataResidency': 'eu-west',
      'svc.compliance.audit': true,
      'svc.compliance.zeroRetention': false,
      'svc.compliance.frameworks': ['gdpr', 'hipaa'],
    });
    assert.deepEqual(policyHeaders(policyOf(all)), [
      ['Svc-Security-Level', 'maximum'],
      ['Svc-Data-Residency', 'eu-west'],
      ['Svc-Audit-Enabled', 'true'],
      ['Svc-Zero-Retention', 'false'],
      ['Svc-Compliance-Frameworks', 'hipaa,gdpr'],
    ]);
  });

  it('keeps the stricter level from any layer, and records the layers that set less', () => {
    const { securityLevel } = policyOf(
      user({ 'svc.compliance.securityLevel': 'maximum' }),
      workspace({ 'svc.compliance.securityLevel': 'standard' }),
    );
    assert.deepEqual(securityLevel, {
      value: 'maximum',
      setBy: [{ layer: 'user' }],
      overruled: [{ layer: 'workspace', asked: 'standard' }],
    });
  });

  it('keeps true over false', () => {
    const policy = policyOf(user({ 'svc.compliance.audit': true }), workspace({ 'svc.compliance.audit': false }));
    assert.equal(policy.audit.value, true);
  });

  it('joins frameworks', () => {
    const policy = policyOf(
      user({ 'svc.compliance.frameworks': ['gdpr'] }),
      workspace({ 'svc.compliance.frameworks': ['hipaa'] }),
      folder('pay', { 'svc.compliance.frameworks': [] }),
    );
    assert.deepEqual(policy.frameworks.value, ['hipaa', 'gdpr']);
  });

  it('blocks two regions, and names both layers', () => {
    const resolved = resolvePolicy([
      folder('one', { 'svc.compliance.dataResidency': 'eu-west' }),
      folder('two', { 'svc.compliance.dataResidency': 'us-east' }),
    ]);
    assert.equal(resolved.ok, false);
    assert.deepEqual(!resolved.ok && resolved.problems, [
      {
        reason: 'conflict',
        key: 'svc.compliance.dataResidency',
        found: [
          { layer: 'folder', name: 'one', value: '"eu-west"' },
          { layer: 'folder', name: 'two', value: '"us-east"' },
        ],
        allowed: { kind: 'oneOf', values: ['us-east', 'us-west', 'eu-west', 'asia-pacific'], orNull: true },
      },
    ]);
  });

  it('blocks invalid values, and names key, layer, value and the allowed values', () => {
    const resolved = resolvePolicy([user({}), workspace({ 'svc.compliance.securityLevel': 'Maximum' })]);
    assert.deepEqual(!resolved.ok && resolved.problems, [
      {
        reason: 'invalid',
        key: 'svc.compliance.securityLevel',
        found: [{ layer: 'workspace', value: '"Maximum"' }],
        allowed: { kind: 'oneOf', values: ['standard', 'high', 'maximum'], orNull: true },
      },
    ]);
  });
});

describe('policy: laws', () => {
  const runs = { numRuns: 2_000 };
  const layers = fc.array(anyLayer('eu-west'), { maxLength: 5 });

  it('is never looser than any layer', () => {
    fc.assert(
      fc.property(layers, (all) => {
        const policy = policyOf(...all);
        for (const { values } of all) {
          const level = values['svc.compliance.securityLevel'];
          assert.ok(rank(policy.securityLevel.value) >= rank(level));
          for (const key of ['audit', 'zeroRetention'] as const) {
            if (values[`svc.compliance.${key}`] === true) assert.equal(policy[key].value, true);
          }
          const region = values['svc.compliance.dataResidency'];
          if (region != null) assert.equal(policy.dataResidency.value, region);
          for (const name of (values['svc.compliance.frameworks'] ?? []) as readonly string[]) {
            assert.ok((policy.frameworks.value as readonly string[]).includes(name));
          }
        }
      }),
      runs,
    );
  });

  it('does not depend on the order of layers', () => {
    fc.assert(
      fc.property(layers, (all) =>
        assert.deepEqual(valuesOf(policyOf(...all)), valuesOf(policyOf(...[...all].reverse()))),
      ),
      runs,
    );
  });

  it('does not change when a layer is counted twice', () => {
    fc.assert(
      fc.property(layers, (all) => assert.deepEqual(valuesOf(policyOf(...all)), valuesOf(policyOf(...all, ...all)))),
      runs,
    );
  });

  it('blocks every value that the table does not allow, in every layer', () => {
    const junk = fc.oneof(
      fc.string().filter((text) => !(compliance.securityLevel.values as readonly string[]).includes(text)),
      fc.integer(),
      fc.object(),
      fc.constant(['hipaa ', 'HIPAA']),
    );
    const keys: readonly ComplianceKey[] = [
      'svc.compliance.securityLevel',
      'svc.compliance.audit',
      'svc.compliance.zeroRetention',
      'svc.compliance.frameworks',
    ];
    fc.assert(
      fc.property(layers, fc.constantFrom(...keys), junk, fc.nat(5), (all, key, value, at) => {
        const bad: Layer = workspace({ [key]: value });
        const resolved = resolvePolicy([...all.slice(0, at), bad, ...all.slice(at)]);
        assert.equal(resolved.ok, false);
        assert.ok(!resolved.ok && resolved.problems.some((problem) => problem.key === key));
      }),
      runs,
    );
  });
});

function rank(level: unknown): number {
  return (compliance.securityLevel.values as readonly unknown[]).indexOf(level);
}
