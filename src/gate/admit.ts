import type { Connection, ConnectionResolution } from '../policy/connection.ts';
import { PolicyError } from '../policy/policyError.ts';
import type { RequestOptions, RequestOptionsResolution } from '../policy/requestOptions.ts';
import type { RequestPolicy } from '../policy/requestPolicy.ts';
import type { PolicyResolution } from '../policy/resolve.ts';
import { ServiceError } from '../util/errors.ts';

/** What is known of the place a request comes from, read afresh for each request. */
export interface Circumstances {
  readonly isTrusted: boolean;
  readonly policy: PolicyResolution;
  readonly connection: ConnectionResolution;
  readonly options: RequestOptionsResolution;
}

/** What a request needs to leave; made by admit() alone. */
export interface Admission {
  readonly policy: RequestPolicy;
  readonly connection: Connection;
  readonly options: RequestOptions;
}

/**
 * May a request leave, and under which policy? Throws a ServiceError: `gate` with code `untrusted`, `policy` with code
 * `no-base-url`, or a PolicyError with every problem of every setting.
 */
export function admit({ isTrusted, policy, connection, options }: Circumstances): Admission {
  // Restricted Mode hides the workspace's settings, so what they would have tightened is unknown.
  if (!isTrusted) throw new ServiceError('gate', 'The workspace is not trusted.', { code: 'untrusted' });
  if (policy.ok && connection.ok && options.ok) {
    return { policy: policy.policy, connection: connection.connection, options: options.options };
  }
  const problems = [policy, connection, options].flatMap((part) => (part.ok ? [] : part.problems));
  if (problems.length > 0) throw new PolicyError(problems);
  throw new ServiceError('policy', 'svc.baseUrl is not set.', { code: 'no-base-url' });
}
