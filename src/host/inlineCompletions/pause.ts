import type { ServiceError } from '../../util/errors.ts';

/** How long nothing is asked after a fault, in ms, where the service names no time. */
const afterRateLimit = 60_000;
const afterFault = 30_000;

/** Why nothing is asked for a while. */
export interface Pause {
  /** Epoch, milliseconds; infinite where only a change of settings, key or policy can help. */
  readonly until: number;
  readonly error: ServiceError;
}

/** What follows from a failed completion: nobody asked for it by name, so it is never shown as an error. */
export function pauseAfter(error: ServiceError, now: number): Pause | null {
  switch (error.kind) {
    case 'aborted':
    // About this document alone: looked at again without a request.
    case 'gate':
      return error.code === 'untrusted' ? { until: Number.POSITIVE_INFINITY, error } : null;
    case 'rateLimit':
      return { until: now + (error.retryAfterMs ?? afterRateLimit), error };
    case 'auth':
    case 'permission':
    case 'policy':
    case 'request':
    case 'certificate':
    case 'proxy':
      return { until: Number.POSITIVE_INFINITY, error };
    case 'network':
    case 'timeout':
    case 'server':
    case 'protocol':
    case 'interrupted':
    case 'storage':
    case 'internal':
      return { until: now + afterFault, error };
  }
}
