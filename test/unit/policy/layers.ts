import fc from 'fast-check';
import { type ComplianceKey, compliance, frameworks, type regions } from '../../../src/policy/compliance/compliance.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { type Layer, layerNames, type RequestPolicy } from '../../../src/policy/requestPolicy.ts';
import type { SettingKey } from '../../../src/policy/settings.ts';

export function user(values: Layer['values']): Layer {
  return { layer: 'user', values };
}

export function workspace(values: Layer['values']): Layer {
  return { layer: 'workspace', values };
}

export function folder(name: string, values: Layer['values']): Layer {
  return { layer: 'folder', name, values };
}

/** The policy of layers that resolve. */
export function policyOf(...layers: readonly Layer[]): RequestPolicy {
  const resolved = resolvePolicy(layers);
  if (!resolved.ok) throw new Error(`blocked: ${JSON.stringify(resolved.problems)}`);
  return resolved.policy;
}

/** The value that a layer sets, or null if it sets none. */
export function asked(one: Layer, key: ComplianceKey): unknown {
  return one.values[key] ?? null;
}

const rank = (level: unknown): number => (compliance.securityLevel.values as readonly unknown[]).indexOf(level);

/** True if `policy` fulfils every requirement of `one`. */
export function holds(policy: RequestPolicy, one: Layer): boolean {
  const region = asked(one, 'svc.compliance.dataResidency');
  const wanted = (asked(one, 'svc.compliance.frameworks') ?? []) as readonly (typeof frameworks)[number][];
  return (
    rank(policy.securityLevel.value) >= rank(asked(one, 'svc.compliance.securityLevel')) &&
    (region === null || policy.dataResidency.value === region) &&
    (asked(one, 'svc.compliance.audit') !== true || policy.audit.value === true) &&
    (asked(one, 'svc.compliance.zeroRetention') !== true || policy.zeroRetention.value === true) &&
    wanted.every((framework) => policy.frameworks.value.includes(framework))
  );
}

const unset = fc.constantFrom(undefined, null);

/** Any layer that is valid on its own. `region` keeps layers from contradicting each other. */
export function anyLayer(region: (typeof regions)[number] | null = null): fc.Arbitrary<Layer> {
  return fc.record({
    layer: fc.constantFrom(...layerNames),
    values: fc.record({
      'svc.compliance.securityLevel': fc.oneof(unset, fc.constantFrom(...compliance.securityLevel.values)),
      'svc.compliance.dataResidency': region === null ? unset : fc.constantFrom(undefined, null, region),
      'svc.compliance.audit': fc.oneof(unset, fc.boolean()),
      'svc.compliance.zeroRetention': fc.oneof(unset, fc.boolean()),
      'svc.compliance.frameworks': fc.oneof(fc.constant(undefined), fc.subarray([...frameworks])),
    } satisfies Partial<Record<SettingKey, fc.Arbitrary<unknown>>>),
  });
}
