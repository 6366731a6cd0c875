import type { RequestPolicy } from './requestPolicy.ts';

/** The five headers of the interface document, 4.5, and how a resolved value is written in them. */
export type SvcHeaderName =
  | 'Svc-Security-Level'
  | 'Svc-Data-Residency'
  | 'Svc-Audit-Enabled'
  | 'Svc-Zero-Retention'
  | 'Svc-Compliance-Frameworks';

/** The headers of a policy in the document's order; a constraint that nobody set is absent. */
export function policyHeaders(policy: RequestPolicy): readonly (readonly [SvcHeaderName, string])[] {
  const headers: [SvcHeaderName, string][] = [];
  if (policy.securityLevel.value !== null) headers.push(['Svc-Security-Level', policy.securityLevel.value]);
  if (policy.dataResidency.value !== null) headers.push(['Svc-Data-Residency', policy.dataResidency.value]);
  if (policy.audit.value !== null) headers.push(['Svc-Audit-Enabled', String(policy.audit.value)]);
  if (policy.zeroRetention.value !== null) headers.push(['Svc-Zero-Retention', String(policy.zeroRetention.value)]);
  if (policy.frameworks.value.length > 0)
    headers.push(['Svc-Compliance-Frameworks', policy.frameworks.value.join(',')]);
  return headers;
}
