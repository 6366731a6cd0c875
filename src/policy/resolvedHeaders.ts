import { policyHeaders, type SvcHeaderName } from './headers.ts';
import type { RequestPolicy, Resolved } from './requestPolicy.ts';
import type { ComplianceKey } from './settings.ts';

/** A header that a request carries, the setting it comes from, and which layers had what say in it. */
export interface ResolvedHeader extends Pick<Resolved<unknown>, 'setBy' | 'overruled'> {
  readonly name: SvcHeaderName;
  readonly value: string;
  readonly key: ComplianceKey;
}

const behind = {
  'Svc-Security-Level': ['securityLevel', 'svc.compliance.securityLevel'],
  'Svc-Data-Residency': ['dataResidency', 'svc.compliance.dataResidency'],
  'Svc-Audit-Enabled': ['audit', 'svc.compliance.audit'],
  'Svc-Zero-Retention': ['zeroRetention', 'svc.compliance.zeroRetention'],
  'Svc-Compliance-Frameworks': ['frameworks', 'svc.compliance.frameworks'],
} as const satisfies Record<SvcHeaderName, readonly [keyof RequestPolicy, ComplianceKey]>;

/** policyHeaders with where each comes from, in the same order. */
export function resolvedHeaders(policy: RequestPolicy): readonly ResolvedHeader[] {
  return policyHeaders(policy).map(([name, value]) => {
    const [field, key] = behind[name];
    const { setBy, overruled } = policy[field];
    return { name, value, key, setBy, overruled };
  });
}
