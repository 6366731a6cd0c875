import type { Connection } from './connection.ts';
import type { ManagedPolicy, ManagedState } from './managedPolicy.ts';
import { showValue } from './readValue.ts';
import type { RequestOptions } from './requestOptions.ts';
import type { PolicyProblem, RequestPolicy } from './requestPolicy.ts';

export interface Resolved {
  readonly policy: RequestPolicy;
  readonly connection: Connection;
  readonly options: RequestOptions;
}

/** What the administrator's lists have against a request whose settings have resolved. */
export function managedProblems(
  managed: ManagedState,
  { policy, connection, options }: Resolved,
): readonly PolicyProblem[] {
  if (managed.state !== 'in-force') return [];
  const { allowedRegions, allowedModels } = managed.policy;
  const problems: PolicyProblem[] = [...originProblems(managed, connection)];
  const refuse = (...about: Parameters<typeof refused>): void => {
    problems.push(refused(...about));
  };
  const region = policy.dataResidency.value;
  if (allowedRegions !== undefined && (region === null || !allowedRegions.includes(region))) {
    refuse('svc.compliance.dataResidency', region, allowedRegions);
  }
  if (allowedModels !== undefined && !isAllowedModel(options.model, allowedModels)) {
    refuse('svc.model.chat', options.model, allowedModels);
  }
  return problems;
}

/** What the administrator has against an address, with or without a request. */
export function originProblems(managed: ManagedState, { origin }: Connection): readonly PolicyProblem[] {
  const allowed = managed.state === 'in-force' ? managed.policy.allowedOrigins : undefined;
  return allowed === undefined || allowed.includes(origin) ? [] : [refused('svc.baseUrl', origin, allowed)];
}

function refused(key: PolicyProblem['key'], found: unknown, allowed: readonly string[]): PolicyProblem {
  return {
    reason: 'not-managed',
    key,
    found: [{ layer: 'managed', value: showValue(found) }],
    allowed: allowed.join(', '),
  };
}

export function isAllowedModel(model: string, allowed: NonNullable<ManagedPolicy['allowedModels']>): boolean {
  return allowed.some((one) => (one.endsWith('*') ? model.startsWith(one.slice(0, -1)) : one === model));
}
