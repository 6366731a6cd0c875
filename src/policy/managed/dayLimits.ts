import type { ManagedState } from './managedPolicy.ts';

/** The daily limits for the requests of one user of this machine, in all windows together. */
export interface DayLimits {
  readonly requests?: number;
  readonly tokens?: number;
  /** The file of the policy that sets the limits. */
  readonly file: string;
}

/** The daily limits; null if the policy sets none. */
export function dayLimitsOf(managed: ManagedState): DayLimits | null {
  if (managed.state !== 'in-force') return null;
  const { requestsPerDay: requests, tokensPerDay: tokens } = managed.policy.limits;
  if (requests === undefined && tokens === undefined) return null;
  return {
    ...(requests === undefined ? {} : { requests }),
    ...(tokens === undefined ? {} : { tokens }),
    file: managed.file,
  };
}
