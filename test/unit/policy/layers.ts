import fc from 'fast-check';
import {
  type ComplianceKey,
  type ComplianceRow,
  compliance,
  complianceFields,
  type regions,
} from '../../../src/policy/compliance/compliance.ts';
import { resolvePolicy } from '../../../src/policy/compliance/resolve.ts';
import { type Layer, layerNames, type RequestPolicy } from '../../../src/policy/requestPolicy.ts';
import { validValues } from '../../tools/headerInventory.ts';

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

/** True if `policy` fulfills every requirement of `one`. */
export function holds(policy: RequestPolicy, one: Layer): boolean {
  return complianceFields.every((field) => {
    const { combine, values }: ComplianceRow = compliance[field];
    const wanted = asked(one, compliance[field].setting);
    const { value } = policy[field];
    if (wanted === null || combine === 'agree') return wanted === null || value === wanted;
    const rank = (each: unknown): number => (values as readonly unknown[]).indexOf(each);
    if (combine === 'strictest') return rank(value) >= rank(wanted);
    return (wanted as readonly unknown[]).every((each) => (value as readonly unknown[]).includes(each));
  });
}

/** Any layer that is valid on its own. `region` keeps layers from contradicting each other. */
export function anyLayer(region: (typeof regions)[number] | null = null): fc.Arbitrary<Layer> {
  return fc.record({
    layer: fc.constantFrom(...layerNames),
    values: fc.record(
      Object.fromEntries(
        complianceFields.map((field) => {
          const { setting, combine } = compliance[field];
          const values = combine === 'agree' ? [undefined, null, region] : validValues[setting];
          return [setting, fc.constantFrom(...values)];
        }),
      ),
    ),
  });
}
