import type { Admission } from '../gate/admit.ts';
import { policyHeaders } from '../policy/compliance/headers.ts';

/** A choice that is valid for one destination only; elsewhere a stricter rule applies. */
export interface AsIs {
  /** The destination, as returned by destinationOf(). */
  readonly asIsFor: string;
  readonly otherwise: 'mask' | 'ask';
}

/** The destination of a request with its posture: the origin and the Svc headers, one per line. */
export function destinationOf({ connection, policy }: Pick<Admission, 'connection' | 'policy'>): string {
  return [connection.origin, ...policyHeaders(policy).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** The treatment of secrets in a message that is sent to `destination`. */
export function treatmentAt(secrets: 'mask' | 'ask' | AsIs, destination: string): 'mask' | 'ask' | 'as-is' {
  if (typeof secrets === 'string') return secrets;
  return secrets.asIsFor === destination ? 'as-is' : secrets.otherwise;
}
