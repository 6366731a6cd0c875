import type { ManagedState } from './managedPolicy.ts';

/** The only origin that the policy allows, to be offered as the address; null if it allows several, or any. */
export function onlyOrigin(managed: ManagedState): string | null {
  const [only, ...others] = (managed.state === 'in-force' ? managed.policy.allowedOrigins : undefined) ?? [];
  return only !== undefined && others.length === 0 ? only : null;
}
