import { compliance } from '../compliance/compliance.ts';
import type { Connection } from '../connection.ts';
import { showValue } from '../readValue.ts';
import type { RequestOptions } from '../requestOptions.ts';
import type { LayerRef, PolicyProblem, RequestPolicy, Resolved } from '../requestPolicy.ts';
import type { CredentialsPolicy } from './credentials.ts';
import type { HelperCommand } from './helperCommand.ts';
import type { ManagedPolicy, ManagedState } from './managedPolicy.ts';

interface ResolvedRequest {
  readonly policy: RequestPolicy;
  readonly connection: Connection;
  readonly options: RequestOptions;
}

/** The violations of the administrator's lists by a request whose settings have resolved. */
export function managedProblems(
  managed: ManagedState,
  { policy, connection, options }: ResolvedRequest,
): readonly PolicyProblem[] {
  if (managed.state !== 'in-force') return [];
  const { allowedModels } = managed.policy;
  const problems: PolicyProblem[] = [
    ...originProblems(managed, connection),
    ...regionProblems(managed, policy.dataResidency),
  ];
  if (allowedModels !== undefined && !isAllowedModel(options.model, allowedModels)) {
    const { prompt, isOfConversation } = options;
    problems.push({
      ...refused(options.modelKey, options.model, [], allowedModels),
      ...(prompt === undefined ? {} : { prompt }),
      ...(isOfConversation === undefined ? {} : { isOfConversation }),
    });
  }
  return problems;
}

/** The administrator's objections to an address, with or without a request. */
export function originProblems(managed: ManagedState, { name, origin }: Connection): readonly PolicyProblem[] {
  const allowed = managed.state === 'in-force' ? managed.policy.allowedOrigins : undefined;
  if (allowed === undefined || allowed.includes(origin)) return [];
  // Only the user can set these two settings.
  return [refused(name === null ? 'svc.baseUrl' : 'svc.connections', origin, [{ layer: 'user' }], allowed)];
}

/** The administrator's objections to a region, or to a missing one. */
export function regionProblems(
  managed: ManagedState,
  { value, setBy }: Pick<Resolved<unknown>, 'value' | 'setBy'>,
): readonly PolicyProblem[] {
  const allowed: readonly unknown[] | undefined =
    managed.state === 'in-force' ? managed.policy.allowedRegions : undefined;
  if (allowed === undefined || allowed.includes(value)) return [];
  return [refused(compliance.dataResidency.setting, value, setBy, allowed.map(String))];
}

/** The problem of a refused value. If no layer sets it (it is a default or missing), only the administrator's layer is named. */
function refused(
  key: PolicyProblem['key'],
  value: unknown,
  askedBy: readonly LayerRef[],
  allowed: readonly string[],
): PolicyProblem {
  const by: readonly LayerRef[] = askedBy.length > 0 ? askedBy : [{ layer: 'managed' }];
  const found = by.map((layer) => ({ ...layer, value: showValue(value) }));
  return { reason: 'not-managed', key, found, allowed: { kind: 'oneOf', values: allowed } };
}

export function isAllowedModel(model: string, allowed: NonNullable<ManagedPolicy['allowedModels']>): boolean {
  return allowed.some((one) => (one.endsWith('*') ? model.startsWith(one.slice(0, -1)) : one === model));
}

/** The variable that has the key, or null if the policy names none or, with a connection, not for its exact origin. */
export function keyVariable(managed: ManagedState, connection?: Pick<Connection, 'origin'>): string | null {
  const credentials = credentialsOf(managed);
  if (credentials === undefined || !('environment' in credentials)) return null;
  return connection === undefined || isFor(credentials, connection) ? credentials.environment : null;
}

/** The program that prints the key of a connection, and who named it. */
export interface KeyHelper {
  readonly helper: HelperCommand;
  readonly by: 'managed' | 'user';
}

/** The administrator's program or, if the policy names none for this origin, the user's, or null if there is none. */
export function keyHelper(managed: ManagedState, connection: Connection): KeyHelper | null {
  const [ofPolicy, { helper }] = [credentialsOf(managed), connection];
  if (ofPolicy !== undefined && 'command' in ofPolicy && isFor(ofPolicy, connection)) {
    return { helper: ofPolicy, by: 'managed' };
  }
  return helper !== undefined && isFor(helper, connection) ? { helper, by: 'user' } : null;
}

function credentialsOf(managed: ManagedState): CredentialsPolicy | undefined {
  return managed.state === 'in-force' ? managed.policy.credentials : undefined;
}

function isFor(key: CredentialsPolicy, { origin }: Pick<Connection, 'origin'>): boolean {
  return (key.origin ?? origin) === origin;
}

/** The only origin that the policy allows, to be offered as the address; null if it allows several, or any. */
export function onlyOrigin(managed: ManagedState): string | null {
  const [only, ...others] = (managed.state === 'in-force' ? managed.policy.allowedOrigins : undefined) ?? [];
  return only !== undefined && others.length === 0 ? only : null;
}
