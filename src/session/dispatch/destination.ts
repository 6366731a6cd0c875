import type { Admission } from '../../gate/admit.ts';
import { policyHeaders } from '../../policy/headers.ts';

/** A choice that was made for one destination: it holds there, and elsewhere something stricter does. */
export interface AsIs {
  /** As destinationOf() gives it. */
  readonly asIsFor: string;
  readonly otherwise: 'mask' | 'ask';
}

/** Where a request goes and under which posture: its origin and its Svc headers, one a line. */
export function destinationOf({ connection, policy }: Pick<Admission, 'connection' | 'policy'>): string {
  return [connection.origin, ...policyHeaders(policy).map(([name, value]) => `${name}: ${value}`)].join('\n');
}

/** What becomes of secrets in a message that goes to `destination`. */
export function treatmentAt(secrets: 'mask' | 'ask' | AsIs, destination: string): 'mask' | 'ask' | 'as-is' {
  if (typeof secrets === 'string') return secrets;
  return secrets.asIsFor === destination ? 'as-is' : secrets.otherwise;
}
