import * as vscode from 'vscode';
import { policyHeaders, type SvcHeaderName } from '../policy/headers.ts';
import type { LayerRef, PolicyProblem, RequestPolicy, Resolved } from '../policy/requestPolicy.ts';
import type { ComplianceKey } from '../policy/settings.ts';
import type { Posture, PostureHeader } from '../protocol/messages.ts';

const t = vscode.l10n.t;

const byHeader: Readonly<
  Record<SvcHeaderName, { key: ComplianceKey; of: (policy: RequestPolicy) => Resolved<unknown> }>
> = {
  'Svc-Security-Level': { key: 'svc.compliance.securityLevel', of: (policy) => policy.securityLevel },
  'Svc-Data-Residency': { key: 'svc.compliance.dataResidency', of: (policy) => policy.dataResidency },
  'Svc-Audit-Enabled': { key: 'svc.compliance.audit', of: (policy) => policy.audit },
  'Svc-Zero-Retention': { key: 'svc.compliance.zeroRetention', of: (policy) => policy.zeroRetention },
  'Svc-Compliance-Frameworks': { key: 'svc.compliance.frameworks', of: (policy) => policy.frameworks },
};

/** The setting behind a header. */
export function settingOf(header: string): ComplianceKey | undefined {
  return byHeader[header as SvcHeaderName]?.key;
}

export function describePosture(policy: RequestPolicy): Posture {
  const headers: PostureHeader[] = policyHeaders(policy).map(([name, value]) => {
    const { setBy, overruled } = byHeader[name].of(policy);
    const asked = overruled.map((layer) => t('{0} asked for {1}', describeLayer(layer), layer.asked));
    return { name, value, source: [setBy.map(describeLayer).join(', '), ...asked].join('; ') };
  });
  const parts = [
    policy.securityLevel.value,
    policy.dataResidency.value,
    policy.audit.value === true ? t('audit') : null,
    policy.zeroRetention.value === true ? t('zero retention') : null,
    ...policy.frameworks.value,
  ];
  return { label: parts.filter((part) => part !== null).join(' · '), headers, problems: [] };
}

export function describeLayer({ layer, name }: LayerRef): string {
  switch (layer) {
    case 'managed':
      return t('your administrator');
    case 'user':
      return t('user');
    case 'workspace':
      return t('workspace');
    case 'folder':
      return t('folder {0}', name ?? '');
  }
}

/** One sentence for each problem: key, layers, values, what is allowed. */
export function describeProblem({ reason, key, found, allowed }: PolicyProblem): string {
  const where = found.map((item) => t('{0} in {1} settings', item.value, describeLayer(item))).join(', ');
  switch (reason) {
    case 'invalid':
      return t('{0} is {1}. Allowed: {2}.', key, where, allowed);
    case 'conflict':
      return t('{0} is asked for twice and differently: {1}. Only one can hold.', key, where);
    case 'unknown-connection':
      return t(
        '{0} is {1}, which svc.connections in your user settings does not define. Allowed: {2}.',
        key,
        where,
        allowed,
      );
  }
}
